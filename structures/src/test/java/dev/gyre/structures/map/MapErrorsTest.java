package dev.gyre.structures.map;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gyre.atomics.ClosedException;
import dev.gyre.atomics.Memory;
import dev.gyre.atomics.MemoryExhaustedException;
import dev.gyre.kernels.KernelException;
import dev.gyre.kernels.map.Fold;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** What a map says to wrong use. */
class MapErrorsTest {

  @Test
  void useAfterClose() {
    IntIntMap map = IntIntMap.create();
    map.close();
    map.close();
    int[] one = {1};
    assertThatThrownBy(() -> map.insert(one, one)).isInstanceOf(ClosedException.class);
    assertThatThrownBy(() -> map.insert(new int[0], new int[0]))
        .isInstanceOf(ClosedException.class);
    assertThatThrownBy(() -> map.find(one, one)).isInstanceOf(ClosedException.class);
    assertThatThrownBy(() -> map.contains(one)).isInstanceOf(ClosedException.class);
    assertThatThrownBy(() -> map.retrieveAll(one, one)).isInstanceOf(ClosedException.class);
    assertThatThrownBy(() -> map.forEach((k, v) -> {})).isInstanceOf(ClosedException.class);
    assertThatThrownBy(map::size).isInstanceOf(ClosedException.class);
    assertThatThrownBy(map::clear).isInstanceOf(ClosedException.class);
    assertThatThrownBy(() -> map.rehash(10)).isInstanceOf(ClosedException.class);
  }

  @Test
  void arraysThatDoNotMatch() {
    try (LongLongMap map = LongLongMap.create()) {
      long[] two = {1, 2};
      long[] three = {1, 2, 3};
      assertThatThrownBy(() -> map.insert(two, three))
          .hasMessage("2 keys need as many values, not 3");
      assertThatThrownBy(() -> map.find(two, three)).isInstanceOf(IllegalArgumentException.class);
      assertThatThrownBy(() -> map.insertAndFind(two, two, three))
          .isInstanceOf(IllegalArgumentException.class);
      assertThatThrownBy(
              () ->
                  map.insert(Longs.of(two), Longs.of(two), BulkOptions.NONE.where(new boolean[1])))
          .hasMessage("2 keys need a mask of the same length, not 1");
      assertThatThrownBy(
              () ->
                  map.insert(Longs.of(two), Longs.of(two), BulkOptions.NONE.outcomes(new byte[3])))
          .hasMessage("2 keys need an outcome array of the same length, not 3");
      assertThat(map.size()).isZero();
      assertThat(map.insert(two, two).inserted()).isEqualTo(2);
      assertThatThrownBy(() -> map.retrieveAll(new long[1], two))
          .hasMessage("2 entries do not fit in 1 keys and 2 values");
    }
  }

  @Test
  @SuppressWarnings("NullAway") // What is tested.
  void nulls() {
    try (IntIntMap map = IntIntMap.create()) {
      int[] one = {1};
      assertThatThrownBy(() -> map.insert(null, one)).isInstanceOf(NullPointerException.class);
      assertThatThrownBy(() -> map.insert(one, null)).isInstanceOf(NullPointerException.class);
      assertThatThrownBy(() -> BulkOptions.NONE.where((boolean[]) null))
          .isInstanceOf(NullPointerException.class);
      assertThatThrownBy(() -> map.insertOrApply(one, one, (Apply) null))
          .isInstanceOf(NullPointerException.class);
      assertThatThrownBy(() -> map.find(one, null)).isInstanceOf(NullPointerException.class);
      assertThatThrownBy(() -> map.forEach(null)).isInstanceOf(NullPointerException.class);
      assertThat(map.size()).isZero();
    }
  }

  private record Named(String name) implements Fold {
    @Override
    public long apply(long present, long given) {
      return name.length();
    }
  }

  @Test
  void foldsThatAreNoPartsOfKernels() {
    long[] one = {1};
    Fold lambda = (present, given) -> present - given;
    for (Fold fold : List.of(lambda, new Named("no number"))) {
      try (LongLongMap map = LongLongMap.create();
          TextLongMap texts = TextLongMap.create()) {
        assertThat(map.insert(one, one).inserted()).isEqualTo(1);
        for (ThrowingCallable operation :
            List.<ThrowingCallable>of(
                () -> map.insertOrApply(one, one, fold),
                () -> map.merge(1, 1, fold),
                () -> texts.insertOrApply(List.of("key"), one, fold),
                () -> texts.merge("key", 1, fold))) {
          assertThatThrownBy(operation)
              .isInstanceOf(KernelException.class)
              .hasMessageContaining(fold.equals(lambda) ? "not a record" : "name");
        }
        assertThat(map.get(1)).hasValue(1);
        assertThat(texts.size()).isZero();
      }
    }
  }

  @Test
  void capacitiesAndLoadFactorsThatCannotBe() {
    assertThatThrownBy(() -> IntIntMap.builder().capacity(0))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> IntIntMap.builder().fixedCapacity(-1))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> IntIntMap.builder().capacity(Long.MAX_VALUE).build())
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> LongLongMap.builder().capacity(Long.MAX_VALUE).build())
        .isInstanceOf(IllegalArgumentException.class);
    for (double factor : new double[] {0, -0.5, 1.01, Double.NaN}) {
      assertThatThrownBy(() -> IntIntMap.builder().loadFactor(factor))
          .isInstanceOf(IllegalArgumentException.class);
    }
    assertThatThrownBy(() -> LongLongMap.builder().layout(Layout.PACKED).build())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("packed slots hold ints only");
    assertThatThrownBy(() -> LongLongMap.builder().loadFactor(Double.MIN_VALUE).build())
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void eachLayoutIsForItsTypesOfKeys() {
    assertThatThrownBy(() -> IntIntMap.builder().layout(Layout.LINE).build())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("Layout.PACKED");
    assertThatThrownBy(() -> LongLongMap.builder().layout(Layout.PACKED).build())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("Layout.LINE");
    for (Layout layout : new Layout[] {Layout.PACKED, Layout.LINE}) {
      for (MapBuilder<?> mixed : List.of(IntLongMap.builder(), LongIntMap.builder())) {
        assertThatThrownBy(() -> mixed.layout(layout).build())
            .isInstanceOf(IllegalArgumentException.class)
            .hasMessageContaining("take Layout.REFERENCE")
            .hasMessageNotContaining("Layout.LINE");
      }
    }
  }

  @Test
  void tooLittleMemoryChangesNothing() {
    for (Layout layout : new Layout[] {Layout.REFERENCE, Layout.LINE}) {
      assertThatThrownBy(() -> LongLongMap.builder().layout(layout).capacity(1L << 45).build())
          .isInstanceOf(MemoryExhaustedException.class);
      try (LongLongMap map = LongLongMap.builder().layout(layout).build()) {
        long[] keys = {1, 2, 3};
        assertThat(map.insert(keys, keys).inserted()).isEqualTo(3);
        assertThatThrownBy(() -> map.rehash(1L << 45)).isInstanceOf(MemoryExhaustedException.class);
        assertThat(map.size()).isEqualTo(3);
        assertThat(map.insert(keys, keys).present()).isEqualTo(3);
        assertThatThrownBy(() -> map.rehash(2)).isInstanceOf(IllegalArgumentException.class);
        assertThat(map.getOrDefault(3, 0)).isEqualTo(3);
        map.clear();
        map.rehash(0);
        assertThatThrownBy(() -> map.rehash(-5))
            .isInstanceOf(IllegalArgumentException.class)
            .hasMessageContaining("-5");
      }
    }
  }

  @Test
  void segmentsThatCannotBeUsed() {
    assertThatThrownBy(() -> Ints.of(MemorySegment.ofArray(new byte[6])))
        .isInstanceOf(IllegalArgumentException.class);
    try (Arena confined = Arena.ofConfined()) {
      assertThatThrownBy(() -> Ints.of(confined.allocate(8)))
          .isInstanceOf(IllegalArgumentException.class);
    }
    try (IntIntMap map = IntIntMap.create();
        Memory memory = Memory.ofInts(2)) {
      assertThatThrownBy(() -> Ints.of(memory, 3)).isInstanceOf(IllegalArgumentException.class);
      Ints readOnly = Ints.of(MemorySegment.ofArray(new int[1]).asReadOnly());
      assertThatThrownBy(() -> map.find(Ints.of(1), readOnly, BulkOptions.NONE))
          .isInstanceOf(IllegalArgumentException.class);
      assertThat(map.insert(readOnly, readOnly, BulkOptions.NONE).inserted()).isEqualTo(1);
    }
  }
}
