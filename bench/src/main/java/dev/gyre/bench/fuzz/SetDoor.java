package dev.gyre.bench.fuzz;

import dev.gyre.structures.map.BulkOptions;
import dev.gyre.structures.map.FindCounts;
import dev.gyre.structures.map.InsertCounts;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;

/**
 * A set, whatever its keys are.
 *
 * @param <K> its keys
 */
interface SetDoor<K> extends TableDoor {

  K key(long number);

  boolean add(K key);

  boolean contains(K key);

  InsertCounts addAll(List<K> keys, BulkOptions options);

  FindCounts containsAll(List<K> keys, BulkOptions options);

  /** By {@code retrieveAll}. */
  Set<K> retrieved();

  /** By {@code forEach}. */
  Set<K> walked();

  SetDoor<K> load(Path file);

  SetDoor<K> load(MemorySegment saved);

  /** Adds keys by a kernel that has a ref. */
  void launch(FuzzSources sources, List<K> keys);
}
