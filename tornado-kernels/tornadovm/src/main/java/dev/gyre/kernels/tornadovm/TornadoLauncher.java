package dev.gyre.kernels.tornadovm;

import dev.gyre.atomics.Memory;
import dev.gyre.atomics.MemoryExhaustedException;
import dev.gyre.atomics.ThreadLongs;
import dev.gyre.atomics.table.Operation;
import dev.gyre.atomics.tornadovm.DeviceFacts;
import dev.gyre.atomics.tornadovm.Lowering;
import dev.gyre.atomics.tornadovm.UnsupportedByDeviceException;
import dev.gyre.kernels.ClearLongs;
import dev.gyre.kernels.Device;
import dev.gyre.kernels.Kernel;
import dev.gyre.kernels.Launch;
import dev.gyre.kernels.LaunchException;
import dev.gyre.kernels.LaunchMode;
import dev.gyre.kernels.LaunchShape;
import dev.gyre.kernels.Launcher;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import uk.ac.manchester.tornado.api.enums.TornadoDeviceType;
import uk.ac.manchester.tornado.runtime.common.TornadoXPUDevice;

/**
 * Launches kernels on one of TornadoVM's devices, one after another, on a thread of its own.
 *
 * <p>TornadoVM prints what goes wrong in a native launch and goes on. So each block counts itself
 * when it ends, and a launch whose count is not the number of blocks has failed.
 */
public final class TornadoLauncher implements Launcher {

  /** Threads of a block, and blocks per multiprocessor, that keep a GPU busy. */
  private static final int GPU_BLOCK_SIZE = 256;

  private static final int GPU_BLOCKS_PER_UNIT = 8;

  /** Most blocks, where there is a device thread for each item. */
  private static final int MAX_GPU_BLOCKS = 1 << 22;

  /** What a copy is called in errors. */
  private static final String COPY = "copy";

  /** Device threads per core: as on the JVM, more than cores, for the sake of uneven pieces. */
  private static final int THREADS_PER_CORE = 8;

  /** Numbers of TornadoVM's execution plans; far from those that it counts itself. */
  private static final AtomicLong PLANS = new AtomicLong(1 << 20);

  private final TornadoXPUDevice tornado;
  private final Device device;
  private final Lowering lowering;
  private final long plan = PLANS.incrementAndGet();
  private final Prefetches prefetches;
  private final DeviceBuffers buffers;
  private final Map<Class<?>, KernelBinding> bindings = new HashMap<>();
  private final Map<Class<?>, CompiledKernel> compiled = new HashMap<>();
  private final Map<Class<?>, Memory> parameters = new HashMap<>();
  private final DeviceQueue queue;
  private final Residency residency;

  TornadoLauncher(TornadoXPUDevice tornado, Device device) {
    Memory.expectLargeBlocks();
    this.tornado = tornado;
    this.device = device;
    this.lowering = Lowering.install(tornado);
    this.residency = Residency.of(device, isCpu(), DeviceFacts.of(tornado).computeCapability());
    for (KernelBindings all : ServiceLoader.load(KernelBindings.class)) {
      all.bindings().forEach(b -> bindings.put(b.kernel(), b));
    }
    // CUDA's context belongs to threads.
    this.queue = new DeviceQueue(device, tornado::enableThreadSharing);
    this.prefetches =
        new Prefetches(
            device, PLANS.incrementAndGet(), tornado::enableThreadSharing, queue::isAbandoned);
    this.buffers = new DeviceBuffers(tornado, plan, prefetches, queue::isAbandoned);
  }

  @Override
  public Device device() {
    return device;
  }

  /** Adds task methods beside those that {@link java.util.ServiceLoader} finds. */
  public TornadoLauncher with(KernelBinding... more) {
    for (KernelBinding b : more) {
      bindings.put(b.kernel(), b);
    }
    return this;
  }

  private boolean isCpu() {
    return tornado.getDeviceType() == TornadoDeviceType.CPU;
  }

  @Override
  public LaunchShape shapeFor(long items) {
    if (items < 1) {
      throw new IllegalArgumentException("items must be more than 0, not " + items);
    }
    if (isCpu()) {
      return LaunchShape.ofThreads((int) Math.min(items, (long) device.units() * THREADS_PER_CORE));
    }
    long blocks = (items + GPU_BLOCK_SIZE - 1) / GPU_BLOCK_SIZE;
    return new LaunchShape(
        (int) Math.min(blocks, (long) device.units() * GPU_BLOCKS_PER_UNIT), GPU_BLOCK_SIZE);
  }

  @Override
  public LaunchShape shapeForEach(long items) {
    LaunchShape lasting = shapeFor(items);
    long blocks = Math.min(Math.ceilDiv(items, GPU_BLOCK_SIZE), MAX_GPU_BLOCKS);
    return isCpu() ? lasting : new LaunchShape((int) blocks, GPU_BLOCK_SIZE);
  }

  @Override
  public int blocksAtOnce(Kernel kernel, int blockSize) {
    if (blockSize < 1) {
      throw new IllegalArgumentException("a block has 1 thread or more, not " + blockSize);
    }
    check(kernel, blockSize);
    return compiled(kernel, code -> residency.blocksAtOnce(code, blockSize));
  }

  @Override
  public Launch start(Kernel kernel, LaunchShape shape, LaunchMode mode) {
    KernelBinding binding = binding(kernel);
    check(kernel, shape.blockSize());
    AtomicBoolean decided = new AtomicBoolean();
    Future<LaunchTimes> times =
        queue.submit(
            kernel.name(),
            () -> {
              if (!decided.compareAndSet(false, true)) {
                throw new CancellationException(kernel.name());
              }
              return run(kernel, binding, shape, mode);
            });
    return new TornadoLaunch(kernel, device, queue, times, decided);
  }

  private KernelBinding binding(Kernel kernel) {
    KernelBinding binding = bindings.get(kernel.getClass());
    if (binding == null) {
      throw failed(kernel, "no task method is bound to " + kernel.getClass().getName(), null);
    }
    return binding;
  }

  private void check(Kernel kernel, int blockSize) {
    int largest = tornado.getPhysicalDevice().getMaxThreadsPerBlock();
    if (blockSize > largest) {
      throw failed(
          kernel,
          "blocks have at most %d device threads, not %d".formatted(largest, blockSize),
          null);
    }
  }

  private LaunchTimes run(
      Kernel kernel, KernelBinding binding, LaunchShape shape, LaunchMode mode) {
    Memory block = block(binding);
    Parameters.fill(block, shape.threads(), binding.scalars(kernel));
    buffers.hostWrote(block);
    long start = System.nanoTime();
    CompiledKernel code = compile(kernel, binding, block);
    residency.require(kernel.name(), code, shape, mode);
    long ready = System.nanoTime();
    List<Memory> memories = binding.memories(kernel);
    LaunchTimes times;
    try {
      List<Long> addresses = new ArrayList<>();
      addresses.add(buffers.toDevice(block));
      memories.forEach(m -> addresses.add(buffers.toDevice(m)));
      long sent = System.nanoTime();
      long nanos = queue.watched(kernel.name(), () -> code.run(shape, addresses));
      times = new LaunchTimes(nanos, sent - ready, ready - start);
      buffers.deviceWrote(block);
      memories.forEach(buffers::deviceWrote);
      buffers.toHost(block);
    } catch (MemoryExhaustedException e) {
      throw failed(kernel, String.valueOf(e.getMessage()), e);
    } catch (Exception | Error e) {
      throw failed(kernel, "the launch failed: " + e, e);
    }
    long ended = Parameters.blocksEnded(block);
    if (ended != shape.blocks()) {
      throw failed(
          kernel,
          "%d of %d blocks ran to their end; the driver's error is on the standard output"
              .formatted(ended, shape.blocks()),
          null);
    }
    return times;
  }

  private Memory block(KernelBinding binding) {
    return parameters.computeIfAbsent(
        binding.kernel(), k -> Parameters.allocate(binding.scalarCount()));
  }

  private CompiledKernel compile(Kernel kernel, KernelBinding binding, Memory sample) {
    CompiledKernel code = compiled.get(binding.kernel());
    if (code == null) {
      try {
        code = new CompiledKernel(binding, tornado, lowering, plan, sample);
      } catch (RuntimeException | Error e) {
        List<UnsupportedByDeviceException> refusals = lowering.takeRefusals();
        Throwable cause = refusals.isEmpty() ? e : refusals.getFirst();
        throw failed(kernel, "it does not compile: " + cause.getMessage(), cause);
      }
      compiled.put(binding.kernel(), code);
    }
    return code;
  }

  /**
   * The text of a kernel in the device's language, compiled if it was not yet.
   *
   * @throws LaunchException if it does not compile
   */
  public String source(Kernel kernel) {
    return compiled(kernel, CompiledKernel::source);
  }

  private <T> T compiled(Kernel kernel, Function<CompiledKernel, T> question) {
    KernelBinding binding = binding(kernel);
    return await(
        kernel.name(),
        queue.submit(
            kernel.name(), () -> question.apply(compile(kernel, binding, block(binding)))));
  }

  /**
   * What an operation of the shim is lowered to on this device; see {@link Lowering#text}.
   *
   * @throws UnsupportedByDeviceException if the device cannot do it
   */
  public String text(Operation operation) {
    return lowering.text(operation);
  }

  /** What the shim's calls become on this device. */
  Lowering lowering() {
    return lowering;
  }

  @Override
  public void readBack(Memory... memories) {
    int _ =
        await(
            COPY,
            queue.submit(
                COPY,
                () -> {
                  for (Memory m : memories) {
                    buffers.toHost(m);
                  }
                  return memories.length;
                }));
  }

  @Override
  public void clear(Memory... memories) {
    for (Memory m : memories) {
      // A device holds whole longs.
      long length = Math.ceilDiv(m.byteSize(), Long.BYTES);
      ClearLongs kernel = new ClearLongs(ThreadLongs.of(m), length);
      KernelBinding binding = binding(kernel);
      LaunchShape shape = shapeFor(Math.max(1, length));
      String name = kernel.name();
      LaunchTimes _ = await(name, queue.submit(name, () -> claimAndRun(m, kernel, binding, shape)));
    }
  }

  private LaunchTimes claimAndRun(
      Memory m, Kernel kernel, KernelBinding binding, LaunchShape shape) {
    try {
      buffers.claim(m);
    } catch (MemoryExhaustedException e) {
      throw failed(kernel, String.valueOf(e.getMessage()), e);
    }
    return run(kernel, binding, shape, LaunchMode.STRIDED);
  }

  @Override
  public void hostWrote(Memory... memories) {
    for (Memory m : memories) {
      buffers.hostWrote(m);
    }
  }

  @Override
  public void prefetch(Memory... memories) {
    for (Memory m : memories) {
      buffers.prefetch(m);
    }
  }

  /** Waits without regard to interrupts: nothing that is waited for here can be stopped. */
  private <T> T await(String what, Future<T> future) {
    boolean interrupted = false;
    try {
      while (true) {
        try {
          return queue.await(what, future);
        } catch (InterruptedException e) {
          interrupted = true;
        } catch (ExecutionException e) {
          if (e.getCause() instanceof RuntimeException known) {
            throw known;
          }
          throw new LaunchException(what, device, String.valueOf(e.getCause()), e.getCause());
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private LaunchException failed(Kernel kernel, String problem, @Nullable Throwable cause) {
    return new LaunchException(kernel.name(), device, problem, cause);
  }

  @Override
  public void close() {
    queue.close();
    prefetches.close();
    parameters.values().forEach(Memory::close);
    buffers.close();
  }
}
