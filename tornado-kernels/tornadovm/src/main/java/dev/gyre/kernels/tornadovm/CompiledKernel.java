package dev.gyre.kernels.tornadovm;

import dev.gyre.atomics.tornadovm.Lowering;
import dev.gyre.atomics.tornadovm.Meetings;
import dev.gyre.kernels.LaunchShape;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import uk.ac.manchester.tornado.api.GridScheduler;
import uk.ac.manchester.tornado.api.KernelContext;
import uk.ac.manchester.tornado.api.WorkerGrid1D;
import uk.ac.manchester.tornado.api.common.Access;
import uk.ac.manchester.tornado.api.common.Event;
import uk.ac.manchester.tornado.runtime.common.KernelStackFrame;
import uk.ac.manchester.tornado.runtime.common.TornadoInstalledCode;
import uk.ac.manchester.tornado.runtime.common.TornadoXPUDevice;
import uk.ac.manchester.tornado.runtime.profiler.EmptyProfiler;
import uk.ac.manchester.tornado.runtime.tasks.CompilableTask;
import uk.ac.manchester.tornado.runtime.tasks.meta.ScheduleContext;

/**
 * A {@link Task}, compiled for one device.
 *
 * <p>It uses TornadoVM's device directly, not its task graphs. A graph owns its buffers and
 * contains its objects as constants. Here any kernel runs on any memories on the device, and one
 * compilation serves all launches.
 *
 * <p>Launches in different streams overlap. Only one is queued at a time, because TornadoVM and
 * OpenCL keep the state of a kernel's next launch with the kernel.
 */
final class CompiledKernel {

  private static final AtomicInteger NUMBERS = new AtomicInteger();

  /** Stands for the task of a kernel that is not compiled here. */
  private static final Method ANY_METHOD = Parameters.class.getDeclaredMethods()[0];

  private final TornadoXPUDevice device;
  private final CompilableTask compiled;
  private final TornadoInstalledCode code;
  private final String source;
  private final int arguments;
  private final Lowering lowering;
  private final Meetings meetings;
  private final Map<Integer, Integer> blocksPerUnit = new ConcurrentHashMap<>();

  private CompiledKernel(
      TornadoXPUDevice device,
      Lowering lowering,
      CompilableTask compiled,
      TornadoInstalledCode code,
      String source) {
    this.device = device;
    this.lowering = lowering;
    this.compiled = compiled;
    this.code = code;
    this.source = source;
    this.arguments = compiled.getArguments().length;
    this.meetings = Meetings.of(source);
  }

  /**
   * Compiles a task. TornadoVM throws several types of exceptions and errors if it cannot.
   *
   * @param name unique name on the device; empty for any
   */
  static CompiledKernel compile(
      Task task, String name, TornadoXPUDevice device, Lowering lowering, DeviceStream stream) {
    String known = name.isEmpty() ? Integer.toString(NUMBERS.incrementAndGet()) : name;
    CompilableTask compiled =
        task(task.method(), task.handleCount(), "gyre" + known, device, stream);
    lowering.sketch(compiled);
    TornadoInstalledCode code = device.installCode(stream.plan(), compiled);
    return new CompiledKernel(device, lowering, compiled, code, lowering.source(code));
  }

  /**
   * Returns a kernel from cached text, which the driver compiles, or whose image it loads.
   *
   * @param handles number of the kernel's handles
   */
  static CompiledKernel of(
      KernelCache.Text kept,
      String name,
      int handles,
      TornadoXPUDevice device,
      Lowering lowering,
      DeviceStream stream) {
    CompilableTask compiled = task(ANY_METHOD, handles, "gyre" + name, device, stream);
    TornadoInstalledCode code =
        kept.image().hasRemaining()
            ? lowering.load(kept.entry(), kept.source(), kept.image())
            : lowering.install(stream.plan(), compiled, kept.entry(), kept.source());
    return new CompiledKernel(device, lowering, compiled, code, kept.source());
  }

  private static CompilableTask task(
      Method method, int handles, String name, TornadoXPUDevice device, DeviceStream stream) {
    List<Object> sample = new ArrayList<>();
    sample.add(new KernelContext());
    for (int i = 0; i <= handles; i++) {
      sample.add(DeviceBuffers.arrayOf(stream.parameters()));
    }
    CompilableTask task =
        new CompilableTask(new ScheduleContext(name), method.getName(), method, sample.toArray());
    task.attachProfiler(new EmptyProfiler());
    task.meta().attachProfiler(new EmptyProfiler());
    task.meta().setDevice(device);
    return task;
  }

  /** Returns what another process needs for the same kernel. */
  KernelCache.Text text() {
    return new KernelCache.Text(lowering.entry(code), source, lowering.image(code));
  }

  /** Returns which of its threads wait for each other. */
  Meetings meetings() {
    return meetings;
  }

  /** Returns how many blocks of a size fit on a compute unit; on the device's thread. */
  int blocksPerUnit(int blockSize) {
    return blocksPerUnit.computeIfAbsent(blockSize, size -> lowering.blocksPerUnit(code, size));
  }

  /** Returns the text of the compiled kernel. */
  String source() {
    return source;
  }

  /** Returns how long the device took for a finished launch, in nanoseconds. */
  long nanos(DeviceStream stream, int number) {
    Event event = device.resolveEvent(stream.plan(), number);
    event.waitForEvents(stream.plan());
    return event.getElapsedTime();
  }

  /**
   * Queues a launch in a stream; returns its number there.
   *
   * @param buffers addresses on the device: of the parameters and of each memory
   */
  synchronized int queue(DeviceStream stream, LaunchShape shape, List<Long> buffers) {
    WorkerGrid1D grid = new WorkerGrid1D(shape.threads());
    grid.setLocalWork(shape.blockSize(), 1, 1);
    compiled.meta().setGridScheduler(new GridScheduler(compiled.getId(), grid));
    compiled.meta().setUseGridScheduler(true);
    // The frame of the stream, which TornadoVM keeps.
    KernelStackFrame frame = device.createKernelStackFrame(stream.plan(), arguments, Access.NONE);
    frame.reset();
    HashMap<Integer, Integer> threads = new HashMap<>();
    threads.put(0, shape.threads());
    threads.put(1, 1);
    threads.put(2, 1);
    frame.setKernelContext(threads);
    frame.addCallArgument(new KernelStackFrame.KernelContextArgument(), false);
    buffers.forEach(b -> frame.addCallArgument(b, true));
    return code.launchWithDependencies(stream.plan(), frame, null, compiled.meta(), 0, null);
  }
}
