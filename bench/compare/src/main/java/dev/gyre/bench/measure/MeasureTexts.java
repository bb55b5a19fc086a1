package dev.gyre.bench.measure;

import dev.gyre.atomics.DeviceInts;
import dev.gyre.atomics.DeviceLongs;
import dev.gyre.atomics.Memory;
import dev.gyre.atomics.ThreadLongs;
import dev.gyre.datasets.ByteProgress;
import dev.gyre.datasets.TextSource;
import dev.gyre.datasets.ZipfText;
import dev.gyre.kernels.ClearLongs;
import dev.gyre.kernels.LaunchShape;
import dev.gyre.kernels.Launcher;
import dev.gyre.kernels.Launchers;
import dev.gyre.kernels.MemoryKind;
import dev.gyre.kernels.MemoryKindException;
import dev.gyre.kernels.Target;
import dev.gyre.kernels.trie.Alphabet;
import dev.gyre.kernels.trie.BlockWords;
import dev.gyre.kernels.trie.BuildTrie;
import dev.gyre.kernels.trie.KernelText;
import dev.gyre.kernels.trie.NodeSize;
import dev.gyre.kernels.trie.TrieEdges;
import dev.gyre.kernels.trie.TrieLayout;
import dev.gyre.structures.trie.WordTrie;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * Times counts of a long text by a warm trie, by where the text is: {@code MeasureTexts target=ptx
 * text=FILE mib=1024 runs=5}. The text is repeated up to that size, and the copy of so much to the
 * device, and one kernel that reads it in place, are timed beside them.
 */
public final class MeasureTexts {

  private static final long NODES = 1 << 18;
  private static final int BLOCK = 256;
  private static final int THREADS_PER_UNIT = 1 << 11;

  private final Launcher launcher;
  private final CallTimer timer;
  private final WordTrie trie;

  private MeasureTexts(Launcher launcher, CallTimer timer, WordTrie trie) {
    this.launcher = launcher;
    this.timer = timer;
    this.trie = trie;
  }

  /** Prints a line for each: what, median and least milliseconds, and GB/s of the text. */
  public static void main(String[] args) throws IOException {
    Arguments arguments = new Arguments(args);
    Target target = Target.ofLabel(arguments.text("target", "jvm"));
    String file = arguments.text("text", "");
    byte[] piece = file.isEmpty() ? ZipfText.sample() : Files.readAllBytes(Path.of(file));
    long bytes = (long) arguments.number("mib", 64) << 20;
    try (Launcher launcher = Launchers.open(target);
        WordTrie trie = WordTrie.builder().launcher(launcher).initialNodes(NODES).build()) {
      System.out.println("@device " + launcher.device().name());
      CallTimer timer = new CallTimer(arguments.number("runs", 5));
      new MeasureTexts(launcher, timer, trie).all(piece, bytes);
    }
  }

  private void all(byte[] piece, long bytes) throws IOException {
    try (Memory text = launcher.memory(MemoryKind.PINNED, bytes)) {
      fill(text, piece);
      pinned(text);
    } catch (MemoryKindException e) {
      System.out.println(e.getMessage());
    }
    try (Memory text = Memory.ofBytes(bytes)) {
      fill(text, piece);
      count("count from ordinary memory", bytes, () -> trie.add(text, bytes));
      file(text.segment());
    }
    System.out.println("@words " + trie.total() + ", " + trie.size() + " distinct");
  }

  private static void fill(Memory text, byte[] piece) {
    long bytes = text.byteSize();
    for (long at = 0; at < bytes; at += piece.length) {
      long length = Math.min(piece.length, bytes - at);
      MemorySegment.copy(MemorySegment.ofArray(piece), 0, text.segment(), at, length);
    }
  }

  private void pinned(Memory text) {
    long bytes = text.byteSize();
    count("count from pinned memory", bytes, () -> trie.add(text, bytes));
    try (Memory there = launcher.memory(MemoryKind.DEVICE_ONLY, bytes)) {
      timer.time(
          "copy alone",
          bytes,
          () -> {
            launcher.prefetch(there, text, 0, bytes);
            launcher.run(new ClearLongs(ThreadLongs.of(there), 0), LaunchShape.ofThreads(1));
          });
    }
    inPlace(text);
  }

  /** One kernel that reads all of the text where it lies. */
  private void inPlace(Memory text) {
    Alphabet alphabet = Alphabet.ASCII_LETTERS;
    long bytes = text.byteSize();
    try (Memory letters = alphabet.table();
        Memory nodes = Memory.ofBytes(NODES * NodeSize.LARGE.bytes());
        Memory bump = Memory.ofLongs(1);
        Memory left = Memory.ofInts(KernelText.chunks(bytes));
        Memory ended = Memory.ofLongs(TrieLayout.ENDED_LONGS)) {
      TrieEdges edges =
          new TrieEdges(
              NodeSize.LARGE.layout(),
              DeviceInts.of(nodes),
              DeviceLongs.of(nodes),
              NODES,
              DeviceLongs.of(bump),
              1L << 30);
      BuildTrie kernel =
          new BuildTrie(
              KernelText.of(text, bytes),
              alphabet.letters(letters),
              edges,
              BlockWords.of(1 << 11),
              DeviceInts.of(left),
              false,
              DeviceLongs.of(ended));
      LaunchShape shape =
          new LaunchShape(launcher.device().units() * THREADS_PER_UNIT / BLOCK, BLOCK);
      timer.time(
          "count in place by one kernel",
          bytes,
          new CallTimer.Call() {
            @Override
            public void before() {
              DeviceLongs.of(bump).set(0, 1);
              launcher.clear(nodes, left, ended);
              launcher.hostWrote(bump);
            }

            @Override
            public void run() {
              launcher.run(kernel, shape);
            }
          });
      launcher.readBack(bump);
      System.out.println("@nodes " + DeviceLongs.of(bump).get(0));
    }
  }

  private void file(MemorySegment text) throws IOException {
    Path file = Files.createTempFile("gyre-text-", ".txt");
    try {
      try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
        long at = 0;
        while (at < text.byteSize()) {
          long length = Math.min(1 << 24, text.byteSize() - at);
          at += channel.write(text.asSlice(at, length).asByteBuffer());
        }
      }
      count("count from a file", text.byteSize(), () -> trie.add(file));
      try (FileChannel channel = FileChannel.open(file);
          Arena arena = Arena.ofShared()) {
        TextSource mapped =
            TextSource.ofMemory(channel.map(MapMode.READ_ONLY, 0, channel.size(), arena));
        count("count from a mapped file", text.byteSize(), () -> add(mapped));
      }
    } finally {
      Files.delete(file);
    }
  }

  private void add(TextSource text) {
    long _ = trie.add(text, ByteProgress.NONE);
  }

  private void count(String what, long bytes, Runnable counting) {
    timer.time(
        what,
        bytes,
        new CallTimer.Call() {
          @Override
          public void before() {
            WordTrie _ = trie.clear();
          }

          @Override
          public void run() {
            counting.run();
          }
        });
  }
}
