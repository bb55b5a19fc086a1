package dev.gyre.structures.map;

import dev.gyre.atomics.DeviceLongs;
import dev.gyre.kernels.Kernel;
import dev.gyre.kernels.LaunchShape;
import dev.gyre.kernels.map.OpenItems;
import dev.gyre.structures.launch.LongSetRef;
import java.util.Set;
import java.util.function.LongConsumer;

/** A set of longs. */
record LongSetAdapter(LongSet set) implements SetAdapter {

  static final TableType<LongSet, SetAdapter> TYPE =
      new TableType<>("LongSet", n -> n, n -> n, LongSet::builder, LongSetAdapter::new);

  /** Adds keys. */
  record Add(LongSetRef set, OpenItems open, DeviceLongs keys, int items) implements Kernel {
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
  public boolean add(long key) {
    return set.add(key);
  }

  @Override
  public boolean contains(long key) {
    return set.contains(key);
  }

  @Override
  public InsertCounts addAll(long[] keys, BulkOptions options) {
    return options == BulkOptions.NONE ? set.addAll(keys) : set.addAll(Longs.of(keys), options);
  }

  @Override
  public FindCounts containsAll(long[] keys, BulkOptions options) {
    return options == BulkOptions.NONE
        ? set.containsAll(keys)
        : set.containsAll(Longs.of(keys), options);
  }

  @Override
  public boolean remove(long key) {
    return set.remove(key);
  }

  @Override
  public FindCounts removeAll(long[] keys, BulkOptions options) {
    return options == BulkOptions.NONE
        ? set.removeAll(keys)
        : set.removeAll(Longs.of(keys), options);
  }

  @Override
  public Set<Long> retrieved() {
    long[] keys = new long[(int) set.size()];
    return SetAdapter.keys(keys, set.retrieveAll(keys));
  }

  @Override
  public void forEach(LongConsumer action) {
    set.forEach(action);
  }

  @Override
  public void launch(Sources sources, long[] keys) {
    OpenItems open = sources.open(keys.length);
    DeviceLongs all = sources.kernelLongs(keys);
    set.launchUntilDone(ref -> new Add(ref, open, all, keys.length), sources.shape(keys.length));
  }
}
