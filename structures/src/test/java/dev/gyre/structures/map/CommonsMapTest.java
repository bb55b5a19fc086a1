package dev.gyre.structures.map;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.apache.commons.collections4.collection.AbstractCollectionTest;
import org.apache.commons.collections4.map.AbstractMapTest;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;

/** The suite of Commons Collections for maps, on the views {@code asMap()} of removable maps. */
class CommonsMapTest {

  /** Declares what all views can do; samples are made from numbers. */
  abstract static class Views<K, V> extends AbstractMapTest<Map<K, V>, K, V> {

    private static final int SAMPLES = 15;

    /** The maps behind the views of a test. */
    private final List<AutoCloseable> made = new ArrayList<>();

    final <M extends AutoCloseable> M made(MapBuilder<M> builder) {
      M map = builder.workers(1).capacity(1).removable().build();
      made.add(map);
      return map;
    }

    @AfterEach
    void closeAll() throws Exception {
      for (AutoCloseable map : made) {
        map.close();
      }
    }

    abstract K key(long number);

    abstract V value(long number);

    @Override
    @SuppressWarnings("unchecked")
    public K[] getSampleKeys() {
      return (K[]) LongStream.range(0, SAMPLES).mapToObj(this::key).toArray();
    }

    @Override
    @SuppressWarnings("unchecked")
    public K[] getOtherKeys() {
      return (K[]) LongStream.range(-9, 0).mapToObj(this::key).toArray();
    }

    @Override
    @SuppressWarnings("unchecked")
    public V[] getSampleValues() {
      return (V[]) LongStream.range(0, SAMPLES).mapToObj(this::value).toArray();
    }

    @Override
    @SuppressWarnings("unchecked")
    public V[] getNewSampleValues() {
      return (V[]) LongStream.range(100, 100 + SAMPLES).mapToObj(this::value).toArray();
    }

    @Override
    @SuppressWarnings("unchecked")
    public V[] getOtherValues() {
      return (V[]) LongStream.range(-9, 0).mapToObj(this::value).toArray();
    }

    @Override
    public Object[] getOtherNonNullStringElements() {
      return getOtherValues();
    }

    @Override
    public boolean isAllowNullKey() {
      return false;
    }

    @Override
    public boolean isAllowNullValuePut() {
      return false;
    }

    @Override
    public boolean isAllowNullValueGet() {
      return true;
    }

    @Override
    public boolean isFailFastExpected() {
      return false;
    }

    @Override
    public boolean isTestSerialization() {
      return false;
    }

    @Override
    protected int getIterationBehaviour() {
      return AbstractCollectionTest.UNORDERED;
    }
  }

  @Nested
  class Longs extends Views<Long, Long> {
    @Override
    public Map<Long, Long> makeObject() {
      return made(LongLongMap.builder()).asMap();
    }

    @Override
    Long key(long number) {
      return number;
    }

    @Override
    Long value(long number) {
      return number;
    }
  }

  @Nested
  class Ints extends Views<Integer, Integer> {
    @Override
    public Map<Integer, Integer> makeObject() {
      return made(IntIntMap.builder()).asMap();
    }

    @Override
    Integer key(long number) {
      return (int) number;
    }

    @Override
    Integer value(long number) {
      return (int) number;
    }
  }

  @Nested
  class IntsToLongs extends Views<Integer, Long> {
    @Override
    public Map<Integer, Long> makeObject() {
      return made(IntLongMap.builder()).asMap();
    }

    @Override
    Integer key(long number) {
      return (int) number;
    }

    @Override
    Long value(long number) {
      return number;
    }
  }

  @Nested
  class LongsToInts extends Views<Long, Integer> {
    @Override
    public Map<Long, Integer> makeObject() {
      return made(LongIntMap.builder()).asMap();
    }

    @Override
    Long key(long number) {
      return number;
    }

    @Override
    Integer value(long number) {
      return (int) number;
    }
  }

  @Nested
  class Texts extends Views<String, Long> {
    @Override
    public Map<String, Long> makeObject() {
      return made(TextLongMap.builder()).asMap();
    }

    @Override
    String key(long number) {
      return "the key " + number;
    }

    @Override
    Long value(long number) {
      return number;
    }
  }

  record Key(long first, int second) {}

  record Value(double mean, long count) {}

  @Nested
  class Records extends Views<Key, Value> {
    @Override
    public Map<Key, Value> makeObject() {
      return made(RecordMap.builder(RecordSchema.of(Key.class, Value.class))).asMap();
    }

    @Override
    Key key(long number) {
      return new Key(number, (int) -number);
    }

    @Override
    Value value(long number) {
      return new Value(number, -number);
    }
  }
}
