package dev.gyre.structures;

import dev.gyre.atomics.Memory;
import dev.gyre.datasets.generators.Keys;
import dev.gyre.datasets.generators.ZipfText;
import dev.gyre.kernels.JvmLauncher;
import dev.gyre.kernels.Launcher;
import dev.gyre.kernels.Launchers;
import dev.gyre.kernels.Target;
import dev.gyre.structures.map.LongLongMap;
import dev.gyre.structures.map.TextLongMap;
import dev.gyre.structures.map.Words;
import dev.gyre.structures.trie.WordTrie;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.LongStream;

/**
 * Counts the frames and files of Gyre that one call passes through, from the method that the caller
 * calls to the innermost one: {@code PassedFrames op=insert|words|letters target=jvm n=1048576
 * workers=1 seconds=10}. It repeats the operation and samples the stacks of all threads. It prints
 * the deepest stack within a kernel of the JVM, or within the launcher of a device, of the calling
 * thread and of another thread. Frames of the JDK and of lambda classes do not count. With {@code
 * -Xint} no frame is inlined, so all are seen.
 */
public final class PassedFrames {

  private static final String OURS = "dev.gyre.";

  /** Packages that do the work. */
  private final List<String> inside;

  /** Stacks of the caller within the work, by how many frames they have. */
  private final NavigableMap<Integer, List<StackTraceElement>> stacks = new TreeMap<>();

  /** Stacks of the caller around the work, while other threads do it. */
  private final NavigableMap<Integer, List<StackTraceElement>> around = new TreeMap<>();

  /** Stacks of other threads within the work. */
  private final NavigableMap<Integer, List<StackTraceElement>> others = new TreeMap<>();

  private PassedFrames(Target target) {
    inside =
        target == Target.JVM
            ? List.of("dev.gyre.kernels.map.", "dev.gyre.kernels.trie.")
            : List.of("dev.gyre.kernels.tornadovm.");
  }

  /** Prints the deepest stack. */
  public static void main(String[] args) throws InterruptedException {
    Map<String, String> given =
        Arrays.stream(args)
            .map(argument -> argument.split("=", 2))
            .collect(Collectors.toMap(parts -> parts[0], parts -> parts[1]));
    int n = Integer.parseInt(given.getOrDefault("n", "1048576"));
    Target target = Target.ofLabel(given.getOrDefault("target", "jvm"));
    int processors = Runtime.getRuntime().availableProcessors();
    int workers = Integer.parseInt(given.getOrDefault("workers", "" + processors));
    double seconds = Double.parseDouble(given.getOrDefault("seconds", "10"));
    try (Launcher launcher =
        target == Target.JVM ? JvmLauncher.ofWorkers(workers) : Launchers.open(target)) {
      PassedFrames passed = new PassedFrames(target);
      long nanos = (long) (seconds * 1e9);
      switch (given.getOrDefault("op", "insert")) {
        case "insert" -> passed.watchInsert(launcher, n, nanos);
        case "words" -> passed.watchWords(launcher, n, nanos);
        case "letters" -> passed.watchLetters(launcher, n, nanos);
        default -> throw new IllegalArgumentException("op must be insert, words or letters");
      }
      passed.print();
    }
  }

  /** Inserts into a table that has the capacity. */
  private void watchInsert(Launcher launcher, int n, long nanos) throws InterruptedException {
    Keys sequence = Keys.unique(1);
    long[] keys = LongStream.range(0, n).map(sequence::longAt).toArray();
    try (LongLongMap map = LongLongMap.builder().capacity(n).launcher(launcher).build()) {
      watch(
          () -> {
            map.clear();
            var _ = map.insert(keys, keys);
          },
          nanos);
    }
  }

  /** Counts words of any bytes; all but the first time, they are present. */
  private void watchWords(Launcher launcher, int bytes, long nanos) throws InterruptedException {
    try (Memory text = text(bytes);
        TextLongMap map = TextLongMap.builder().launcher(launcher).build()) {
      MemorySegment all = text.segment().asSlice(0, bytes);
      watch(
          () -> {
            long _ = map.countWords(all, Words.NOT_BLANK);
          },
          nanos);
    }
  }

  private void watchLetters(Launcher launcher, int bytes, long nanos) throws InterruptedException {
    try (Memory text = text(bytes);
        WordTrie trie = WordTrie.builder().launcher(launcher).build()) {
      watch(
          () -> {
            WordTrie _ = trie.add(text, bytes);
          },
          nanos);
    }
  }

  private static Memory text(int bytes) {
    Memory text = Memory.ofBytes(bytes);
    byte[] sample = ZipfText.sample();
    for (int at = 0; at < bytes; at += sample.length) {
      int length = Math.min(sample.length, bytes - at);
      MemorySegment.copy(MemorySegment.ofArray(sample), 0, text.segment(), at, length);
    }
    return text;
  }

  private void watch(Runnable operation, long nanos) throws InterruptedException {
    long end = System.nanoTime() + nanos;
    Thread caller =
        Thread.ofPlatform()
            .daemon()
            .start(
                () -> {
                  do {
                    operation.run();
                  } while (System.nanoTime() < end);
                });
    while (caller.isAlive()) {
      Thread.getAllStackTraces()
          .forEach(
              (thread, stack) -> {
                List<StackTraceElement> frames = passed(stack);
                if (frames.stream().anyMatch(this::isInside)) {
                  (thread.equals(caller) ? stacks : others).putIfAbsent(frames.size(), frames);
                } else if (thread.equals(caller) && !frames.isEmpty()) {
                  around.putIfAbsent(frames.size(), frames);
                }
              });
      Thread.sleep(1);
    }
  }

  /** Gyre's frames of a stack, the outermost first; none if it clears a table. */
  private static List<StackTraceElement> passed(StackTraceElement[] stack) {
    List<StackTraceElement> frames = new ArrayList<>(Arrays.asList(stack));
    Collections.reverse(frames);
    frames.removeIf(
        frame ->
            !frame.getClassName().startsWith(OURS)
                || frame.getClassName().contains("$$Lambda")
                || frame.getClassName().startsWith(PassedFrames.class.getName()));
    boolean clears = !frames.isEmpty() && frames.getFirst().getMethodName().equals("clear");
    return clears ? List.of() : frames;
  }

  /** Whether a frame is within a kernel on the JVM, or within the launcher of a device. */
  private boolean isInside(StackTraceElement frame) {
    return inside.stream().anyMatch(frame.getClassName()::startsWith);
  }

  private void print() {
    print("caller", stacks.isEmpty() ? around : stacks);
    print("another thread", others);
  }

  private static void print(String thread, NavigableMap<Integer, List<StackTraceElement>> of) {
    List<StackTraceElement> deepest = of.isEmpty() ? List.of() : of.lastEntry().getValue();
    for (StackTraceElement frame : deepest) {
      System.out.printf(
          "%s %s.%s%n",
          file(frame), frame.getClassName().replaceFirst(".*\\.", ""), frame.getMethodName());
    }
    long files = deepest.stream().map(PassedFrames::file).distinct().count();
    System.out.printf("%s: frames=%d files=%d%n", thread, deepest.size(), files);
  }

  /** The file of a frame; a class that was made at run time has none, so it stands for itself. */
  private static String file(StackTraceElement frame) {
    return Objects.requireNonNullElse(frame.getFileName(), frame.getClassName());
  }
}
