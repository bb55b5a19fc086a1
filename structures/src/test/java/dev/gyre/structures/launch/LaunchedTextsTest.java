package dev.gyre.structures.launch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gyre.atomics.DeviceInts;
import dev.gyre.kernels.Kernel;
import dev.gyre.kernels.LaunchShape;
import dev.gyre.kernels.map.MapCodes;
import dev.gyre.kernels.map.OpenItems;
import dev.gyre.kernels.map.TextColumn;
import dev.gyre.structures.ConformanceSuite;
import dev.gyre.structures.TargetUnderTest;
import dev.gyre.structures.map.MapFullException;
import dev.gyre.structures.map.TextKeys;
import dev.gyre.structures.map.TextLongMap;
import dev.gyre.structures.map.TextSet;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Kernels of users work on maps and sets of texts, on every target. */
@ConformanceSuite
class LaunchedTextsTest {

  /** A kernel runs on one device. */
  @BeforeEach
  void isNoGroup() {
    TargetUnderTest.assumeAlone();
  }

  private static final int ITEMS = 5_000;

  /** Counts texts that a set does not have. */
  private record CountOthers(
      TextMapRef counts, TextSetRef ignored, OpenItems open, TextColumn texts, int items)
      implements Kernel {
    @Override
    public void run(int thread, LaunchShape shape) {
      for (int i = thread; i < items; i += shape.threads()) {
        int outcome = MapCodes.SKIPPED;
        if (open.isOpen(i)) {
          if (ignored.contains(texts, i) == MapCodes.ABSENT) {
            outcome = counts.merge(texts, i, 1, MapCodes.ADD);
          }
          open.note(i, outcome);
        }
      }
    }
  }

  private record AddEach(TextSetRef set, TextColumn texts, DeviceInts outcomes, int items)
      implements Kernel {
    @Override
    public void run(int thread, LaunchShape shape) {
      for (int i = thread; i < items; i += shape.threads()) {
        if (Inputs.isOpen(outcomes.get(i))) {
          outcomes.set(i, set.add(texts, i));
        }
      }
    }
  }

  private record Measure(
      TextMapRef lengths, TextColumn texts, OpenItems open, DeviceInts wrong, int items)
      implements Kernel {
    @Override
    public void run(int thread, LaunchShape shape) {
      for (int i = thread; i < items; i += shape.threads()) {
        if (open.isOpen(i)) {
          int length = texts.length(i);
          int first = length > 0 ? texts.byteAt(i, length - 1) : 0;
          open.note(i, lengths.insert(texts, i, 1000L * length + first));
          var found = lengths.find(texts, i);
          long value = found.isFound() ? found.value() : 1000L * length + first;
          if (value != 1000L * length + first) {
            wrong.set(0, 1);
          }
        }
      }
    }
  }

  private static List<String> texts(int distinct) {
    SplittableRandom random = new SplittableRandom(distinct);
    return IntStream.range(0, ITEMS)
        .mapToObj(_ -> random.nextInt(distinct))
        .map(n -> n == 0 ? "" : "ab".repeat(n % 12) + n)
        .toList();
  }

  /** From few keys and bytes of text to many: each text is counted once. */
  @Test
  void textsAreCountedOnceThoughTableAndArenaGrow() {
    List<String> texts = texts(1_000);
    Map<String, Long> expected = new HashMap<>();
    texts.forEach(text -> expected.merge(text, 1L, Long::sum));
    List<String> ignored = List.of("", texts.get(1), texts.get(2), "no such text");
    ignored.forEach(expected::remove);
    try (Inputs in = new Inputs();
        TextKeys keys = TextKeys.of(texts);
        TextSet some = TextSet.builder().launcher(in.launcher()).build();
        TextLongMap counts =
            TextLongMap.builder().launcher(in.launcher()).capacity(4).textBytes(8).build()) {
      ignored.forEach(some::add);
      OpenItems open = in.open(ITEMS);
      Launches.with(counts, some)
          .launchUntilDone(
              (c, s) -> new CountOthers(c, s, open, keys.column(in.launcher()), ITEMS),
              in.shape(ITEMS));
      Map<String, Long> counted = new HashMap<>();
      counts.forEach((text, count) -> assertThat(counted.put(text, count)).isNull());
      assertThat(counted).isEqualTo(expected);
      assertThat(counts.size()).isEqualTo(expected.size());
    }
  }

  @Test
  void aKernelReadsTheBytesOfTexts() {
    List<String> texts = texts(200);
    try (Inputs in = new Inputs();
        TextKeys keys = TextKeys.of(texts);
        TextLongMap lengths = TextLongMap.builder().launcher(in.launcher()).capacity(4).build()) {
      DeviceInts wrong = in.ints(1);
      OpenItems open = in.open(ITEMS);
      lengths.launchUntilDone(
          ref -> new Measure(ref, keys.column(in.launcher()), open, wrong, ITEMS), in.shape(ITEMS));
      assertThat(in.read(wrong)).containsExactly(0);
      for (String text : texts) {
        int last = text.isEmpty() ? 0 : text.charAt(text.length() - 1);
        assertThat(lengths.getOrDefault(text, -1)).isEqualTo(1000L * text.length() + last);
      }
    }
  }

  /** Neither more keys nor more text than there is room for. */
  @Test
  void ofAFixedCapacityNoMoreIsTaken() {
    List<String> texts = IntStream.range(0, 400).mapToObj(i -> "text number " + i).toList();
    try (Inputs in = new Inputs();
        TextKeys keys = TextKeys.of(texts);
        TextSet few =
            TextSet.builder()
                .launcher(in.launcher())
                .fixedCapacity(100)
                .textBytes(1 << 16)
                .build();
        TextSet little =
            TextSet.builder()
                .launcher(in.launcher())
                .fixedCapacity(400)
                .textBytes(1 << 10)
                .build()) {
      for (TextSet set : List.of(few, little)) {
        DeviceInts outcomes = in.ints(texts.size());
        int[] codes =
            in.settled(
                () ->
                    set.launch(
                        ref -> new AddEach(ref, keys.column(in.launcher()), outcomes, texts.size()),
                        in.shape(texts.size())),
                outcomes);
        long inserted = Arrays.stream(codes).filter(c -> c == MapCodes.INSERTED).count();
        assertThat(inserted).isEqualTo(set.size()).isPositive();
        assertThat(Arrays.stream(codes).filter(c -> c == MapCodes.FULL))
            .hasSize((int) (texts.size() - inserted));
        HashSet<String> there = new HashSet<>();
        set.forEach(there::add);
        for (int i = 0; i < codes.length; i++) {
          assertThat(there.contains(texts.get(i))).isEqualTo(codes[i] == MapCodes.INSERTED);
        }
        DeviceInts again = in.ints(texts.size());
        assertThatThrownBy(
                () ->
                    set.launchUntilDone(
                        ref -> new AddEach(ref, keys.column(in.launcher()), again, texts.size()),
                        in.shape(texts.size())))
            .isInstanceOf(MapFullException.class);
      }
      assertThat(few.size()).isEqualTo(100);
      // Two words each.
      assertThat(little.size()).isEqualTo((1 << 10) / 16);
    }
  }
}
