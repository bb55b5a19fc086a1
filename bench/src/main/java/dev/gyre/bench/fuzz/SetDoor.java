package dev.gyre.bench.fuzz;

import dev.gyre.atomics.DeviceInts;
import dev.gyre.atomics.DeviceLongs;
import dev.gyre.kernels.JvmLauncher;
import dev.gyre.kernels.Kernel;
import dev.gyre.kernels.LaunchShape;
import dev.gyre.kernels.map.OpenItems;
import dev.gyre.kernels.map.TextColumn;
import dev.gyre.structures.launch.IntSetRef;
import dev.gyre.structures.launch.LongSetRef;
import dev.gyre.structures.launch.TextSetRef;
import dev.gyre.structures.map.BulkOptions;
import dev.gyre.structures.map.FindCounts;
import dev.gyre.structures.map.InsertCounts;
import dev.gyre.structures.map.IntSet;
import dev.gyre.structures.map.LongSet;
import dev.gyre.structures.map.TextKeys;
import dev.gyre.structures.map.TextSet;
import java.nio.charset.StandardCharsets;
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

  /** Adds keys by a kernel that has a ref. */
  void launch(FuzzSources sources, List<K> keys);

  /** Adds keys. */
  record AddLongs(LongSetRef set, OpenItems open, DeviceLongs keys, int items) implements Kernel {
    @Override
    public void run(int thread, LaunchShape shape) {
      for (int i = thread; i < items; i += shape.threads()) {
        if (open.isOpen(i)) {
          open.note(i, set.add(keys.get(i)));
        }
      }
    }
  }

  /** Adds keys. */
  record AddInts(IntSetRef set, OpenItems open, DeviceInts keys, int items) implements Kernel {
    @Override
    public void run(int thread, LaunchShape shape) {
      for (int i = thread; i < items; i += shape.threads()) {
        if (open.isOpen(i)) {
          open.note(i, set.add(keys.get(i)));
        }
      }
    }
  }

  /** Adds keys. */
  record AddTexts(TextSetRef set, OpenItems open, TextColumn keys, int items) implements Kernel {
    @Override
    public void run(int thread, LaunchShape shape) {
      for (int i = thread; i < items; i += shape.threads()) {
        if (open.isOpen(i)) {
          open.note(i, set.add(keys, i));
        }
      }
    }
  }

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
    public InsertCounts addAll(List<Long> keys, BulkOptions options) {
      long[] all = keys.stream().mapToLong(Long::longValue).toArray();
      return options == BulkOptions.NONE
          ? set.addAll(all)
          : set.addAll(dev.gyre.structures.map.Longs.of(all), options);
    }

    @Override
    public FindCounts containsAll(List<Long> keys, BulkOptions options) {
      long[] all = keys.stream().mapToLong(Long::longValue).toArray();
      return options == BulkOptions.NONE
          ? set.containsAll(all)
          : set.containsAll(dev.gyre.structures.map.Longs.of(all), options);
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
    public Longs load(Path file) {
      return new Longs(LongSet.load(file));
    }

    @Override
    public void launch(FuzzSources sources, List<Long> keys) {
      OpenItems open = sources.open(keys.size());
      DeviceLongs all = sources.kernelLongs(keys.stream().mapToLong(Long::longValue).toArray());
      set.launchUntilDone(
          ref -> new AddLongs(ref, open, all, keys.size()), sources.shape(keys.size()));
    }

    @Override
    public Table table() {
      return new Table(
          set::size,
          set::capacity,
          set::byteSize,
          set::clear,
          set::rehash,
          set::save,
          set::runOn,
          operation -> set.async(Table.doing(operation)),
          set::close);
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
    public InsertCounts addAll(List<Integer> keys, BulkOptions options) {
      int[] all = keys.stream().mapToInt(Integer::intValue).toArray();
      return options == BulkOptions.NONE
          ? set.addAll(all)
          : set.addAll(dev.gyre.structures.map.Ints.of(all), options);
    }

    @Override
    public FindCounts containsAll(List<Integer> keys, BulkOptions options) {
      int[] all = keys.stream().mapToInt(Integer::intValue).toArray();
      return options == BulkOptions.NONE
          ? set.containsAll(all)
          : set.containsAll(dev.gyre.structures.map.Ints.of(all), options);
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
    public Ints load(Path file) {
      return new Ints(IntSet.load(file));
    }

    @Override
    public void launch(FuzzSources sources, List<Integer> keys) {
      OpenItems open = sources.open(keys.size());
      DeviceInts all = sources.kernelInts(keys.stream().mapToInt(Integer::intValue).toArray());
      set.launchUntilDone(
          ref -> new AddInts(ref, open, all, keys.size()), sources.shape(keys.size()));
    }

    @Override
    public Table table() {
      return new Table(
          set::size,
          set::capacity,
          set::byteSize,
          set::clear,
          set::rehash,
          set::save,
          set::runOn,
          operation -> set.async(Table.doing(operation)),
          set::close);
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
      return isEven(key) ? set.add(key) : set.add(key.getBytes(StandardCharsets.UTF_8));
    }

    private static boolean isEven(String key) {
      return (key.length() & 1) == 0;
    }

    @Override
    public boolean contains(String key) {
      return isEven(key) ? set.contains(key.getBytes(StandardCharsets.UTF_8)) : set.contains(key);
    }

    @Override
    public InsertCounts addAll(List<String> keys, BulkOptions options) {
      if (options == BulkOptions.NONE) {
        return set.addAll(keys);
      }
      try (TextKeys all = TextKeys.of(keys)) {
        return set.addAll(all, options);
      }
    }

    @Override
    public FindCounts containsAll(List<String> keys, BulkOptions options) {
      if (options == BulkOptions.NONE) {
        return set.containsAll(keys);
      }
      try (TextKeys all = TextKeys.of(keys)) {
        return set.containsAll(all, options);
      }
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
      set.forEachBytes(
          key ->
              FuzzSubject.same(
                  "forEachBytes", true, keys.contains(new String(key, StandardCharsets.UTF_8))));
      return keys;
    }

    @Override
    public Texts load(Path file) {
      return new Texts(TextSet.load(file));
    }

    @Override
    public void launch(FuzzSources sources, List<String> keys) {
      OpenItems open = sources.open(keys.size());
      try (TextKeys all = TextKeys.of(keys);
          JvmLauncher here = JvmLauncher.ofWorkers(1)) {
        set.launchUntilDone(
            ref -> new AddTexts(ref, open, all.column(sources.launcher(here)), keys.size()),
            sources.shape(keys.size()));
      }
    }

    @Override
    public Table table() {
      return new Table(
          set::size,
          set::capacity,
          set::byteSize,
          set::clear,
          set::rehash,
          set::save,
          set::runOn,
          operation -> set.async(Table.doing(operation)),
          set::close);
    }
  }
}
