package dev.gyre.kernels.tornadovm;

import dev.gyre.atomics.GyreException;
import dev.gyre.atomics.tornadovm.Lowering;
import dev.gyre.kernels.Device;
import dev.gyre.kernels.Kernel;
import dev.gyre.kernels.KernelTree.Branch;
import dev.gyre.kernels.LaunchException;
import dev.gyre.kernels.events.Span;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import uk.ac.manchester.tornado.runtime.common.TornadoXPUDevice;

/** The compiled kernels of a launcher, by the trees of their records. */
final class KernelCode {

  private final TornadoXPUDevice tornado;
  private final Device device;
  private final Lowering lowering;
  private final Map<Branch, Task> tasks = new ConcurrentHashMap<>();
  private final Map<Branch, CompiledKernel> compiled = new ConcurrentHashMap<>();

  KernelCode(TornadoXPUDevice tornado, Device device, Lowering lowering) {
    this.tornado = tornado;
    this.device = device;
    this.lowering = lowering;
  }

  /** Runs this task for kernels of its tree; for tests. */
  void use(Task task) {
    tasks.put(task.tree(), task);
  }

  /**
   * The code of a kernel, compiled if it was not yet.
   *
   * @throws LaunchException if it does not compile
   */
  CompiledKernel of(Kernel kernel, Branch tree, DeviceStream stream) {
    CompiledKernel code = compiled.get(tree);
    if (code == null) {
      // What it refuses does not say to whom; launchers of one device share it.
      synchronized (lowering) {
        code = compiled.get(tree);
        if (code == null) {
          code = compile(kernel, tree, stream);
          compiled.put(tree, code);
        }
      }
    }
    return code;
  }

  private CompiledKernel compile(Kernel kernel, Branch tree, DeviceStream stream) {
    Task task = tasks.computeIfAbsent(tree, Task::of);
    Span span = Span.compilation();
    try {
      CompiledKernel code = new CompiledKernel(task, tornado, lowering, stream);
      span.ended(kernel.name());
      return code;
    } catch (RuntimeException | Error e) {
      tasks.remove(tree, task);
      task.forget();
      List<GyreException> refusals = lowering.takeRefusals();
      Throwable cause = refusals.isEmpty() ? e : refusals.getFirst();
      String why = Objects.requireNonNullElse(cause.getMessage(), cause.toString());
      throw new LaunchException(kernel.name(), device, "it does not compile: " + why, cause);
    }
  }
}
