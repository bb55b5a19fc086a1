package dev.gyre.bench.measure;

import dev.gyre.atomics.DeviceLongs;
import dev.gyre.atomics.Memory;
import dev.gyre.datasets.ZipfText;
import dev.gyre.kernels.Kernel;
import dev.gyre.kernels.Launch;
import dev.gyre.kernels.LaunchMode;
import dev.gyre.kernels.LaunchShape;
import dev.gyre.kernels.Launcher;
import dev.gyre.kernels.Launchers;
import dev.gyre.kernels.MemoryKind;
import dev.gyre.kernels.MemoryKindException;
import dev.gyre.kernels.Stage;
import dev.gyre.kernels.Target;
import dev.gyre.structures.map.BulkOptions;
import dev.gyre.structures.map.IntIntMap;
import dev.gyre.structures.map.Ints;
import dev.gyre.structures.map.Layout;
import dev.gyre.structures.trie.WordTrie;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/**
 * Times what a caller waits for on a warm device: a launch, a copy, launches that may overlap, and
 * bulk calls of a map from arrays and memories of the host to others: {@code MeasureCalls
 * target=ptx bits=10,20,24 runs=11 turns=300000}. With {@code what=stages} it times two structures
 * on that device instead, each of which alone has a stage, and both at once: see {@link
 * #stages(int)}.
 */
public final class MeasureCalls {

  private static final LaunchShape ONE = LaunchShape.ofThreads(1);

  /** Odd, so that its products with different ints differ. */
  private static final int SCATTER = 0x9E3779B1;

  /** One thread that takes its time, so that two of them fit on any device. */
  record Turns(DeviceLongs word, long turns) implements Kernel {
    @Override
    public void run(int thread, LaunchShape shape) {
      for (long i = 0; i < turns; i++) {
        word.fetchAddRelaxed(0, 1);
      }
    }
  }

  private final Launcher launcher;
  private final CallTimer timer;

  private MeasureCalls(Launcher launcher, CallTimer timer) {
    this.launcher = launcher;
    this.timer = timer;
  }

  /**
   * Prints a line for each: what, median and least milliseconds, and GB/s of what it moves; of two
   * stages, medians of one, of the other and of both, and both by their sum: 1 where nothing
   * overlaps, and half where all does of two that take as long.
   */
  public static void main(String[] args) {
    Arguments arguments = new Arguments(args);
    Target target = Target.ofLabel(arguments.text("target", "opencl"));
    try (Launcher launcher = Launchers.open(target)) {
      MeasureCalls measure =
          new MeasureCalls(launcher, new CallTimer(arguments.number("runs", 11)));
      System.out.println("@device " + launcher.device().name());
      boolean stages = arguments.text("what", "calls").equals("stages");
      if (!stages) {
        measure.launches();
        measure.overlap(arguments.number("turns", 300_000));
      }
      for (int bits : arguments.numbers("bits", "10,20,24")) {
        if (stages) {
          measure.stages(1 << bits);
        } else {
          measure.maps(1 << bits);
          measure.memories(1 << bits);
        }
      }
    }
  }

  private void launches() {
    try (Memory memory = Memory.ofLongs(64)) {
      Kernel kernel = new Turns(DeviceLongs.of(memory), 1);
      timer.time("launch", 0, () -> launcher.run(kernel, ONE));
      timer.time("launch and read back", 0, () -> launcher.runAndReadBack(kernel, ONE, memory));
      timer.time(
          "host wrote, launch, read back",
          0,
          () -> {
            launcher.hostWrote(memory);
            launcher.runAndReadBack(kernel, ONE, memory);
          });
    }
  }

  private void overlap(int turns) {
    try (Memory one = Memory.ofLongs(64);
        Memory other = Memory.ofLongs(64)) {
      Kernel first = new Turns(DeviceLongs.of(one), turns);
      Kernel second = new Turns(DeviceLongs.of(other), turns);
      timer.time("a long launch", 0, () -> launcher.run(first, ONE));
      timer.time("two on one memory", 0, () -> two(first, first));
      timer.time("two on different memories", 0, () -> two(first, second));
    }
  }

  private void two(Kernel first, Kernel second) {
    Launch one = launcher.start(first, ONE, LaunchMode.STRIDED);
    Launch other = launcher.start(second, ONE, LaunchMode.STRIDED);
    one.join();
    other.join();
  }

  /** Different keys, whose order says nothing of their places. */
  private static int[] keys(int n) {
    return IntStream.range(0, n).map(i -> i * SCATTER).toArray();
  }

  private IntIntMap map(int n) {
    return IntIntMap.builder().layout(Layout.PACKED).launcher(launcher).capacity(n).seed(1).build();
  }

  private void maps(int n) {
    int[] keys = keys(n);
    int[] found = new int[n];
    try (IntIntMap map = map(n)) {
      insertAndFind(map, "", Ints.of(keys), Ints.of(keys), Ints.of(found));
      if (!Arrays.equals(keys, found)) {
        throw new IllegalStateException("other values than were inserted");
      }
    }
  }

  private void insertAndFind(IntIntMap map, String kind, Ints keys, Ints values, Ints found) {
    long n = keys.length();
    long bytes = 2L * Integer.BYTES * n;
    long[] result = new long[1];
    timer.time(
        "insert %d%s".formatted(n, kind),
        bytes,
        new CallTimer.Call() {
          @Override
          public void before() {
            map.clear();
          }

          @Override
          public void run() {
            result[0] = map.insert(keys, values, BulkOptions.NONE).inserted();
          }
        });
    require(n, result[0]);
    timer.time(
        "find %d%s".formatted(n, kind),
        bytes,
        () -> result[0] = map.find(keys, found, BulkOptions.NONE).found());
    require(n, result[0]);
  }

  private static void require(long expected, long counted) {
    if (counted != expected) {
      throw new IllegalStateException("%d keys, not %d".formatted(counted, expected));
    }
  }

  /** The same from and to memories. */
  private void memories(int n, Memory keys, Memory values, String kind) {
    MemorySegment.copy(keys(n), 0, keys.segment(), ValueLayout.JAVA_INT, 0, n);
    try (IntIntMap map = map(n)) {
      Ints all = Ints.of(keys, n);
      insertAndFind(map, ", %s memory".formatted(kind), all, all, Ints.of(values, n));
    }
    if (keys.segment().mismatch(values.segment()) >= 0) {
      throw new IllegalStateException("other values than were inserted");
    }
  }

  private void memories(int n) {
    long bytes = (long) n * Integer.BYTES;
    try (Memory keys = Memory.ofBytes(bytes);
        Memory values = Memory.ofBytes(bytes)) {
      memories(n, keys, values, "ordinary");
    }
    try (Memory keys = launcher.memory(MemoryKind.PINNED, bytes);
        Memory values = launcher.memory(MemoryKind.PINNED, bytes)) {
      memories(n, keys, values, "pinned");
    } catch (MemoryKindException e) {
      System.out.println(e.getMessage());
    }
  }

  /**
   * Two maps of so many keys, or a map and a trie, on one device: from memories of the host, and
   * keys and values that are on the device, so that nothing is copied.
   */
  private void stages(int n) {
    stages(n, MemoryKind.ORDINARY, false);
    stages(n, MemoryKind.ORDINARY, true);
    try {
      stages(n, MemoryKind.PINNED, false);
    } catch (MemoryKindException e) {
      System.out.println(e.getMessage());
    }
  }

  private static Ints ints(Memory memory, int n, boolean onDevice) {
    return onDevice ? Ints.onDevice(memory, n) : Ints.of(memory, n);
  }

  private void stages(int n, MemoryKind kind, boolean onDevice) {
    long bytes = (long) n * Integer.BYTES;
    // Nothing in common: what works on the same memory is done one after another.
    try (Memory keys = launcher.memory(kind, bytes);
        Memory keysToo = launcher.memory(kind, bytes);
        Memory values = launcher.memory(kind, bytes);
        Memory valuesToo = launcher.memory(kind, bytes);
        Memory text = launcher.memory(kind, 2 * bytes);
        IntIntMap one = map(n);
        IntIntMap other = map(n);
        WordTrie trie = WordTrie.builder().launcher(launcher).build()) {
      MemorySegment.copy(keys(n), 0, keys.segment(), ValueLayout.JAVA_INT, 0, n);
      keysToo.segment().copyFrom(keys.segment());
      MemorySegment sample = MemorySegment.ofArray(ZipfText.sample());
      for (long at = 0; at < text.byteSize(); at += sample.byteSize()) {
        long some = Math.min(sample.byteSize(), text.byteSize() - at);
        MemorySegment.copy(sample, 0, text.segment(), at, some);
      }
      launcher.hostWrote(keys, keysToo);
      Ints all = ints(keys, n, onDevice);
      Ints allToo = ints(keysToo, n, onDevice);
      Ints found = ints(values, n, onDevice);
      Ints foundToo = ints(valuesToo, n, onDevice);
      require(n, one.insert(all, all, BulkOptions.NONE).inserted());
      require(n, other.insert(allToo, allToo, BulkOptions.NONE).inserted());
      Supplier<Stage<?>> assigns =
          () -> one.async(m -> m.insertOrAssign(all, all, BulkOptions.NONE));
      Supplier<Stage<?>> assignsToo =
          () -> other.async(m -> m.insertOrAssign(allToo, allToo, BulkOptions.NONE));
      Supplier<Stage<?>> finds = () -> one.async(m -> m.find(all, found, BulkOptions.NONE));
      Supplier<Stage<?>> findsToo =
          () -> other.async(m -> m.find(allToo, foundToo, BulkOptions.NONE));
      Supplier<Stage<?>> counts = () -> trie.async(t -> t.add(text, text.byteSize()));
      String from = "%d, %s".formatted(n, onDevice ? "on the device" : kind + " memory");
      timer.both("assign and assign " + from, assigns, assignsToo);
      timer.both("find and find " + from, finds, findsToo);
      timer.both("assign and find " + from, assigns, findsToo);
      if (onDevice) {
        launcher.readBack(values, valuesToo);
      } else {
        timer.both("assign and count words " + from, assigns, counts);
      }
      if (keys.segment().mismatch(values.segment()) >= 0
          || keys.segment().mismatch(valuesToo.segment()) >= 0) {
        throw new IllegalStateException("other values than were inserted");
      }
    }
  }
}
