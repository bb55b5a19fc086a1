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
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import uk.ac.manchester.tornado.runtime.common.TornadoXPUDevice;

/** Compiled kernels of a launcher, by the trees of their records. */
final class KernelCode {

  private final TornadoXPUDevice tornado;
  private final Device device;
  private final Lowering lowering;
  private final KernelCache kept;
  private final Map<Branch, Task> tasks = new ConcurrentHashMap<>();
  private final Set<Branch> used = ConcurrentHashMap.newKeySet();
  private final Map<Branch, CompiledKernel> compiled = new ConcurrentHashMap<>();

  KernelCode(TornadoXPUDevice tornado, Device device, Lowering lowering) {
    this.tornado = tornado;
    this.device = device;
    this.lowering = lowering;
    this.kept = KernelCache.ofUser(() -> Origin.of(tornado, lowering));
  }

  /** Uses a given task for kernels of its tree, for tests. */
  void use(Task task) {
    tasks.put(task.tree(), task);
    var _ = used.add(task.tree());
  }

  /**
   * Returns the code of a kernel, compiled if necessary.
   *
   * @throws LaunchException if it does not compile
   */
  CompiledKernel of(Kernel kernel, Branch tree, DeviceStream stream) {
    CompiledKernel code = compiled.get(tree);
    if (code == null) {
      // Its errors do not name the kernel, and launchers of one device share it: one at a time.
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
    String name = used.contains(tree) ? "" : kept.nameOf(tree);
    CompiledKernel code = name.isEmpty() ? null : kept(kernel, tree, name, stream);
    return code == null ? compile(kernel, tree, name, stream) : code;
  }

  private @Nullable CompiledKernel kept(
      Kernel kernel, Branch tree, String name, DeviceStream stream) {
    Span span = Span.compilation();
    Optional<KernelCache.Text> text = kept.find(tree);
    if (text.isEmpty()) {
      return null;
    }
    int handles = (int) tree.leaves().stream().filter(l -> !l.isNumber()).count();
    try {
      CompiledKernel code = CompiledKernel.of(text.get(), name, handles, tornado, lowering, stream);
      span.ended(kernel.name() + ", kept");
      return code;
    } catch (RuntimeException | Error e) {
      // The driver refuses it: compile the kernel again and report the driver's message for that.
      return null;
    }
  }

  private CompiledKernel compile(Kernel kernel, Branch tree, String name, DeviceStream stream) {
    Task task = tasks.computeIfAbsent(tree, Task::of);
    Span span = Span.compilation();
    try {
      CompiledKernel code = CompiledKernel.compile(task, name, tornado, lowering, stream);
      span.ended(kernel.name());
      if (!name.isEmpty()) {
        kept.keep(tree, code.text());
      }
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
