package dev.gyre.bench.measure;

import dev.gyre.atomics.Memory;
import dev.gyre.datasets.Keys;
import dev.gyre.datasets.ZipfText;
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
import java.util.NavigableMap;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.LongStream;

/**
 * Counts what an operation passes through, from the method that is called to the innermost one of
 * Gyre's: {@code PassedFrames op=insert|words|letters target=jvm n=1048576 workers=1 seconds=10}.
 * The operation is done again and again, and threads are asked where they are: the deepest stack
 * within a kernel of the JVM, or within the launcher of a device, is printed, of the thread that
 * calls and of others, and how many frames and files it has. Frames of the JDK do not count, nor
 * classes that it makes of lambdas. Interpreted, with {@code -Xint}, the JVM tells of all frames.
 */
public final class PassedFrames {

  private static final String OURS = "dev.gyre.";

  /** Packages where the work is done. */
  private final List<String> inside;

  /** Stacks of the caller within the work, by how many frames they have. */
  private final NavigableMap<Integer, List<StackTraceElement>> stacks = new TreeMap<>();

  /** The same of stacks around it, while others do it. */
  private final NavigableMap<Integer, List<StackTraceElement>> around = new TreeMap<>();

  /** Stacks of others that do it. */
  private final NavigableMap<Integer, List<StackTraceElement>> others = new TreeMap<>();

  private PassedFrames(Target target) {
    inside =
        target == Target.JVM
            ? List.of("dev.gyre.kernels.map.", "dev.gyre.kernels.trie.")
            : List.of("dev.gyre.kernels.tornadovm.");
  }

  /** Prints the deepest stack. */
  public static void main(String[] args) throws InterruptedException {
    Arguments arguments = new Arguments(args);
    int n = arguments.number("n", 1 << 20);
    Target target = Target.ofLabel(arguments.text("target", "jvm"));
    int workers = arguments.number("workers", Runtime.getRuntime().availableProcessors());
    try (Launcher launcher =
        target == Target.JVM ? JvmLauncher.ofWorkers(workers) : Launchers.open(target)) {
      Runnable operation =
          switch (arguments.text("op", "insert")) {
            case "insert" -> insert(launcher, n);
            case "words" -> words(launcher, n);
            case "letters" -> letters(launcher, n);
            default -> throw new IllegalArgumentException("op must be insert, words or letters");
          };
      PassedFrames passed = new PassedFrames(target);
      passed.watch(operation, (long) (arguments.real("seconds", 10) * 1e9));
      passed.print();
    }
  }

  /** Into a table that has room. */
  private static Runnable insert(Launcher launcher, int n) {
    Keys sequence = Keys.unique(1);
    long[] keys = LongStream.range(0, n).map(sequence::longAt).toArray();
    LongLongMap map = LongLongMap.builder().capacity(n).launcher(launcher).build();
    return () -> {
      map.clear();
      var _ = map.insert(keys, keys);
    };
  }

  /** Words of any bytes, which are there already. */
  private static Runnable words(Launcher launcher, int bytes) {
    Memory text = text(bytes);
    MemorySegment all = text.segment().asSlice(0, bytes);
    TextLongMap map = TextLongMap.builder().launcher(launcher).build();
    return () -> {
      long _ = map.countWords(all, Words.NOT_BLANK);
    };
  }

  private static Runnable letters(Launcher launcher, int bytes) {
    Memory text = text(bytes);
    WordTrie trie = WordTrie.builder().launcher(launcher).build();
    return () -> {
      WordTrie _ = trie.add(text, bytes);
    };
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

  /** Our frames of a stack, the one that is called first; none where a table is cleared. */
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

  /** Whether a frame is of a kernel of the JVM's, or of the launcher of a device. */
  private boolean isInside(StackTraceElement frame) {
    return inside.stream().anyMatch(frame.getClassName()::startsWith);
  }

  private void print() {
    print("caller", stacks.isEmpty() ? around : stacks);
    print("another thread", others);
  }

  private static void print(String who, NavigableMap<Integer, List<StackTraceElement>> of) {
    List<StackTraceElement> deepest = of.isEmpty() ? List.of() : of.lastEntry().getValue();
    for (StackTraceElement frame : deepest) {
      System.out.printf(
          "%s %s.%s%n",
          file(frame), frame.getClassName().replaceFirst(".*\\.", ""), frame.getMethodName());
    }
    long files = deepest.stream().map(PassedFrames::file).distinct().count();
    System.out.printf("%s: frames=%d files=%d%n", who, deepest.size(), files);
  }

  /** Of a class that was written at run time, none is known. */
  private static String file(StackTraceElement frame) {
    return Objects.requireNonNullElse(frame.getFileName(), frame.getClassName());
  }
}
