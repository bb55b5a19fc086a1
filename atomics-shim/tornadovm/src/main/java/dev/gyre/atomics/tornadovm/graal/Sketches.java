package dev.gyre.atomics.tornadovm.graal;

import jdk.vm.ci.meta.ResolvedJavaMethod;
import uk.ac.manchester.tornado.runtime.TornadoCoreRuntime;
import uk.ac.manchester.tornado.runtime.graal.backend.XPUBackend;
import uk.ac.manchester.tornado.runtime.sketcher.SketchRequest;
import uk.ac.manchester.tornado.runtime.sketcher.TornadoSketcher;
import uk.ac.manchester.tornado.runtime.tasks.CompilableTask;

/** Graphs of task methods, which TornadoVM builds before it generates code. */
public final class Sketches {

  private Sketches() {}

  /** Builds the graph of a task for its device. */
  public static void make(XPUBackend<?> backend, CompilableTask task) {
    ResolvedJavaMethod method =
        TornadoCoreRuntime.getTornadoRuntime().resolveMethod(task.getMethod());
    int index = task.meta().getBackendIndex();
    int device = task.meta().getDeviceIndex();
    new SketchRequest(
            method,
            backend.getProviders(),
            backend.getTornadoSuites().getGraphBuilderSuite(),
            backend.getTornadoSuites().getSketchTier(),
            index,
            device)
        .run();
    var _ = TornadoSketcher.lookup(method, index, device);
  }
}
