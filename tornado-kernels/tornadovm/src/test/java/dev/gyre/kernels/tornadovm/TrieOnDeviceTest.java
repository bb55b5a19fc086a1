package dev.gyre.kernels.tornadovm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import dev.gyre.atomics.Bytes;
import dev.gyre.atomics.DeviceInts;
import dev.gyre.atomics.DeviceLongs;
import dev.gyre.atomics.Memory;
import dev.gyre.atomics.ThreadLongs;
import dev.gyre.atomics.tornadovm.MiscompiledKernelException;
import dev.gyre.kernels.JvmLauncher;
import dev.gyre.kernels.LaunchException;
import dev.gyre.kernels.LaunchShape;
import dev.gyre.kernels.Launcher;
import dev.gyre.kernels.trie.Alphabet;
import dev.gyre.kernels.trie.BuildTrie;
import dev.gyre.kernels.trie.TrieFunctions;
import dev.gyre.kernels.trie.TrieLayout;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
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
    byte[] text = text(200_000);
    try (TornadoLauncher device = DeviceUnderTest.open();
        JvmLauncher jvm = JvmLauncher.create()) {
      Map<String, Long> expected = count(jvm, LaunchShape.ofThreads(4), text);
      assertThat(expected).hasSizeGreaterThan(1000);
      assertThat(count(device, device.shapeFor(4096), text)).isEqualTo(expected);
    }
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

  private static Map<String, Long> count(Launcher launcher, LaunchShape shape, byte[] text) {
    int strips = shape.threads();
    try (Memory bytes = Memory.ofBytes(text.length);
        Memory classes = Alphabet.ASCII_LETTERS.classTable();
        Memory nodes = Memory.ofBytes(NODES * TrieLayout.nodeBytes(SHIFT));
        Memory bump = Memory.ofLongs(1);
        Memory pending = Memory.ofLongs(TrieLayout.pendingLongs(strips, PENDING_MASK));
        Memory progress = Memory.ofLongs((long) strips * TrieLayout.PROGRESS_LONGS)) {
      bytes.segment().asByteBuffer().put(text);
      DeviceLongs.of(bump).set(0, 1);
      ThreadLongs strip = ThreadLongs.of(progress);
      for (int i = 0; i < strips; i++) {
        strip.set(TrieLayout.position(i), TrieFunctions.FRESH);
      }
      BuildTrie build =
          new BuildTrie(
              Bytes.of(bytes),
              text.length,
              ThreadLongs.of(bytes),
              text.length,
              Bytes.of(classes),
              SHIFT,
              DeviceInts.of(nodes),
              DeviceLongs.of(nodes),
              NODES,
              DeviceLongs.of(bump),
              ThreadLongs.of(pending),
              PENDING_MASK,
              strip,
              1L << 30);
      try {
        launcher.run(build, shape);
      } catch (LaunchException e) {
        // Refused, so never wrong; but then there is nothing to compare.
        assumeFalse(e.getCause() instanceof MiscompiledKernelException, e.getMessage());
        throw e;
      }
      launcher.readBack(nodes, progress);
      for (int i = 0; i < strips; i++) {
        assertThat(strip.get(TrieLayout.outcome(i))).isEqualTo(TrieFunctions.DONE);
      }
      Map<String, Long> words = new TreeMap<>();
      walk(build, TrieLayout.ROOT, "", words);
      return words;
    }
  }

  private static void walk(BuildTrie trie, int node, String word, Map<String, Long> words) {
    long count = trie.counts().get(TrieLayout.count(node, SHIFT));
    if (count != 0 && node != TrieLayout.ROOT) {
      words.put(word, count);
    }
    for (int letter = 0; letter < Alphabet.ASCII_LETTERS.radix(); letter++) {
      int child = trie.edges().get(TrieLayout.edge(node, SHIFT, letter));
      if (child > 0) {
        walk(trie, child, word + (char) ('a' + letter), words);
      }
    }
  }
}
