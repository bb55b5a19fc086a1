package dev.gyre.structures.map;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.testing.ConcurrentMapTestSuiteBuilder;
import com.google.common.collect.testing.FeatureSpecificTestSuiteBuilder;
import com.google.common.collect.testing.Helpers;
import com.google.common.collect.testing.SampleElements;
import com.google.common.collect.testing.SetTestSuiteBuilder;
import com.google.common.collect.testing.TestMapGenerator;
import com.google.common.collect.testing.TestSetGenerator;
import com.google.common.collect.testing.features.CollectionFeature;
import com.google.common.collect.testing.features.CollectionSize;
import com.google.common.collect.testing.features.MapFeature;
import com.google.common.collect.testing.testers.CollectionClearTester;
import com.google.common.collect.testing.testers.MapClearTester;
import com.google.common.collect.testing.testers.MapComputeIfPresentTester;
import java.lang.reflect.Array;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Stream;
import junit.framework.AssertionFailedError;
import junit.framework.TestListener;
import junit.framework.TestResult;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;

/** Guava's suites of maps and sets, on the views {@code asMap()} and {@code asSet()}. */
class GuavaSuitesTest {

  private static final List<Long> LONGS =
      List.of(0L, -1L, Long.MIN_VALUE, Long.MAX_VALUE, 1L << 40);
  private static final List<Integer> INTS =
      List.of(0, -1, Integer.MIN_VALUE, Integer.MAX_VALUE, 77);
  private static final List<String> SHORT = List.of("", "a", "\0", "abcdefgh", "abcdefghi");
  private static final List<String> LONG =
      List.of(
          "x".repeat(16), "x".repeat(17), "\u00e9\ud83d\ude00", "e\u0301".repeat(30), "\ufeff\r\n");

  record Pair(int first, int second) {}

  record Wide(long first, int second, int third) {}

  record Sum(long sum) {}

  record Mean(double mean, long count) {}

  private static final List<Pair> PAIRS = INTS.stream().map(i -> new Pair(i, -i)).toList();
  private static final List<Wide> WIDE = LONGS.stream().map(i -> new Wide(i, 1, 2)).toList();
  private static final List<Sum> SUMS = LONGS.stream().map(Sum::new).toList();
  private static final List<Mean> MEANS =
      List.of(
          new Mean(0, 0),
          new Mean(-0.0, 0),
          new Mean(Double.NaN, 1),
          new Mean(Double.NEGATIVE_INFINITY, -1),
          new Mean(0, 2));

  /** Structures to close after a test of a suite. */
  private final List<AutoCloseable> made = new ArrayList<>();

  private <M extends AutoCloseable> M made(MapBuilder<M> builder, boolean removable) {
    builder.workers(1).capacity(1);
    M map = (removable ? builder.removable() : builder).build();
    made.add(map);
    return map;
  }

  private void closeAll() {
    for (AutoCloseable map : made) {
      try {
        map.close();
      } catch (Exception e) {
        throw new IllegalStateException(e);
      }
    }
    made.clear();
  }

  @SuppressWarnings("unchecked")
  private static <T> T[] array(List<T> samples, int length) {
    return (T[]) Array.newInstance(samples.getFirst().getClass(), length);
  }

  /** Makes views with some entries. */
  private record Maps<K, V>(Supplier<Map<K, V>> view, List<K> keys, List<V> values)
      implements TestMapGenerator<K, V> {

    private Map.Entry<K, V> entry(int index) {
      return Helpers.mapEntry(keys.get(index), values.get(index));
    }

    @Override
    public SampleElements<Map.Entry<K, V>> samples() {
      return new SampleElements<>(entry(0), entry(1), entry(2), entry(3), entry(4));
    }

    @Override
    @SuppressWarnings("unchecked")
    public Map<K, V> create(Object... entries) {
      Map<K, V> map = view.get();
      for (Object entry : entries) {
        map.put(((Map.Entry<K, V>) entry).getKey(), ((Map.Entry<K, V>) entry).getValue());
      }
      return map;
    }

    @Override
    @SuppressWarnings({"unchecked", "rawtypes"})
    public Map.Entry<K, V>[] createArray(int length) {
      return new Map.Entry[length];
    }

    @Override
    public K[] createKeyArray(int length) {
      return array(keys, length);
    }

    @Override
    public V[] createValueArray(int length) {
      return array(values, length);
    }

    @Override
    public Iterable<Map.Entry<K, V>> order(List<Map.Entry<K, V>> inserted) {
      return inserted;
    }
  }

  /** Makes views with some elements. */
  private record Sets<E>(Supplier<Set<E>> view, List<E> elements) implements TestSetGenerator<E> {

    @Override
    public SampleElements<E> samples() {
      return new SampleElements<>(
          elements.get(0), elements.get(1), elements.get(2), elements.get(3), elements.get(4));
    }

    @Override
    @SuppressWarnings("unchecked")
    public Set<E> create(Object... all) {
      Set<E> set = view.get();
      for (Object each : all) {
        set.add((E) each);
      }
      return set;
    }

    @Override
    public E[] createArray(int length) {
      return array(elements, length);
    }

    @Override
    public Iterable<E> order(List<E> inserted) {
      return inserted;
    }
  }

  private <K, V> DynamicTest maps(
      String name, boolean removable, Supplier<Map<K, V>> view, List<K> keys, List<V> values) {
    var suite = ConcurrentMapTestSuiteBuilder.using(new Maps<>(view, keys, values));
    suite.withFeatures(
        CollectionSize.ANY,
        MapFeature.SUPPORTS_PUT,
        MapFeature.ALLOWS_NULL_KEY_QUERIES,
        MapFeature.ALLOWS_NULL_ENTRY_QUERIES);
    if (removable) {
      suite.withFeatures(MapFeature.SUPPORTS_REMOVE, CollectionFeature.SUPPORTS_ITERATOR_REMOVE);
    }
    return test(name, removable, suite);
  }

  private <E> DynamicTest sets(
      String name, boolean removable, Supplier<Set<E>> view, List<E> elements) {
    var suite = SetTestSuiteBuilder.using(new Sets<>(view, elements));
    suite.withFeatures(
        CollectionSize.ANY, CollectionFeature.SUPPORTS_ADD, CollectionFeature.ALLOWS_NULL_QUERIES);
    if (removable) {
      suite.withFeatures(
          CollectionFeature.SUPPORTS_REMOVE, CollectionFeature.SUPPORTS_ITERATOR_REMOVE);
    }
    return test(name, removable, suite);
  }

  private DynamicTest test(
      String name, boolean removable, FeatureSpecificTestSuiteBuilder<?, ?> suite) {
    if (!removable) {
      suite.suppressing(
          // A map that cannot remove single keys has clear(); Guava has no feature for that.
          Helpers.getMethod(MapClearTester.class, "testClear_unsupported"),
          Helpers.getMethod(CollectionClearTester.class, "testClear_unsupported"),
          // The function returns null for a present key, which removes the key; Guava expects that
          // from maps without SUPPORTS_REMOVE, too.
          Helpers.getMethod(
              MapComputeIfPresentTester.class, "testComputeIfPresent_functionReturnsNull"));
    }
    String full = removable ? name + ", removable" : name;
    return DynamicTest.dynamicTest(full, () -> run(suite.named(full).createTestSuite()));
  }

  private void run(junit.framework.Test suite) {
    List<String> failures = new ArrayList<>();
    TestResult result = new TestResult();
    result.addListener(
        new TestListener() {
          @Override
          public void addError(junit.framework.Test test, Throwable e) {
            failures.add(test + ": " + e);
          }

          @Override
          public void addFailure(junit.framework.Test test, AssertionFailedError e) {
            failures.add(test + ": " + e);
          }

          @Override
          public void startTest(junit.framework.Test test) {}

          @Override
          public void endTest(junit.framework.Test test) {
            closeAll();
          }
        });
    suite.run(result);
    assertThat(failures).isEmpty();
    assertThat(result.runCount()).isGreaterThan(100);
  }

  @TestFactory
  Stream<DynamicTest> viewsOfMaps() {
    return Stream.of(false, true).flatMap(this::viewsOfMaps);
  }

  private Stream<DynamicTest> viewsOfMaps(boolean removable) {
    return Stream.of(
        maps(
            "longs by reference",
            removable,
            () -> made(LongLongMap.builder().layout(Layout.REFERENCE), removable).asMap(),
            LONGS,
            LONGS),
        maps(
            "packed ints",
            removable,
            () -> made(IntIntMap.builder().layout(Layout.PACKED), removable).asMap(),
            INTS,
            INTS),
        maps(
            "ints to longs",
            removable,
            () -> made(IntLongMap.builder(), removable).asMap(),
            INTS,
            LONGS),
        maps(
            "short texts",
            removable,
            () -> made(TextLongMap.builder(), removable).asMap(),
            SHORT,
            LONGS),
        maps(
            "packed records",
            removable,
            () ->
                made(RecordMap.builder(RecordSchema.of(Pair.class, Sum.class)), removable).asMap(),
            PAIRS,
            SUMS));
  }

  @Tag("slow")
  @TestFactory
  Stream<DynamicTest> viewsOfMapsOfOtherLayouts() {
    return Stream.of(false, true).flatMap(this::viewsOfMapsOfOtherLayouts);
  }

  private Stream<DynamicTest> viewsOfMapsOfOtherLayouts(boolean removable) {
    return Stream.of(
        maps(
            "longs in lines",
            removable,
            () -> made(LongLongMap.builder().layout(Layout.LINE), removable).asMap(),
            LONGS,
            LONGS),
        maps(
            "ints by reference",
            removable,
            () -> made(IntIntMap.builder().layout(Layout.REFERENCE), removable).asMap(),
            INTS,
            INTS),
        maps(
            "longs to ints",
            removable,
            () -> made(LongIntMap.builder(), removable).asMap(),
            LONGS,
            INTS),
        maps(
            "long texts",
            removable,
            () -> made(TextLongMap.builder(), removable).asMap(),
            LONG,
            LONGS),
        maps(
            "records of one column",
            removable,
            () ->
                made(RecordMap.builder(RecordSchema.of(Wide.class, Sum.class)), removable).asMap(),
            WIDE,
            SUMS),
        maps(
            "records",
            removable,
            () ->
                made(RecordMap.builder(RecordSchema.of(Wide.class, Mean.class)), removable).asMap(),
            WIDE,
            MEANS));
  }

  @TestFactory
  Stream<DynamicTest> viewsOfSets() {
    return Stream.of(false, true).flatMap(this::viewsOfSets);
  }

  private Stream<DynamicTest> viewsOfSets(boolean removable) {
    return Stream.of(
        sets("longs", removable, () -> made(LongSet.builder(), removable).asSet(), LONGS),
        sets("ints", removable, () -> made(IntSet.builder(), removable).asSet(), INTS),
        sets("short texts", removable, () -> made(TextSet.builder(), removable).asSet(), SHORT),
        sets("long texts", removable, () -> made(TextSet.builder(), removable).asSet(), LONG));
  }
}
