package dev.gyre.kernels.tornadovm;

import dev.gyre.atomics.Memory;
import dev.gyre.atomics.MemoryExhaustedException;
import dev.gyre.atomics.MemoryRange;
import dev.gyre.atomics.tornadovm.Lowering;
import dev.gyre.kernels.ChainLink;
import dev.gyre.kernels.Device;
import dev.gyre.kernels.Kernel;
import dev.gyre.kernels.KernelException;
import dev.gyre.kernels.KernelTree;
import dev.gyre.kernels.KernelTree.Leaf;
import dev.gyre.kernels.LaunchException;
import dev.gyre.kernels.LaunchMode;
import dev.gyre.kernels.LaunchShape;
import dev.gyre.kernels.Lease;
import dev.gyre.kernels.events.Span;
import dev.gyre.kernels.tornadovm.DeviceWork.Kind;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import uk.ac.manchester.tornado.runtime.common.TornadoXPUDevice;

/**
 * Compiles and runs kernels on a device.
 *
 * <p>If a native launch fails, TornadoVM prints a message and continues. Therefore each block
 * counts itself at its end. A launch whose count is not the number of blocks has failed.
 */
final class KernelLaunches {

  /** Number of threads of a warp. */
  private static final int WARP_THREADS = 32;

  private final TornadoXPUDevice tornado;
  private final Device device;
  private final Lowering lowering;
  private final KernelCode code;
  private final Residency residency;
  private final DeviceSubmissions submissions;
  private final DeviceBuffers buffers;

  KernelLaunches(
      TornadoXPUDevice tornado,
      Device device,
      Lowering lowering,
      KernelCode code,
      Residency residency,
      DeviceSubmissions submissions) {
    this.tornado = tornado;
    this.device = device;
    this.lowering = lowering;
    this.code = code;
    this.residency = residency;
    this.submissions = submissions;
    this.buffers = submissions.buffers();
  }

  /** Uses a given task for kernels of its tree, for tests. */
  void use(Task task) {
    code.use(task);
  }

  /** See {@link dev.gyre.kernels.Launcher#blocksAtOnce}. */
  int blocksAtOnce(Kernel kernel, int blockSize) {
    if (blockSize < 1) {
      throw new IllegalArgumentException("a block has 1 thread or more, not " + blockSize);
    }
    check(kernel, blockSize);
    return compiled(kernel, it -> residency.blocksAtOnce(it, blockSize));
  }

  /** Evaluates a function of a compiled kernel, which is compiled if necessary. */
  <T> T compiled(Kernel kernel, Function<CompiledKernel, T> question) {
    KernelTree.Branch tree = tree(kernel).root();
    return submissions.run(
        kernel.name(), List.of(), stream -> question.apply(code.of(kernel, tree, stream)));
  }

  /**
   * Checked kernel of a launch.
   *
   * @param withHostAtomics whether atomics of system scope are together with the host
   */
  private record Link(
      Kernel kernel,
      KernelTree tree,
      List<Memory> memories,
      LaunchShape shape,
      LaunchMode mode,
      boolean withHostAtomics) {}

  /** Launches in sequence, and the ranges to copy back after them. */
  private record Job(List<Link> links, List<MemoryRange> back) {
    String name() {
      return links.getFirst().kernel().name();
    }

    /** Returns all memories that it uses. */
    List<Memory> memories() {
      Set<Memory> touched = new LinkedHashSet<>();
      links.forEach(link -> touched.addAll(link.memories()));
      back.forEach(range -> touched.add(range.memory()));
      return List.copyOf(touched);
    }
  }

  /** Starts a kernel. */
  TornadoLaunch start(Kernel kernel, LaunchShape shape, LaunchMode mode) {
    return submit(new Job(List.of(link(kernel, shape, mode)), List.of()));
  }

  /** Starts at least one kernel in sequence, and copies after them. */
  TornadoLaunch start(List<ChainLink> links, List<MemoryRange> back) {
    return submit(
        new Job(
            links.stream().map(l -> link(l.kernel(), l.shape(), LaunchMode.STRIDED)).toList(),
            back));
  }

  private TornadoLaunch submit(Job job) {
    return new TornadoLaunch(
        job.links().getFirst().kernel(),
        device,
        submissions.queue(),
        submissions.submit(job.name(), job.memories(), Kind.LAUNCH, stream -> run(stream, job)));
  }

  /** Runs a kernel that writes a whole memory, which need not be sent to the device. */
  void fill(Memory memory, Kernel kernel, LaunchShape shape) {
    Job job = new Job(List.of(link(kernel, shape, LaunchMode.STRIDED)), List.of());
    LaunchTimes _ =
        submissions.run(
            job.name(),
            List.of(memory),
            stream -> {
              try {
                buffers.claim(memory);
              } catch (MemoryExhaustedException e) {
                throw failed(kernel, String.valueOf(e.getMessage()), e);
              }
              return run(stream, job);
            });
  }

  private Link link(Kernel kernel, LaunchShape shape, LaunchMode mode) {
    KernelTree tree = tree(kernel);
    Lease.require(tree);
    check(kernel, shape.blockSize());
    long shared = tree.root().sharedBytes();
    if (shared > lowering.sharedBytes()) {
      throw failed(
          kernel,
          "its blocks share %d bytes, and have %d at most: make the shared arrays smaller"
              .formatted(shared, lowering.sharedBytes()),
          null);
    }
    List<Memory> memories = memories(kernel, tree);
    return new Link(kernel, tree, memories, shape, mode, withHostAtomics(kernel, tree, memories));
  }

  private KernelTree tree(Kernel kernel) {
    try {
      return KernelTree.of(kernel);
    } catch (KernelException e) {
      throw failed(kernel, String.valueOf(e.getMessage()), e);
    }
  }

  private List<Memory> memories(Kernel kernel, KernelTree tree) {
    try {
      return tree.memories();
    } catch (KernelException e) {
      throw failed(kernel, String.valueOf(e.getMessage()), e);
    }
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

  /**
   * Returns whether a kernel has atomics of system scope on pinned memory.
   *
   * @throws LaunchException if it has atomics of smaller scope there, which exclude the host
   */
  private boolean withHostAtomics(Kernel kernel, KernelTree tree, List<Memory> memories) {
    List<Class<?>> types =
        tree.root().leaves().stream()
            .filter(leaf -> !leaf.isNumber())
            .<Class<?>>map(Leaf::type)
            .toList();
    boolean withHost = false;
    for (int i = 0; i < memories.size(); i++) {
      String type = types.get(i).getSimpleName();
      if (buffers.isPinned(memories.get(i))) {
        withHost |= type.startsWith("System");
        if (type.startsWith("Device") || type.startsWith("Block")) {
          throw failed(
              kernel,
              "pinned memory is the host's as well, whose threads %s are not atomic with: use the handle of system scope, or other memory"
                  .formatted(type),
              null);
        }
      }
    }
    return withHost;
  }

  private LaunchTimes run(DeviceStream stream, Job job) {
    long start = System.nanoTime();
    List<CompiledKernel> compiled = new ArrayList<>();
    boolean alone = false;
    for (Link link : job.links()) {
      CompiledKernel one = code.of(link.kernel(), link.tree().root(), stream);
      alone |= require(link, one);
      compiled.add(one);
    }
    long compileNanos = System.nanoTime() - start;
    List<Memory> blocks = stream.parameters(compiled.size());
    List<Memory> touched = new ArrayList<>(blocks);
    touched.addAll(job.memories());
    List<Memory> begun = new ArrayList<>();
    Callable<LaunchTimes> toTheEnd = () -> run(stream, job, compiled, begun, compileNanos);
    boolean byItself = alone;
    LaunchTimes times =
        submissions.onDevice(
            job.name(),
            stream,
            blocks,
            touched,
            begun,
            () -> submissions.queue().kernel(job.name(), byItself, toTheEnd));
    for (int i = 0; i < compiled.size(); i++) {
      requireEnded(job.links().get(i), blocks.get(i));
    }
    return times;
  }

  /** Throws if a launch is impossible; returns whether it must run alone. */
  private boolean require(Link link, CompiledKernel compiled) {
    Kernel kernel = link.kernel();
    int blockSize = link.shape().blockSize();
    boolean alone = residency.require(kernel.name(), compiled, link.shape(), link.mode());
    if (compiled.meetings().ofWarps() && blockSize % WARP_THREADS != 0) {
      throw failed(
          kernel,
          "its threads work together in warps of %d, so blocks are of a multiple of it, not of %d"
              .formatted(WARP_THREADS, blockSize),
          null);
    }
    if (link.withHostAtomics()
        && compiled.meetings().ofHost()
        && !buffers.shared().updatesAtomically()) {
      throw failed(
          kernel,
          "it has read-modify-write operations of system scope and pinned memory, "
              + "and the device has no atomics together with the host: use loads, stores "
              + "and waits only",
          null);
    }
    return alone;
  }

  /** Queues all launches with their transfers, and waits for them. */
  private LaunchTimes run(
      DeviceStream stream,
      Job job,
      List<CompiledKernel> compiled,
      List<Memory> begun,
      long compileNanos) {
    List<Memory> blocks = stream.parameters(compiled.size());
    List<Integer> numbers = new ArrayList<>();
    List<Span> spans = new ArrayList<>();
    List<List<Long>> addresses = new ArrayList<>();
    long start = System.nanoTime();
    // The parameters of all kernels are sent before the first one: each would wait for longer
    // copies.
    for (int i = 0; i < compiled.size(); i++) {
      addresses.add(send(job.links().get(i), blocks.get(i), stream));
    }
    long sendNanos = System.nanoTime() - start;
    submissions.queue().sent();
    for (int i = 0; i < compiled.size(); i++) {
      Link link = job.links().get(i);
      spans.add(Span.kernel());
      numbers.add(compiled.get(i).queue(stream, link.shape(), addresses.get(i)));
      buffers.deviceWrote(blocks.get(i));
      link.memories().forEach(buffers::deviceWrote);
    }
    List<MemoryRange> back = new ArrayList<>(blocks);
    back.addAll(job.back());
    for (MemoryRange range : back) {
      if (buffers.beginToHost(range, stream)) {
        begun.add(range.memory());
      }
    }
    stream.sync();
    long kernelNanos = 0;
    for (int i = 0; i < compiled.size(); i++) {
      Link link = job.links().get(i);
      long nanos = compiled.get(i).nanos(stream, numbers.get(i));
      spans
          .get(i)
          .ran(link.kernel().name(), device.target().label(), link.shape().threads(), nanos);
      kernelNanos += nanos;
    }
    return new LaunchTimes(kernelNanos, sendNanos, compileNanos);
  }

  /** Makes the memories of a launch current on the device; returns their addresses. */
  private List<Long> send(Link link, Memory block, DeviceStream stream) {
    Parameters.fill(block, link.shape(), link.tree().numbers());
    buffers.hostWrote(block, block.byteSize());
    List<Long> addresses = new ArrayList<>();
    addresses.add(buffers.toDevice(block, stream));
    link.memories().forEach(m -> addresses.add(buffers.toDevice(m, stream)));
    return addresses;
  }

  /**
   * Checks that a kernel ended. If a driver has stopped it and its context is lost, each further
   * call of the driver fails without a message, or ends the process. Then no further call is made.
   */
  private void requireEnded(Link link, Memory block) {
    long ended = Parameters.blocksEnded(block);
    if (ended != link.shape().blocks()) {
      String problem =
          "%d of %d blocks ran to their end; the driver's error is on the standard output"
              .formatted(ended, link.shape().blocks());
      submissions
          .queue()
          .giveUp(
              "kernel %s: %s, and the device was abandoned with all that was on it; use another launcher, or process"
                  .formatted(link.kernel().name(), problem));
      throw failed(link.kernel(), problem, null);
    }
  }

  private LaunchException failed(Kernel kernel, String problem, @Nullable Throwable cause) {
    return new LaunchException(kernel.name(), device, problem, cause);
  }
}
