package dev.gyre.kernels.tornadovm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import dev.gyre.atomics.DeviceInts;
import dev.gyre.atomics.DeviceLongs;
import dev.gyre.atomics.Memory;
import dev.gyre.atomics.tornadovm.MiscompiledKernelException;
import dev.gyre.kernels.JvmLauncher;
import dev.gyre.kernels.LaunchException;
import dev.gyre.kernels.LaunchShape;
import dev.gyre.kernels.Launcher;
import dev.gyre.kernels.trie.Alphabet;
import dev.gyre.kernels.trie.BlockWords;
import dev.gyre.kernels.trie.BuildTrie;
import dev.gyre.kernels.trie.KernelText;
import dev.gyre.kernels.trie.NodeSize;
import dev.gyre.kernels.trie.TrieEdges;
import dev.gyre.kernels.trie.TrieLayout;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.stream.LongStream;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The word trie, built on the device, holds the same words and counts as one built on the JVM. */
@ExtendWith(DeviceUnderTest.class)
class TrieOnDeviceTest {

  private static final int BLOCK_WORDS = 256;
  private static final long NODES = 1 << 18;

  @ParameterizedTest
  @EnumSource
  void holdsTheWordsAndCountsOfTheJvm(NodeSize size) {
    compare(Alphabet.ASCII_LETTERS, size, text(200_000));
  }

  @ParameterizedTest
  @EnumSource
  void holdsTheUnicodeWordsAndCountsOfTheJvm(NodeSize size) {
    compare(Alphabet.UNICODE_LETTERS, size, unicodeText(60_000));
  }

  private static void compare(Alphabet alphabet, NodeSize size, byte[] text) {
    try (TornadoLauncher device = DeviceUnderTest.open();
        JvmLauncher jvm = JvmLauncher.create()) {
      Map<String, Long> expected =
          count(alphabet, NodeSize.LARGE, jvm, LaunchShape.ofThreads(4), text, NODES);
      assertThat(expected).hasSizeGreaterThan(1000);
      for (LaunchShape shape : new LaunchShape[] {device.shapeFor(4096), new LaunchShape(3, 64)}) {
        assertThat(count(alphabet, size, device, shape, text, NODES))
            .as("%s", shape)
            .isEqualTo(expected);
      }
      // What finds no node is left to further launches.
      long step = expected.size();
      assertThat(count(alphabet, size, device, new LaunchShape(3, 64), text, step))
          .isEqualTo(expected);
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
      Alphabet alphabet,
      NodeSize size,
      Launcher launcher,
      LaunchShape shape,
      byte[] text,
      long step) {
    try (Memory bytes = Memory.ofBytes(text.length);
        Memory letters = alphabet.table();
        Memory nodes = Memory.ofBytes(NODES * size.bytes());
        Memory bump = Memory.ofLongs(1);
        Memory left = Memory.ofInts(KernelText.chunks(text.length));
        Memory ended = Memory.ofLongs(TrieLayout.ENDED_LONGS)) {
      bytes.segment().asByteBuffer().put(text);
      DeviceLongs taken = DeviceLongs.of(bump);
      taken.set(0, 1);
      long refused = 1;
      for (long capacity = step; refused > 0; capacity += step) {
        TrieEdges edges =
            new TrieEdges(
                size.layout(),
                DeviceInts.of(nodes),
                DeviceLongs.of(nodes),
                Math.min(capacity, NODES),
                taken,
                1L << 30);
        BuildTrie build =
            new BuildTrie(
                KernelText.of(bytes, text.length),
                alphabet.letters(letters),
                edges,
                BlockWords.of(BLOCK_WORDS),
                DeviceInts.of(left),
                capacity > step,
                DeviceLongs.of(ended));
        run(launcher, build, shape);
        launcher.readBack(bump, ended);
        assertThat(outcome(ended, TrieLayout.RUN)).isEqualTo(shape.blocks());
        assertThat(outcome(ended, TrieLayout.STUCK)).isZero();
        refused = outcome(ended, TrieLayout.FULL);
        ended.segment().fill((byte) 0);
        taken.set(0, Math.min(taken.get(0), capacity));
        launcher.hostWrote(bump, ended);
      }
      launcher.readBack(nodes);
      Map<String, Long> words = new TreeMap<>();
      walk(size, DeviceInts.of(nodes), DeviceLongs.of(nodes), TrieLayout.ROOT, new byte[0], words);
      return words;
    }
  }

  private static void run(Launcher launcher, BuildTrie build, LaunchShape shape) {
    try {
      launcher.run(build, shape);
    } catch (LaunchException e) {
      // Refused, so never wrong; but then there is nothing to compare.
      assumeFalse(e.getCause() instanceof MiscompiledKernelException, e.getMessage());
      throw e;
    }
  }

  private static long outcome(Memory ended, long outcome) {
    return LongStream.range(0, TrieLayout.ENDED_LONGS)
        .filter(i -> i % TrieLayout.ENDED_OUTCOMES == outcome)
        .map(DeviceLongs.of(ended)::get)
        .sum();
  }

  private static void walk(
      NodeSize size,
      DeviceInts edges,
      DeviceLongs counts,
      int node,
      byte[] path,
      Map<String, Long> words) {
    int shift = size.layout().shift();
    long count = counts.get(TrieLayout.count(node, shift));
    if (count != 0 && node != TrieLayout.ROOT) {
      byte[] word = Alphabet.UNICODE_LETTERS.bytesOf(size.steps(path));
      words.put(new String(word, StandardCharsets.UTF_8), count);
    }
    for (int edge = 0; edge < (1 << shift) - 2; edge++) {
      int child = edges.get(TrieLayout.edge(node, shift, edge));
      if (child > 0) {
        byte[] longer = Arrays.copyOf(path, path.length + 1);
        longer[path.length] = (byte) edge;
        walk(size, edges, counts, child, longer, words);
      }
    }
  }
}
