package dev.gyre.kernels.tornadovm;

import dev.gyre.atomics.Memory;
import dev.gyre.atomics.MemoryExhaustedException;
import dev.gyre.atomics.MemoryInUseException;
import dev.gyre.atomics.ThreadLongs;
import dev.gyre.atomics.table.Operation;
import dev.gyre.atomics.tornadovm.DeviceFacts;
import dev.gyre.atomics.tornadovm.Lowering;
import dev.gyre.atomics.tornadovm.SharedMemory;
import dev.gyre.atomics.tornadovm.SharedMemory.Pages;
import dev.gyre.atomics.tornadovm.UnsupportedByDeviceException;
import dev.gyre.kernels.ChainLink;
import dev.gyre.kernels.ClearLongs;
import dev.gyre.kernels.Device;
import dev.gyre.kernels.Kernel;
import dev.gyre.kernels.KernelException;
import dev.gyre.kernels.KernelTree;
import dev.gyre.kernels.KernelTree.Branch;
import dev.gyre.kernels.KernelTree.Leaf;
import dev.gyre.kernels.Launch;
import dev.gyre.kernels.LaunchException;
import dev.gyre.kernels.LaunchMode;
import dev.gyre.kernels.LaunchShape;
import dev.gyre.kernels.Launcher;
import dev.gyre.kernels.Lease;
import dev.gyre.kernels.MemoryKind;
import dev.gyre.kernels.MemoryKindException;
import dev.gyre.kernels.events.Span;
import dev.gyre.kernels.tornadovm.DeviceWork.Kind;
import dev.gyre.kernels.tornadovm.graal.TreePlugin;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.function.LongConsumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import uk.ac.manchester.tornado.api.enums.TornadoDeviceType;
import uk.ac.manchester.tornado.runtime.common.TornadoXPUDevice;

/**
 * Launches kernels on one of TornadoVM's devices, in as many of its streams as there are works that
 * do not touch the same memory.
 *
 * <p>TornadoVM prints what goes wrong in a native launch and goes on. So each block counts itself
 * when it ends, and a launch whose count is not the number of blocks has failed.
 */
public final class TornadoLauncher implements Launcher {

  /** Threads of a block, and blocks per multiprocessor, that keep a GPU busy. */
  private static final int GPU_BLOCK_SIZE = 256;

  private static final int GPU_BLOCKS_PER_UNIT = 8;

  /** Threads of a warp, where it has several. */
  private static final int WARP = 32;

  /** Most blocks, where there is a device thread for each item. */
  private static final int MAX_GPU_BLOCKS = 1 << 22;

  /** What a copy is called in errors. */
  private static final String COPY = "copy";

  /** Device threads per core: as on the JVM, more than cores, for the sake of uneven pieces. */
  private static final int THREADS_PER_CORE = 8;

  private final TornadoXPUDevice tornado;
  private final Device device;
  private final Lowering lowering;
  private final DeviceBuffers buffers;
  private final KernelCode code;

  /** One for each thread that the queue may have. */
  private final List<DeviceStream> streams;

  private final AtomicInteger streamsUsed = new AtomicInteger();

  /** Whether this was closed while the device might still read parameters. */
  private volatile boolean keepsParameters;

  private final DeviceQueue queue;
  private final Residency residency;

  TornadoLauncher(TornadoXPUDevice tornado, Device device) {
    this(tornado, device, tornado::sync);
  }

  /**
   * A launcher.
   *
   * @param sync waits until the device has done what was queued in a plan's stream
   */
  TornadoLauncher(TornadoXPUDevice tornado, Device device, LongConsumer sync) {
    Memory.expectLargeBlocks();
    this.tornado = tornado;
    this.device = device;
    this.lowering = Lowering.install(tornado, new TreePlugin(Task::treeOfClass));
    this.residency = Residency.of(device, isCpu(), DeviceFacts.of(tornado).computeCapability());
    this.code = new KernelCode(tornado, device, lowering);
    this.streams =
        Stream.generate(() -> DeviceStream.open(sync)).limit(DeviceStreams.MOST).toList();
    this.queue = new DeviceQueue(device, this::bindStream);
    this.buffers = new DeviceBuffers(tornado, queue);
  }

  private DeviceStream bindStream() {
    // CUDA's context belongs to threads.
    lowering.bindThread();
    return streams.get(streamsUsed.getAndIncrement());
  }

  @Override
  public Device device() {
    return device;
  }

  /** Runs this task for kernels of its tree; for tests. */
  void use(Task task) {
    code.use(task);
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
    return new TornadoLaunch(
        kernel, device, queue, submit(List.of(link(kernel, shape, mode)), List.of()));
  }

  @Override
  public void runAndReadBack(Kernel kernel, LaunchShape shape, Memory... memories) {
    runChain(List.of(new ChainLink(kernel, shape)), memories);
  }

  @Override
  public void runChain(List<ChainLink> links, Memory... memories) {
    if (links.isEmpty()) {
      readBack(memories);
      return;
    }
    List.of(memories).forEach(DeviceBuffers::requireOnHost);
    List<Link> all =
        links.stream().map(l -> link(l.kernel(), l.shape(), LaunchMode.STRIDED)).toList();
    DeviceWork<LaunchTimes> work = submit(all, List.of(memories));
    new TornadoLaunch(links.getFirst().kernel(), device, queue, work).join();
  }

  /**
   * A kernel that is to be launched, which is as it may be.
   *
   * @param besideHost whether atomics of system scope are together with the host's
   */
  private record Link(
      Kernel kernel,
      KernelTree tree,
      List<Memory> memories,
      LaunchShape shape,
      LaunchMode mode,
      boolean besideHost) {}

  /** Launches to be, one after the other, and what is to be brought back after them. */
  private record Job(List<Link> links, List<Memory> back) {
    String name() {
      return links.getFirst().kernel().name();
    }

    /** All memories that it touches. */
    List<Memory> memories() {
      Set<Memory> touched = new LinkedHashSet<>();
      links.forEach(link -> touched.addAll(link.memories()));
      touched.addAll(back);
      return List.copyOf(touched);
    }
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
    return new Link(kernel, tree, memories, shape, mode, besideHost(kernel, tree, memories));
  }

  private DeviceWork<LaunchTimes> submit(List<Link> links, List<Memory> back) {
    Job job = new Job(links, back);
    return submit(job.name(), job.memories(), () -> {}, Kind.LAUNCH, stream -> run(stream, job));
  }

  /**
   * Whether a kernel has atomics of system scope on pages that stay with the host.
   *
   * @throws LaunchException if it has those of a lesser scope, of which the host is not
   */
  private boolean besideHost(Kernel kernel, KernelTree tree, List<Memory> memories) {
    List<Class<?>> types =
        tree.root().leaves().stream()
            .filter(leaf -> !leaf.isNumber())
            .<Class<?>>map(Leaf::type)
            .toList();
    boolean beside = false;
    for (int i = 0; i < memories.size(); i++) {
      String type = types.get(i).getSimpleName();
      if (buffers.isPinned(memories.get(i))) {
        beside |= type.startsWith("System");
        if (type.startsWith("Device") || type.startsWith("Block")) {
          throw failed(
              kernel,
              "pinned memory is the host's as well, whose threads %s are not atomic with: use the handle of system scope, or other memory"
                  .formatted(type),
              null);
        }
      }
    }
    return beside;
  }

  private List<Memory> memories(Kernel kernel, KernelTree tree) {
    try {
      return tree.memories();
    } catch (KernelException e) {
      throw failed(kernel, String.valueOf(e.getMessage()), e);
    }
  }

  /** Queues work, which holds the memories that it touches until it is over. */
  private <T> DeviceWork<T> submit(
      String what, List<Memory> memories, DeviceWork.InStream<T> work) {
    return submit(what, memories, () -> {}, Kind.OTHER, work);
  }

  /** The same of a copy to the device. */
  private void submitInward(List<Memory> memories, DeviceWork.InStream<Memory> work) {
    DeviceWork<Memory> _ = submit(COPY, memories, () -> {}, Kind.COPY_IN, work);
  }

  /**
   * The same.
   *
   * @param then run when it is over
   */
  private <T> DeviceWork<T> submit(
      String what, List<Memory> memories, Runnable then, Kind kind, DeviceWork.InStream<T> work) {
    Runnable letGo = buffers.hold(memories);
    Runnable whenOver =
        () -> {
          letGo.run();
          then.run();
          if (keepsParameters) {
            freeParameters();
          }
        };
    boolean queued = false;
    try {
      DeviceWork<T> all = queue.submit(what, memories, whenOver, kind, work);
      queued = true;
      return all;
    } finally {
      if (!queued) {
        letGo.run();
      }
    }
  }

  private KernelTree tree(Kernel kernel) {
    try {
      return KernelTree.of(kernel);
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
        onDevice(
            job.name(),
            stream,
            blocks,
            touched,
            begun,
            () -> queue.kernel(job.name(), byItself, toTheEnd));
    for (int i = 0; i < compiled.size(); i++) {
      requireEnded(job.links().get(i), blocks.get(i));
    }
    return times;
  }

  /** Refuses a launch that cannot be; returns whether no other kernel may run beside it. */
  private boolean require(Link link, CompiledKernel compiled) {
    Kernel kernel = link.kernel();
    int blockSize = link.shape().blockSize();
    boolean alone = residency.require(kernel.name(), compiled, link.shape(), link.mode());
    if (compiled.meetings().ofWarps() && blockSize % WARP != 0) {
      throw failed(
          kernel,
          "its threads work together in warps of %d, so blocks are of a multiple of it, not of %d"
              .formatted(WARP, blockSize),
          null);
    }
    if (link.besideHost()
        && compiled.meetings().ofHost()
        && !buffers.shared().updatesAtomically()) {
      throw failed(
          kernel,
          "it reads, modifies and writes at system scope and has pinned memory, where the device"
              + " has no atomics together with the host: updates would be lost; load, store and"
              + " wait there only",
          null);
    }
    return alone;
  }

  /** Queues all launches and what they need, and waits for them and what is brought back. */
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
    // All that kernels are told goes before the first: each would wait for longer copies.
    for (int i = 0; i < compiled.size(); i++) {
      addresses.add(send(job.links().get(i), blocks.get(i), stream));
    }
    long sendNanos = System.nanoTime() - start;
    queue.sent();
    for (int i = 0; i < compiled.size(); i++) {
      Link link = job.links().get(i);
      spans.add(Span.kernel());
      numbers.add(compiled.get(i).queue(stream, link.shape(), addresses.get(i)));
      buffers.deviceWrote(blocks.get(i));
      link.memories().forEach(buffers::deviceWrote);
    }
    beginToHost(blocks, stream, begun);
    beginToHost(job.back(), stream, begun);
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

  /** Has the device hold what a launch needs; returns the addresses there. */
  private List<Long> send(Link link, Memory block, DeviceStream stream) {
    Parameters.fill(block, link.shape(), link.tree().numbers());
    buffers.hostWrote(block, block.byteSize());
    List<Long> addresses = new ArrayList<>();
    addresses.add(buffers.toDevice(block, stream));
    link.memories().forEach(m -> addresses.add(buffers.toDevice(m, stream)));
    return addresses;
  }

  /**
   * Drivers stop a kernel whose context is lost: from then on each call of them fails, of which we
   * are not told, or ends the process. So none is made.
   */
  private void requireEnded(Link link, Memory block) {
    long ended = Parameters.blocksEnded(block);
    if (ended != link.shape().blocks()) {
      String problem =
          "%d of %d blocks ran to their end; the driver's error is on the standard output"
              .formatted(ended, link.shape().blocks());
      queue.giveUp(
          "kernel %s: %s, and the device was abandoned with all that was on it; use another launcher, or process"
              .formatted(link.kernel().name(), problem));
      throw failed(link.kernel(), problem, null);
    }
  }

  /** Begins to copy memories to the host, and notes which ones it began to. */
  private void beginToHost(List<Memory> memories, DeviceStream stream, List<Memory> begun) {
    for (Memory m : memories) {
      if (buffers.beginToHost(m, m.byteSize(), stream)) {
        begun.add(m);
      }
    }
  }

  /**
   * Does work on the device, which has come to its end when this returns or throws: memories may be
   * freed after that, and the copies of some may have been queued when others failed.
   *
   * @param own memories that are held here
   * @param touched all memories that it touches
   * @param back those whose copies to the host it began
   * @throws LaunchException if it fails
   */
  private <T> T onDevice(
      String what,
      DeviceStream stream,
      List<Memory> own,
      List<Memory> touched,
      List<Memory> back,
      Callable<T> work) {
    Runnable letGo = buffers.hold(own);
    try {
      return work.call();
    } catch (Exception | Error e) {
      settle(what, stream, touched);
      back.forEach(buffers::deviceWrote);
      throw switch (e) {
        case LaunchException known -> known;
        case MemoryExhaustedException full ->
            new LaunchException(what, device, String.valueOf(full.getMessage()), full);
        default -> new LaunchException(what, device, "the launch failed: " + e, e);
      };
    } finally {
      letGo.run();
    }
  }

  /**
   * Waits until the device has done what was queued, whatever becomes of it; where that fails, what
   * it touches is kept for good.
   */
  private void settle(String what, DeviceStream stream, List<Memory> touched) {
    try {
      DeviceStream _ =
          queue.watchedInAnyCase(
              what,
              () -> {
                stream.sync();
                return stream;
              });
    } catch (Exception | Error e) {
      buffers.keep(touched);
      queue.lose("the device cannot be waited for after %s failed: %s".formatted(what, e));
    }
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
    Branch tree = tree(kernel).root();
    return await(
        kernel.name(),
        submit(kernel.name(), List.of(), stream -> question.apply(code.of(kernel, tree, stream))));
  }

  /**
   * What an operation of the shim is lowered to on this device; see {@link Lowering#text}.
   *
   * @throws UnsupportedByDeviceException if the device cannot do it
   */
  public String text(Operation operation) {
    return lowering.text(operation);
  }

  /** How much memory a block can share, in bytes: a kernel that wants more is refused. */
  public long sharedBytes() {
    return lowering.sharedBytes();
  }

  /** What texts of kernels come from here beside their kernels; see {@link KeptKernels}. */
  String origin() {
    return Origin.of(tornado, lowering);
  }

  /** What the shim's calls become on this device. */
  Lowering lowering() {
    return lowering;
  }

  @Override
  public void readBack(Memory... memories) {
    List<Memory> all = List.of(memories);
    all.forEach(DeviceBuffers::requireOnHost);
    readBack(all, (stream, begun) -> beginToHost(all, stream, begun));
  }

  @Override
  public void readBack(Memory memory, long bytes) {
    requirePart(memory, bytes);
    DeviceBuffers.requireOnHost(memory);
    readBack(
        List.of(memory),
        (stream, begun) -> {
          if (buffers.beginToHost(memory, bytes, stream)) {
            begun.add(memory);
          }
        });
  }

  private void readBack(List<Memory> memories, BiConsumer<DeviceStream, List<Memory>> begin) {
    List<Memory> _ =
        await(COPY, submit(COPY, memories, stream -> readBack(memories, stream, begin)));
  }

  private List<Memory> readBack(
      List<Memory> memories, DeviceStream stream, BiConsumer<DeviceStream, List<Memory>> begin) {
    List<Memory> begun = new ArrayList<>();
    return onDevice(
        COPY,
        stream,
        List.of(),
        memories,
        begun,
        () ->
            queue.watched(
                COPY,
                () -> {
                  begin.accept(stream, begun);
                  if (!begun.isEmpty()) {
                    stream.sync();
                  }
                  return memories;
                }));
  }

  @Override
  public void readBack(Memory memory, Memory to, long at, long bytes) {
    requirePart(memory, bytes);
    requirePart(to, at, bytes);
    readBack(
        List.of(memory, to),
        (stream, _) -> {
          buffers.toHost(memory, to, at, bytes, stream);
          stream.sync();
        });
  }

  private static void requirePart(Memory memory, long bytes) {
    requirePart(memory, 0, bytes);
  }

  private static void requirePart(Memory memory, long at, long bytes) {
    if (at < 0 || bytes < 0 || bytes > memory.byteSize() - at) {
      throw new IllegalArgumentException(
          "a memory of %d bytes has no part of %d from %d on"
              .formatted(memory.byteSize(), bytes, at));
    }
  }

  @Override
  public Memory memory(MemoryKind kind, long bytes) {
    return switch (kind) {
      case ORDINARY -> Memory.ofBytes(bytes);
      case PINNED -> shared(kind, Pages.STAY, bytes);
      case UNIFIED -> shared(kind, Pages.MOVE, bytes);
      case DEVICE_ONLY -> onDevice(bytes);
    };
  }

  private Memory shared(MemoryKind kind, Pages pages, long bytes) {
    SharedMemory shared = buffers.shared();
    String problem = shared.problem(pages);
    if (!problem.isEmpty()) {
      throw new MemoryKindException(kind, device, problem);
    }
    SharedMemory.Block block = shared.make(pages, Memory.blockBytes(bytes));
    Memory memory = Memory.ofBlock(block.segment(), bytes, block.free());
    buffers.share(memory, block.address(), pages);
    return memory;
  }

  /** Takes the room at once: where there is none, who makes the memory is told, not who uses it. */
  private Memory onDevice(long bytes) {
    Memory memory = Memory.onDevice(bytes);
    boolean made = false;
    try {
      clear(memory);
      made = true;
      return memory;
    } catch (LaunchException e) {
      throw e.getCause() instanceof MemoryExhaustedException full ? full : e;
    } finally {
      if (!made) {
        memory.close();
      }
    }
  }

  @Override
  public boolean copiesInPlace(Memory memory) {
    return buffers.copiesInPlace(memory);
  }

  @Override
  public boolean usesInPlace(Memory memory) {
    return buffers.isPinned(memory);
  }

  @Override
  public void clear(Memory... memories) {
    for (Memory m : memories) {
      // A device holds whole longs.
      long length = Math.ceilDiv(m.byteSize(), Long.BYTES);
      ClearLongs kernel = new ClearLongs(ThreadLongs.of(m), length);
      LaunchShape shape = shapeFor(Math.max(1, length));
      Job job = new Job(List.of(link(kernel, shape, LaunchMode.STRIDED)), List.of());
      LaunchTimes _ =
          await(
              kernel.name(),
              submit(kernel.name(), List.of(m), stream -> claimAndRun(stream, m, job)));
    }
  }

  private LaunchTimes claimAndRun(DeviceStream stream, Memory m, Job job) {
    try {
      buffers.claim(m);
    } catch (MemoryExhaustedException e) {
      throw failed(job.links().getFirst().kernel(), String.valueOf(e.getMessage()), e);
    }
    return run(stream, job);
  }

  @Override
  public void hostWrote(Memory... memories) {
    for (Memory m : memories) {
      DeviceBuffers.requireOnHost(m);
      buffers.hostWrote(m, m.byteSize());
    }
  }

  @Override
  public void hostWrote(Memory memory, long bytes) {
    requirePart(memory, bytes);
    DeviceBuffers.requireOnHost(memory);
    buffers.hostWrote(memory, bytes);
  }

  @Override
  public void prefetch(Memory... memories) {
    for (Memory m : memories) {
      prefetch(m, m.byteSize());
    }
  }

  @Override
  public void prefetch(Memory memory, long bytes) {
    hostWrote(memory, bytes);
    submitInward(List.of(memory), stream -> send(stream, memory));
  }

  @Override
  public void prefetch(Memory memory, Memory from, long at, long bytes) {
    requirePart(memory, bytes);
    requirePart(from, at, bytes);
    long writes = buffers.writes(memory);
    submitInward(
        List.of(memory, from),
        stream ->
            copyTo(
                memory,
                List.of(memory, from),
                writes,
                stream,
                () -> buffers.toDevice(memory, from, at, bytes, writes, stream)));
  }

  /** Copies something to a memory on the device; where that fails, who uses it next is told. */
  private Memory copyTo(
      Memory memory, List<Memory> touched, long writes, DeviceStream stream, Runnable copy) {
    try {
      return onDevice(
          COPY,
          stream,
          List.of(),
          touched,
          List.of(),
          () ->
              queue.watched(
                  COPY,
                  () -> {
                    copy.run();
                    stream.sync();
                    return memory;
                  }));
    } catch (LaunchException e) {
      buffers.lose(memory, writes, e.getCause() == null ? e : e.getCause());
      throw e;
    }
  }

  private Memory send(DeviceStream stream, Memory memory) throws Exception {
    boolean sent = false;
    try {
      Memory all =
          queue.watched(
              COPY,
              () -> {
                long _ = buffers.toDevice(memory, stream);
                stream.sync();
                return memory;
              });
      sent = true;
      return all;
    } finally {
      if (!sent) {
        settle(COPY, stream, List.of(memory));
        buffers.notSent(memory);
      }
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
  public void requireOpen() {
    queue.requireOpen();
  }

  @Override
  public void close() {
    queue.close();
    freeParameters();
    if (keepsParameters && !queue.isStuck()) {
      // It came to its end before it could see that they are to be freed.
      freeParameters();
    }
    buffers.close();
  }

  /** Frees the parameters, or has that done when a device that is stuck comes to its end. */
  private void freeParameters() {
    boolean kept = false;
    for (Memory block : streams.stream().flatMap(s -> s.blocks().stream()).toList()) {
      try {
        block.close();
      } catch (MemoryInUseException e) {
        // Those who waited for what it works on were told.
        kept = true;
      }
    }
    keepsParameters = kept;
  }
}
