package dev.gyre.structures.launch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gyre.atomics.Bytes;
import dev.gyre.atomics.DeviceLongs;
import dev.gyre.atomics.Memory;
import dev.gyre.kernels.Kernel;
import dev.gyre.kernels.LaunchShape;
import dev.gyre.kernels.StaleRefException;
import dev.gyre.kernels.trie.Alphabet;
import dev.gyre.kernels.trie.NodeSize;
import dev.gyre.kernels.trie.TrieRef;
import dev.gyre.structures.ConformanceSuite;
import dev.gyre.structures.TargetUnderTest;
import dev.gyre.structures.trie.WordTrie;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Kernels of users look up words of a trie, on every target. */
@ParameterizedClass
@EnumSource
@ConformanceSuite
class LaunchedTriesTest {

  @Parameter private NodeSize size = NodeSize.LARGE;

  /** A kernel runs on one device. */
  @BeforeEach
  void isNoGroup() {
    TargetUnderTest.assumeAlone();
  }

  private static final String TEXT =
      "It was the best of times, it was the WORST of times. Time and again, a timeserver's"
          + " timetable; a été élève, ÉLÈVE au lycée; \u0915\u093f\u0924\u093e\u092c, 語語 Ωmega"
          + " ωMEGA x\u0301y";

  /** Asks for the count and the longest prefix of each range of a text. */
  private record Ask(TrieRef trie, Bytes text, DeviceLongs ranges, DeviceLongs answers, int items)
      implements Kernel {
    @Override
    public void run(int thread, LaunchShape shape) {
      for (int i = thread; i < items; i += shape.threads()) {
        long from = ranges.get(2L * i);
        long to = ranges.get(2L * i + 1);
        TrieRef.Prefix prefix = trie.longestPrefix(text, from, to);
        answers.set(3L * i, trie.count(text, from, to));
        answers.set(3L * i + 1, prefix.length());
        answers.set(3L * i + 2, prefix.count());
      }
    }
  }

  /** All ranges of a few bytes, and some long ones. */
  private static long[] ranges(int length) {
    List<Long> ends = new ArrayList<>();
    for (long from = 0; from < length; from++) {
      for (long to = from; to <= Math.min(length, from + 12); to++) {
        ends.addAll(List.of(from, to));
      }
      ends.addAll(List.of(from, (long) length));
    }
    return ends.stream().mapToLong(end -> end).toArray();
  }

  private static String string(byte[] text, long from, long to) {
    return new String(Arrays.copyOfRange(text, (int) from, (int) to), StandardCharsets.ISO_8859_1);
  }

  @ParameterizedTest
  @EnumSource(Alphabet.class)
  void aKernelIsAnsweredAsTheHostIs(Alphabet alphabet) {
    byte[] text = TEXT.getBytes(StandardCharsets.UTF_8);
    long[] ranges = ranges(text.length);
    int items = ranges.length / 2;
    try (Inputs in = new Inputs();
        WordTrie trie =
            WordTrie.builder().nodeSize(size).alphabet(alphabet).launcher(in.launcher()).build();
        Memory bytes = Memory.ofBytes(text.length)) {
      trie.add(TEXT);
      bytes.segment().copyFrom(MemorySegment.ofArray(text));
      DeviceLongs asked = in.longs(ranges);
      DeviceLongs answers = in.longs(new long[3 * items]);
      for (int round = 0; round < 2; round++) {
        trie.launch(ref -> new Ask(ref, Bytes.of(bytes), asked, answers, items), in.shape(items));
        in.launcher().readBack(answers.memory());
        for (int i = 0; i < items; i++) {
          byte[] part = Arrays.copyOfRange(text, (int) ranges[2 * i], (int) ranges[2 * i + 1]);
          String what = string(text, ranges[2 * i], ranges[2 * i + 1]);
          assertThat(answers.get(3L * i)).as(what).isEqualTo(trie.count(part));
          if (new String(part, StandardCharsets.UTF_8).indexOf('\ufffd') < 0) {
            var longest = trie.longestPrefix(new String(part, StandardCharsets.UTF_8));
            assertThat(answers.get(3L * i + 2))
                .as(what)
                .isEqualTo(longest.map(w -> w.count()).orElse(0L));
          }
        }
        // Seen by the next launch, wherever the nodes are made.
        trie.add("timetable election of electors at " + TEXT.repeat(round * 500));
      }
    }
  }

  @Test
  void aRefOfAnotherLaunchIsRefused() {
    try (Inputs in = new Inputs();
        WordTrie trie = WordTrie.builder().nodeSize(size).launcher(in.launcher()).build();
        Memory bytes = Memory.ofBytes(8)) {
      trie.add("times");
      DeviceLongs asked = in.longs(0, 5);
      DeviceLongs answers = in.longs(0, 0, 0);
      TrieRef[] kept = new TrieRef[1];
      trie.launch(
          ref -> {
            kept[0] = ref;
            return new Ask(ref, Bytes.of(bytes), asked, answers, 1);
          },
          in.shape(1));
      Kernel stale = new Ask(kept[0], Bytes.of(bytes), asked, answers, 1);
      assertThatThrownBy(() -> in.launcher().run(stale, in.shape(1)))
          .isInstanceOf(StaleRefException.class)
          .hasMessageContaining("component trie");
      assertThatThrownBy(() -> trie.launch(_ -> stale, in.shape(1)))
          .isInstanceOf(StaleRefException.class);
      trie.add("again").trim();
    }
  }

  /** A trie that was built elsewhere is asked by a copy, and two are given to one kernel. */
  @Test
  void aCopyIsAskedWhereItIs() {
    byte[] text = "times".getBytes(StandardCharsets.UTF_8);
    try (Inputs in = new Inputs();
        WordTrie first = WordTrie.builder().nodeSize(size).workers(1).build().add("times times");
        WordTrie trie = first.copyTo(in.launcher());
        WordTrie other = WordTrie.builder().nodeSize(size).launcher(in.launcher()).build();
        Memory bytes = Memory.ofBytes(text.length)) {
      other.add("times");
      bytes.segment().copyFrom(MemorySegment.ofArray(text));
      DeviceLongs asked = in.longs(0, 5);
      DeviceLongs answers = in.longs(0, 0, 0);
      Launches.with(other, trie)
          .launch((_, ref) -> new Ask(ref, Bytes.of(bytes), asked, answers, 1), in.shape(1));
      in.launcher().readBack(answers.memory());
      assertThat(answers.get(0)).isEqualTo(2);
      trie.add("times");
      assertThat(trie.count("times")).isEqualTo(3);
      assertThat(first.count("times")).isEqualTo(2);
    }
  }
}
