package dev.gyre.bench.fuzz;

import dev.gyre.atomics.DeviceLongs;
import dev.gyre.kernels.Kernel;
import dev.gyre.kernels.LaunchShape;
import dev.gyre.kernels.map.OpenItems;
import dev.gyre.structures.launch.LongSetRef;
import dev.gyre.structures.map.BulkOptions;
import dev.gyre.structures.map.FindCounts;
import dev.gyre.structures.map.InsertCounts;
import dev.gyre.structures.map.LongSet;
import dev.gyre.structures.map.Longs;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import java.util.stream.LongStream;

/** A set of longs. */
record LongSetDoor(LongSet set) implements SetDoor<Long> {

  /** Adds keys. */
  record Add(LongSetRef set, OpenItems open, /* DeviceInts */ DeviceLongs keys, int items)
      implements Kernel {
    @Override
    public void run(int thread, LaunchShape shape) {
      for (int i = thread; i < items; i += shape.threads()) {
        if (open.isOpen(i)) {
          open.note(i, set.add(keys.get(i)));
        }
      }
    }
  }

  @Override
  public Long key(long number) {
    return /* (int) */ number;
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
    return options == BulkOptions.NONE ? set.addAll(all) : set.addAll(Longs.of(all), options);
  }

  @Override
  public FindCounts containsAll(List<Long> keys, BulkOptions options) {
    long[] all = keys.stream().mapToLong(Long::longValue).toArray();
    return options == BulkOptions.NONE
        ? set.containsAll(all)
        : set.containsAll(Longs.of(all), options);
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
  public LongSetDoor load(Path file) {
    return new LongSetDoor(LongSet.load(file));
  }

  @Override
  public LongSetDoor load(MemorySegment saved) {
    return new LongSetDoor(LongSet.load(saved));
  }

  @Override
  public void launch(FuzzSources sources, List<Long> keys) {
    OpenItems open = sources.open(keys.size());
    /* DeviceInts */ DeviceLongs all =
        sources.kernelLongs(keys.stream().mapToLong(Long::longValue).toArray());
    set.launchUntilDone(ref -> new Add(ref, open, all, keys.size()), sources.shape(keys.size()));
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
        set::save,
        set::runOn,
        operation -> set.async(Table.doing(operation)),
        set::close);
  }
}
