package dev.gyre.structures;

import dev.gyre.atomics.DeviceInts;
import dev.gyre.atomics.GyreException;
import dev.gyre.atomics.Memory;
import dev.gyre.atomics.MemoryInUseException;
import dev.gyre.kernels.Kernel;
import dev.gyre.kernels.LaunchShape;
import dev.gyre.kernels.Launcher;
import dev.gyre.kernels.Launchers;
import dev.gyre.kernels.Target;
import dev.gyre.structures.map.LongLongMap;
import dev.gyre.structures.map.TextLongMap;
import dev.gyre.structures.trie.WordTrie;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/**
 * A process in which a device misbehaves, and structures are on it: {@code HOW FOLDER}. It ends
 * with the line {@code all is told}, or with what was wrong.
 */
final class Misbehaving {

  private static final int KEYS = 20_000;

  /** So long that a trie has a device count it. */
  private static final String TEXT = "some words that some device has ".repeat(1 << 13);

  private Misbehaving() {}

  /** Waits for what nobody does. */
  record Hang(DeviceInts words, long polls) implements Kernel {
    @Override
    public void run(int thread, LaunchShape shape) {
      words.storeRelaxed(1, words.waitWhileEqualAcquire(0, 0, polls));
    }
  }

  /** Writes far behind its memory. */
  record Stray(DeviceInts words, long steps, int far) implements Kernel {
    @Override
    public void run(int thread, LaunchShape shape) {
      for (long i = 1; i <= steps; i++) {
        words.storeRelaxed((i + thread) * far, 1);
      }
    }
  }

  /** What is on the device when it misbehaves. */
  private record Structures(LongLongMap numbers, TextLongMap texts, WordTrie words)
      implements AutoCloseable {

    static Structures on(Launcher device) {
      Structures all =
          new Structures(
              LongLongMap.builder().launcher(device).build(),
              TextLongMap.builder().launcher(device).build(),
              WordTrie.builder().launcher(device).build());
      var _ = all.numbers.insert(keys(), keys());
      var _ = all.texts.insert(lines(), keys());
      var _ = all.words.add(TEXT);
      return all;
    }

    /** What a device that was abandoned may still write to is kept. */
    @Override
    public void close() {
      for (AutoCloseable each : List.<AutoCloseable>of(numbers, texts, words)) {
        try {
          each.close();
        } catch (MemoryInUseException e) {
          System.out.println("close: " + e);
        } catch (Exception e) {
          throw new AssertionError(e);
        }
      }
    }
  }

  private static long[] keys() {
    return LongStream.range(0, KEYS).toArray();
  }

  private static List<String> lines() {
    return IntStream.range(0, KEYS).mapToObj(i -> "text " + i).toList();
  }

  public static void main(String[] args) {
    int code = 1;
    try {
      misbehave(args[0], Path.of(args[1]));
      System.out.println("all is told");
      code = 0;
    } catch (Throwable e) {
      e.printStackTrace(System.out);
    }
    // Threads that the driver does not let go are no reason to stay.
    Runtime.getRuntime().halt(code);
  }

  private static void misbehave(String how, Path folder) throws Exception {
    Target target = Target.ofLabel(System.getProperty("gyre.target", "jvm"));
    try (Launcher device = Launchers.open(target);
        Structures all = Structures.on(device)) {
      // Never closed: nobody knows when the device leaves it alone.
      Memory words = Memory.ofInts(1 << 10);
      Path saved = folder.resolve("before");
      all.numbers.save(saved);
      switch (how) {
        case "hang" ->
            told("hang", () -> device.run(new Hang(DeviceInts.of(words), 1L << 40), one()));
        case "stray" ->
            told("stray", () -> device.run(new Stray(DeviceInts.of(words), 64, 1 << 24), one()));
        default -> full(all);
      }
      if (how.equals("full")) {
        require(all.numbers.contains(keys()).found() == KEYS, "keys that were there are");
        require(all.texts.contains(lines()).found() == KEYS, "texts that were there are");
      } else {
        afterwards(all, folder, saved);
      }
    }
    here(folder);
  }

  private static LaunchShape one() {
    return LaunchShape.ofThreads(1);
  }

  /** More keys than the device has memory for: an error, and all is as it was. */
  private static void full(Structures all) {
    long[] many = LongStream.range(KEYS, 1 << 23).toArray();
    long[] before = many.clone();
    told("full", () -> all.numbers.insert(many, many));
    require(Arrays.equals(many, before), "keys of the host are as they were");
  }

  /** Each operation ends with an error, and nothing of the host's is changed. */
  private static void afterwards(Structures all, Path folder, Path saved) throws Exception {
    long[] found = new long[KEYS];
    Arrays.fill(found, -7);
    told("find", () -> all.numbers.find(keys(), found));
    require(Arrays.stream(found).allMatch(v -> v == -7 || v >= 0), "what was not found");
    told("insert", () -> all.numbers.insert(new long[] {-1}, new long[] {-1}));
    told("get", () -> all.numbers.get(3));
    told("texts", () -> all.texts.contains(lines()));
    told("add", () -> all.words.add(TEXT));
    byte[] before = Files.readAllBytes(saved);
    told("save", () -> all.numbers.save(saved));
    require(Arrays.equals(Files.readAllBytes(saved), before), "a file is as it was");
    try (var files = Files.list(folder)) {
      require(files.count() == 1, "no file is left over");
    }
    told("rehash", () -> all.numbers.rehash(1 << 20));
    told("forEach", () -> all.numbers.forEach((_, _) -> {}));
  }

  /** What was saved is loaded, and this process goes on without the device. */
  private static void here(Path folder) {
    try (LongLongMap map = LongLongMap.load(folder.resolve("before"))) {
      require(map.contains(keys()).found() == KEYS, "what was saved before is loaded");
      require(map.insert(new long[] {-1}, new long[] {-1}).inserted() == 1, "the JVM goes on");
    }
  }

  /** Fails unless an operation says in time what is wrong, as an error of ours. */
  private static void told(String what, Runnable operation) {
    long start = System.nanoTime();
    try {
      operation.run();
    } catch (GyreException e) {
      System.out.println(what + ": " + e);
      require(System.nanoTime() - start < 60e9, what + " was told in time");
      return;
    }
    throw new AssertionError(what + " said nothing");
  }

  private static void require(boolean holds, String what) {
    if (!holds) {
      throw new AssertionError("not so: " + what);
    }
  }
}
