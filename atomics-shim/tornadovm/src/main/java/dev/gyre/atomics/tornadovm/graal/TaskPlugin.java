package dev.gyre.atomics.tornadovm.graal;

import jdk.graal.compiler.nodes.graphbuilderconf.NodePlugin;
import jdk.vm.ci.meta.ResolvedJavaMethod;

/** Knows the methods that stand for kernels, and what their calls become. */
public interface TaskPlugin extends NodePlugin {

  /** Whether a method stands for a kernel; others that TornadoVM compiles are left alone. */
  boolean isTask(ResolvedJavaMethod method);
}
