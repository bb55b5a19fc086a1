package dev.gyre.structures.map;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.gyre.kernels.GroupLaunchException;
import dev.gyre.kernels.Launcher;
import dev.gyre.kernels.LauncherGroup;
import dev.gyre.kernels.map.EntryPredicate;
import dev.gyre.structures.FailingPart;
import dev.gyre.structures.Others;
import dev.gyre.structures.Waiting;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Bulk operations on a group whose devices send keys to each other, against a map of the JDK. */
@Timeout(60)
class GroupExchangeTest {

  private static final String FROM = "gyre.exchange.from";
  private static final String PIECE = "gyre.exchange.piece";

  /** Several pieces for each part. */
  private static final int MANY = 600_000;

  private final List<FailingPart> parts = Stream.generate(FailingPart::asDevice).limit(3).toList();
  private final Launcher group = LauncherGroup.of(parts);

  @BeforeEach
  void always() {
    System.setProperty(FROM, "1");
    System.setProperty(PIECE, "65536");
  }

  @AfterEach
  void asBefore() {
    System.clearProperty(FROM);
    System.clearProperty(PIECE);
    group.close();
  }

  record Odd() implements EntryPredicate {
    @Override
    public boolean test(long key, long value) {
      return (value & 1) != 0;
    }
  }

  private LongLongMap map(Waiting waiting) {
    return LongLongMap.builder().launcher(group).waiting(waiting).seed(5).build();
  }

  /** From room for few keys, so that stores grow in the middle of pieces. */
  @ParameterizedTest
  @EnumSource(
      value = Waiting.class,
      names = {"BLOCKING", "DEFERRED"})
  void outcomesAndValuesAreInTheOrderOfTheKeys(Waiting waiting) {
    SplittableRandom random = new SplittableRandom(2);
    int n = waiting == Waiting.BLOCKING ? MANY : MANY / 20;
    long[] keys = random.longs(n, 0, n).toArray();
    long[] values = new long[n];
    byte[] outcomes = new byte[n];
    long[] found = new long[n];
    Arrays.setAll(values, i -> 3 * keys[i] + 1);
    try (LongLongMap map = map(waiting)) {
      InsertCounts counts =
          map.insert(Longs.of(keys), Longs.of(values), BulkOptions.NONE.outcomes(outcomes));
      // Of equal keys one is INSERTED, whichever it is.
      BitSet inserted = new BitSet();
      boolean[] asExpected = new boolean[n];
      for (int i = 0; i < n; i++) {
        boolean isNew = outcomes[i] == Outcome.INSERTED.code();
        asExpected[i] =
            isNew ? !inserted.get((int) keys[i]) : outcomes[i] == Outcome.PRESENT.code();
        inserted.set((int) keys[i], isNew || inserted.get((int) keys[i]));
      }
      boolean[] allTrue = new boolean[n];
      Arrays.fill(allTrue, true);
      assertThat(asExpected).isEqualTo(allTrue);
      assertThat(LongStream.of(keys).allMatch(key -> inserted.get((int) key))).isTrue();
      assertThat(map.size()).isEqualTo(inserted.cardinality()).isEqualTo(counts.inserted());
      assertThat(counts.present()).isEqualTo(n - map.size());
      long[] asked = random.longs(n, 0, 2L * n).toArray();
      FindCounts hits =
          map.find(Longs.of(asked), Longs.of(found), BulkOptions.NONE.outcomes(outcomes));
      long there = 0;
      long[] expected = new long[n];
      byte[] told = new byte[n];
      for (int i = 0; i < n; i++) {
        boolean is = inserted.get((int) asked[i]);
        there += is ? 1 : 0;
        expected[i] = is ? 3 * asked[i] + 1 : 0;
        told[i] = (is ? Outcome.FOUND : Outcome.ABSENT).code();
      }
      assertThat(found).isEqualTo(expected);
      assertThat(outcomes).isEqualTo(told);
      assertThat(hits.found()).isEqualTo(there);
      assertThat(hits.absent()).isEqualTo(n - there);
    }
    assertThat(parts).allMatch(part -> part.launches() > 0);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void whatIsLeftOutIsNotWritten(boolean masked) {
    int n = MANY / 10;
    long[] keys = new long[n];
    boolean[] mask = new boolean[n];
    long[] found = new long[n];
    Arrays.setAll(keys, i -> i);
    for (int i = 0; i < n; i++) {
      mask[i] = i % 3 != 0;
    }
    BulkOptions odd = BulkOptions.NONE.where(new Odd());
    BulkOptions options = masked ? odd.where(mask) : odd;
    try (LongLongMap map = map(Waiting.BLOCKING)) {
      Arrays.fill(found, -1);
      InsertCounts counts =
          map.insertAndFind(Longs.of(keys), Longs.of(keys), Longs.of(found), options);
      long[] expected = new long[n];
      long taken = 0;
      for (int i = 0; i < n; i++) {
        boolean takes = i % 2 != 0 && (!masked || mask[i]);
        taken += takes ? 1 : 0;
        expected[i] = takes ? i : -1;
      }
      assertThat(counts.inserted()).isEqualTo(taken).isEqualTo(map.size());
      assertThat(found).isEqualTo(expected);
      Arrays.fill(found, -1);
      BulkOptions asked = masked ? BulkOptions.NONE.where(mask) : BulkOptions.NONE;
      assertThat(map.find(Longs.of(keys), Longs.of(found), asked).found()).isEqualTo(taken);
      for (int i = 0; i < n; i++) {
        boolean looked = !masked || mask[i];
        expected[i] = looked ? (i % 2 != 0 ? i : 0) : -1;
      }
      assertThat(found).isEqualTo(expected);
    }
  }

  /** A piece is looked up by one device then, which the others' launches show. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void tablesOfOthersAreReadWhereTheyLie(boolean reaches) {
    long[] keys = new SplittableRandom(4).longs(MANY, 0, 2L * MANY).toArray();
    long[] found = new long[MANY];
    try (LongLongMap map = map(Waiting.BLOCKING)) {
      long[] even = LongStream.range(0, MANY).map(i -> 2 * i).toArray();
      map.insert(even, LongStream.of(even).map(key -> -key - 1).toArray());
      parts.stream().filter(_ -> reaches).forEach(FailingPart::reachOthers);
      int before = parts.getFirst().launches();
      FindCounts counts = map.find(keys, found);
      int launches = parts.getFirst().launches() - before;
      long[] expected = LongStream.of(keys).map(key -> key % 2 == 0 ? -key - 1 : 0).toArray();
      assertThat(found).isEqualTo(expected);
      long there = LongStream.of(keys).filter(key -> key % 2 == 0).count();
      assertThat(counts).isEqualTo(new FindCounts(there, MANY - there));
      // Ten pieces, of which the first part has four, with two kernels for each of three tables.
      assertThat(launches).matches(n -> (n == 4 * 3 * 2) == reaches);
      assertThat(parts).noneMatch(FailingPart::isReaching);
    }
  }

  /** Else it would read a table that is about to be replaced. */
  @Test
  void tablesOfOthersAreLeftWhenOnePartFails() {
    long[] keys = LongStream.range(0, MANY).toArray();
    try (LongLongMap map = map(Waiting.BLOCKING)) {
      map.insert(keys, keys);
      parts.forEach(FailingPart::reachOthers);
      parts.get(1).failAfter(1);
      assertThatThrownBy(() -> map.find(keys, new long[MANY]))
          .isInstanceOfSatisfying(
              GroupLaunchException.class, e -> assertThat(e.part()).isEqualTo(1));
      assertThat(parts).noneMatch(FailingPart::isReaching);
      parts.get(1).failAfter(Integer.MAX_VALUE / 2);
      long[] found = new long[MANY];
      assertThat(map.find(keys, found).found()).isEqualTo(MANY);
      assertThat(found).isEqualTo(keys);
      // Growth waits for whoever still reads.
      assertThat(map.insert(LongStream.range(MANY, 4L * MANY).toArray(), new long[3 * MANY]))
          .isEqualTo(new InsertCounts(3L * MANY, 0, 0));
    }
  }

  /** As where the launcher is being closed, and its driver fails. */
  @Test
  void aPartThatFailsToLeaveTablesKeepsNobodyOut() throws Exception {
    long[] keys = LongStream.range(0, MANY).toArray();
    LongLongMap map = map(Waiting.BLOCKING);
    map.insert(keys, keys);
    parts.forEach(FailingPart::reachOthers);
    parts.get(1).failToLeave();
    assertThatThrownBy(() -> map.find(keys, new long[MANY])).hasMessageContaining("for a test");
    assertThat(parts).noneMatch(FailingPart::isReaching);
    // Who closes it waits for those who are inside: not before it is known that nobody is.
    Others.start(() -> map.insert(new long[] {MANY}, new long[] {1})).get(20, TimeUnit.SECONDS);
    assertThat(map.size()).isEqualTo(MANY + 1);
    map.close();
  }

  @Test
  void intsAreAppliedOnceEach() {
    int n = MANY;
    int[] keys = new SplittableRandom(3).ints(n, -5_000, 5_000).toArray();
    int[] ones = new int[n];
    Arrays.fill(ones, 1);
    Map<Integer, Integer> model = new HashMap<>();
    for (int key : keys) {
      model.merge(key, 1, Integer::sum);
    }
    try (IntIntMap map = IntIntMap.builder().layout(Layout.PACKED).launcher(group).build()) {
      map.insertOrApply(keys, ones, Apply.ADD);
      Map<Integer, Integer> entries = new HashMap<>();
      map.forEach(entries::put);
      assertThat(entries).isEqualTo(model);
    }
  }

  /** What other parts inserted is there and said; the rest was not tried. */
  @ParameterizedTest
  @ValueSource(ints = {0, 2, 5})
  void aPartThatFailsIsNamedAndItsKeysAreSkipped(int good) {
    long[] keys = new long[MANY];
    byte[] outcomes = new byte[MANY];
    Arrays.setAll(keys, i -> i);
    try (LongLongMap map =
        LongLongMap.builder().launcher(group).waiting(Waiting.BLOCKING).capacity(MANY).build()) {
      parts.get(1).failAfter(good);
      GroupLaunchException failure =
          catchThrowableOfType(
              GroupLaunchException.class,
              () ->
                  map.insert(Longs.of(keys), Longs.of(keys), BulkOptions.NONE.outcomes(outcomes)));
      assertThat(failure.part()).isEqualTo(1);
      assertThat(failure).hasMessageContaining("part 1 of a group from 0 to 2");
      parts.get(1).failAfter(Integer.MAX_VALUE / 2);
      byte[] expected = new byte[MANY];
      map.forEach((key, _) -> expected[(int) key] = Outcome.INSERTED.code());
      assertThat(outcomes).isEqualTo(expected);
      int there = 0;
      for (byte told : outcomes) {
        there += told == Outcome.INSERTED.code() ? 1 : 0;
      }
      assertThat(failure.soFar(InsertCounts.class)).contains(new InsertCounts(there, 0, 0));
      assertThat(map.insert(keys, keys).inserted()).isEqualTo(MANY - there).isPositive();
      assertThat(map.size()).isEqualTo(MANY);
    }
  }
}
