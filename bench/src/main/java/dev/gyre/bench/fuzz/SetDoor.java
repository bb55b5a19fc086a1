package dev.gyre.bench.fuzz;

import dev.gyre.structures.map.FindCounts;
import dev.gyre.structures.map.InsertCounts;
import dev.gyre.structures.map.IntSet;
import dev.gyre.structures.map.LongSet;
import dev.gyre.structures.map.TextKeys;
import dev.gyre.structures.map.TextSet;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/**
 * A set, whatever its keys are.
 *
 * @param <K> its keys
 */
interface SetDoor<K> extends AutoCloseable {

  K key(long number);

  boolean add(K key);

  boolean contains(K key);

  InsertCounts addAll(List<K> keys);

  FindCounts containsAll(List<K> keys);

  /** By {@code retrieveAll}. */
  Set<K> retrieved();

  /** By {@code forEach}. */
  Set<K> walked();

  long size();

  void clear();

  void rehash(long capacity);

  void save(Path file);

  SetDoor<K> load(Path file);

  @Override
  void close();

  /** A set of longs. */
  record Longs(LongSet set) implements SetDoor<Long> {

    @Override
    public Long key(long number) {
      return number;
    }

    @Override
    public boolean add(Long key) {
      return set.add(key);
    }

    @Override
    public boolean contains(Long key) {
      return set.contains(key);
    }

    @Override
    public InsertCounts addAll(List<Long> keys) {
      return set.addAll(keys.stream().mapToLong(Long::longValue).toArray());
    }

    @Override
    public FindCounts containsAll(List<Long> keys) {
      return set.containsAll(keys.stream().mapToLong(Long::longValue).toArray());
    }

    @Override
    public Set<Long> retrieved() {
      long[] keys = new long[(int) set.size()];
      long count = set.retrieveAll(keys);
      return LongStream.of(keys).limit(count).boxed().collect(Collectors.toSet());
    }

    @Override
    public Set<Long> walked() {
      Set<Long> keys = ConcurrentHashMap.newKeySet();
      set.forEach(keys::add);
      return keys;
    }

    @Override
    public long size() {
      return set.size();
    }

    @Override
    public void clear() {
      set.clear();
    }

    @Override
    public void rehash(long capacity) {
      set.rehash(capacity);
    }

    @Override
    public void save(Path file) {
      set.save(file);
    }

    @Override
    public Longs load(Path file) {
      return new Longs(LongSet.load(file));
    }

    @Override
    public void close() {
      set.close();
    }
  }

  /** A set of ints. */
  record Ints(IntSet set) implements SetDoor<Integer> {

    @Override
    public Integer key(long number) {
      return (int) number;
    }

    @Override
    public boolean add(Integer key) {
      return set.add(key);
    }

    @Override
    public boolean contains(Integer key) {
      return set.contains(key);
    }

    @Override
    public InsertCounts addAll(List<Integer> keys) {
      return set.addAll(keys.stream().mapToInt(Integer::intValue).toArray());
    }

    @Override
    public FindCounts containsAll(List<Integer> keys) {
      return set.containsAll(keys.stream().mapToInt(Integer::intValue).toArray());
    }

    @Override
    public Set<Integer> retrieved() {
      int[] keys = new int[(int) set.size()];
      long count = set.retrieveAll(keys);
      return IntStream.of(keys).limit(count).boxed().collect(Collectors.toSet());
    }

    @Override
    public Set<Integer> walked() {
      Set<Integer> keys = ConcurrentHashMap.newKeySet();
      set.forEach(keys::add);
      return keys;
    }

    @Override
    public long size() {
      return set.size();
    }

    @Override
    public void clear() {
      set.clear();
    }

    @Override
    public void rehash(long capacity) {
      set.rehash(capacity);
    }

    @Override
    public void save(Path file) {
      set.save(file);
    }

    @Override
    public Ints load(Path file) {
      return new Ints(IntSet.load(file));
    }

    @Override
    public void close() {
      set.close();
    }
  }

  /** A set of texts. */
  record Texts(TextSet set) implements SetDoor<String> {

    @Override
    public String key(long number) {
      return FuzzTexts.text(number);
    }

    @Override
    public boolean add(String key) {
      return set.add(key);
    }

    @Override
    public boolean contains(String key) {
      return set.contains(key);
    }

    @Override
    public InsertCounts addAll(List<String> keys) {
      return set.addAll(keys);
    }

    @Override
    public FindCounts containsAll(List<String> keys) {
      return set.containsAll(keys);
    }

    @Override
    public Set<String> retrieved() {
      try (TextKeys keys = new TextKeys()) {
        long count = set.retrieveAll(keys);
        return IntStream.range(0, (int) count).mapToObj(keys::text).collect(Collectors.toSet());
      }
    }

    @Override
    public Set<String> walked() {
      Set<String> keys = ConcurrentHashMap.newKeySet();
      set.forEach(keys::add);
      return keys;
    }

    @Override
    public long size() {
      return set.size();
    }

    @Override
    public void clear() {
      set.clear();
    }

    @Override
    public void rehash(long capacity) {
      set.rehash(capacity);
    }

    @Override
    public void save(Path file) {
      set.save(file);
    }

    @Override
    public Texts load(Path file) {
      return new Texts(TextSet.load(file));
    }

    @Override
    public void close() {
      set.close();
    }
  }
}
