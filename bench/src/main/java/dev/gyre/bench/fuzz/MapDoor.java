package dev.gyre.bench.fuzz;

import dev.gyre.kernels.Launcher;
import dev.gyre.structures.map.Apply;
import dev.gyre.structures.map.FindCounts;
import dev.gyre.structures.map.InsertCounts;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/**
 * A map, whatever its keys are, with values as longs.
 *
 * @param <K> its keys
 */
interface MapDoor<K> extends AutoCloseable {

  /** In place of the value of a key that is met twice. */
  long TWICE = 0x7171_7171_7171_7171L;

  InsertCounts insert(List<K> keys, long[] values);

  InsertCounts insertOrAssign(List<K> keys, long[] values);

  InsertCounts insertAndFind(List<K> keys, long[] values, long[] found);

  InsertCounts insertIf(List<K> keys, long[] values, boolean[] mask);

  InsertCounts insertOrApply(List<K> keys, long[] values, Apply change);

  /** Of those whose value is larger. */
  InsertCounts insertLarger(List<K> keys, long[] values, long than);

  FindCounts find(List<K> keys, long[] found);

  FindCounts contains(List<K> keys);

  /** Of those whose value is larger. */
  FindCounts findLarger(List<K> keys, long[] found, long than);

  OptionalLong get(K key);

  long getOrDefault(K key, long otherwise);

  boolean containsKey(K key);

  OptionalLong put(K key, long value);

  OptionalLong putIfAbsent(K key, long value);

  OptionalLong replace(K key, long value);

  boolean replace(K key, long expected, long value);

  long merge(K key, long value, Apply change);

  /** By {@code retrieveAll}. */
  Map<K, Long> retrieved();

  /** By {@code retrieveIf}, those whose value is larger. */
  Map<K, Long> retrievedLarger(long than);

  /** By {@code forEach}. */
  Map<K, Long> walked();

  /** By {@code asMap}. */
  Map<K, Long> view();

  long size();

  void clear();

  void rehash(long capacity);

  void save(Path file);

  void runOn(Launcher launcher);

  @Override
  void close();

  /**
   * How maps of a kind are made.
   *
   * @param <K> their keys
   */
  interface Kind<K> {

    String name();

    K key(long number);

    /** A value as this kind of map has it. */
    long value(long number);

    MapDoor<K> create(long seed, FuzzSetting setting);

    MapDoor<K> load(Path file);
  }
}
