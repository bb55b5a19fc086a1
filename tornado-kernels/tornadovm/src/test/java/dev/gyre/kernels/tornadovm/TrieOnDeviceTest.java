package dev.gyre.kernels.tornadovm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import dev.gyre.atomics.Bytes;
import dev.gyre.atomics.DeviceInts;
import dev.gyre.atomics.DeviceLongs;
import dev.gyre.atomics.Memory;
import dev.gyre.atomics.ThreadInts;
import dev.gyre.atomics.ThreadLongs;
import dev.gyre.atomics.tornadovm.MiscompiledKernelException;
import dev.gyre.kernels.JvmLauncher;
import dev.gyre.kernels.Kernel;
import dev.gyre.kernels.LaunchException;
import dev.gyre.kernels.LaunchShape;
import dev.gyre.kernels.Launcher;
import dev.gyre.kernels.trie.Alphabet;
import dev.gyre.kernels.trie.BuildTrie;
import dev.gyre.kernels.trie.BuildUnicodeTrie;
import dev.gyre.kernels.trie.TrieFunctions;
import dev.gyre.kernels.trie.TrieLayout;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The word trie, built on the device, holds the same words and counts as one built on the JVM. */
@ExtendWith(DeviceUnderTest.class)
class TrieOnDeviceTest {

  private static final int SHIFT = Alphabet.ASCII_LETTERS.nodeShift();
  private static final int PENDING_MASK = 15;
  private static final long NODES = 1 << 18;

  @Test
  void holdsTheWordsAndCountsOfTheJvm() {
    compare(Alphabet.ASCII_LETTERS, text(200_000));
  }

  @Test
  void holdsTheUnicodeWordsAndCountsOfTheJvm() {
    compare(Alphabet.UNICODE_LETTERS, unicodeText(60_000));
  }

  private static void compare(Alphabet alphabet, byte[] text) {
    try (TornadoLauncher device = DeviceUnderTest.open();
        JvmLauncher jvm = JvmLauncher.create()) {
      Map<String, Long> expected = count(alphabet, jvm, LaunchShape.ofThreads(4), text);
      assertThat(expected).hasSizeGreaterThan(1000);
      assertThat(count(alphabet, device, device.shapeFor(4096), text)).isEqualTo(expected);
    }
  }

  /** Words of up to sixteen letters of several scripts, and bytes that are no text. */
  private static byte[] unicodeText(int letters) {
    SplittableRandom random = new SplittableRandom(8);
    int[] some = "abcdeABCDEéÉßжЖσςΣשहि語한𐐀𐐨\u0301".codePoints().toArray();
    ByteArrayOutputStream text = new ByteArrayOutputStream();
    for (int i = 0; i < letters; i++) {
      int letter = some[random.nextInt(random.nextInt(3) == 0 ? some.length : 10)];
      text.writeBytes(
          switch (random.nextInt(100)) {
            case 0 -> new byte[] {(byte) random.nextInt(256)};
            case 1, 2 -> "’“—。".substring(random.nextInt(4)).getBytes(StandardCharsets.UTF_8);
            case 3, 4, 5, 6, 7, 8, 9, 10, 11, 12 -> new byte[] {' '};
            default -> Character.toString(letter).getBytes(StandardCharsets.UTF_8);
          });
    }
    return text.toByteArray();
  }

  private static byte[] text(int length) {
    SplittableRandom random = new SplittableRandom(7);
    byte[] text = new byte[length];
    for (int i = 0; i < length; i++) {
      int kind = random.nextInt(7);
      text[i] =
          (byte) (kind == 0 ? ' ' : kind == 1 ? 'A' + random.nextInt(6) : 'a' + random.nextInt(6));
    }
    return text;
  }

  private static Map<String, Long> count(
      Alphabet alphabet, Launcher launcher, LaunchShape shape, byte[] text) {
    int strips = shape.threads();
    try (Memory bytes = Memory.ofBytes(text.length);
        Memory letters = alphabet.table();
        Memory nodes = Memory.ofBytes(NODES * TrieLayout.nodeBytes(SHIFT));
        Memory bump = Memory.ofLongs(1);
        Memory pending = Memory.ofLongs(TrieLayout.pendingLongs(strips, PENDING_MASK));
        Memory progress = Memory.ofLongs((long) strips * TrieLayout.PROGRESS_LONGS);
        Memory ended = Memory.ofLongs(TrieLayout.ENDED_LONGS)) {
      bytes.segment().asByteBuffer().put(text);
      DeviceLongs.of(bump).set(0, 1);
      ThreadLongs strip = ThreadLongs.of(progress);
      Kernel build =
          alphabet == Alphabet.ASCII_LETTERS
              ? new BuildTrie(
                  Bytes.of(bytes),
                  text.length,
                  ThreadLongs.of(bytes),
                  text.length,
                  Bytes.of(letters),
                  SHIFT,
                  DeviceInts.of(nodes),
                  DeviceLongs.of(nodes),
                  NODES,
                  DeviceLongs.of(bump),
                  ThreadLongs.of(pending),
                  PENDING_MASK,
                  strip,
                  DeviceLongs.of(ended),
                  1L << 30)
              : new BuildUnicodeTrie(
                  Bytes.of(bytes),
                  text.length,
                  ThreadLongs.of(bytes),
                  text.length,
                  ThreadInts.of(letters),
                  DeviceInts.of(nodes),
                  DeviceLongs.of(nodes),
                  NODES,
                  DeviceLongs.of(bump),
                  ThreadLongs.of(pending),
                  PENDING_MASK,
                  strip,
                  DeviceLongs.of(ended),
                  1L << 30);
      try {
        launcher.run(build, shape);
      } catch (LaunchException e) {
        // Refused, so never wrong; but then there is nothing to compare.
        assumeFalse(e.getCause() instanceof MiscompiledKernelException, e.getMessage());
        throw e;
      }
      launcher.readBack(nodes, progress, ended);
      assertThat(LongStream.range(0, TrieLayout.ENDED_LONGS).map(DeviceLongs.of(ended)::get).sum())
          .isEqualTo(strips);
      for (int i = 0; i < strips; i++) {
        assertThat(strip.get(TrieLayout.outcome(i))).isEqualTo(TrieFunctions.DONE);
      }
      Map<String, Long> words = new TreeMap<>();
      walk(DeviceInts.of(nodes), DeviceLongs.of(nodes), TrieLayout.ROOT, new byte[0], words);
      return words;
    }
  }

  private static void walk(
      DeviceInts edges, DeviceLongs counts, int node, byte[] steps, Map<String, Long> words) {
    long count = counts.get(TrieLayout.count(node, SHIFT));
    if (count != 0 && node != TrieLayout.ROOT) {
      byte[] word = Alphabet.UNICODE_LETTERS.bytesOf(steps);
      words.put(new String(word, StandardCharsets.UTF_8), count);
    }
    for (int step = 0; step < Alphabet.UNICODE_LETTERS.radix(); step++) {
      int child = edges.get(TrieLayout.edge(node, SHIFT, step));
      if (child > 0) {
        byte[] longer = Arrays.copyOf(steps, steps.length + 1);
        longer[steps.length] = (byte) step;
        walk(edges, counts, child, longer, words);
      }
    }
  }
}
