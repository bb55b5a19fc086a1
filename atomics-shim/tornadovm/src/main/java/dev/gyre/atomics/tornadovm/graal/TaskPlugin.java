package dev.gyre.atomics.tornadovm.graal;

import jdk.graal.compiler.nodes.graphbuilderconf.NodePlugin;
import jdk.vm.ci.meta.ResolvedJavaMethod;

/** Recognises the methods that stand for kernels, and replaces their calls. */
public interface TaskPlugin extends NodePlugin {

  /**
   * Returns whether a method stands for a kernel; other methods that TornadoVM compiles are
   * unchanged.
   */
  boolean isTask(ResolvedJavaMethod method);
}
