package dev.gyre.structures.map;

import dev.gyre.atomics.DeviceInts;
import dev.gyre.kernels.Kernel;
import dev.gyre.kernels.LaunchShape;
import dev.gyre.kernels.map.OpenItems;
import dev.gyre.structures.launch.IntSetRef;
import java.util.Set;
import java.util.function.LongConsumer;

/** A set of ints. */
record IntSetAdapter(IntSet set) implements SetAdapter {

  static final TableType<IntSet, SetAdapter> TYPE =
      new TableType<>("IntSet", n -> (int) n, n -> (int) n, IntSet::builder, IntSetAdapter::new);

  /** Adds keys. */
  record Add(IntSetRef set, OpenItems open, DeviceInts keys, int items) implements Kernel {
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
    return set.add((int) key);
  }

  @Override
  public boolean contains(long key) {
    return set.contains((int) key);
  }

  @Override
  public InsertCounts addAll(long[] keys, BulkOptions options) {
    int[] all = Sources.narrowed(keys);
    return options == BulkOptions.NONE ? set.addAll(all) : set.addAll(Ints.of(all), options);
  }

  @Override
  public FindCounts containsAll(long[] keys, BulkOptions options) {
    int[] all = Sources.narrowed(keys);
    return options == BulkOptions.NONE
        ? set.containsAll(all)
        : set.containsAll(Ints.of(all), options);
  }

  @Override
  public boolean remove(long key) {
    return set.remove((int) key);
  }

  @Override
  public FindCounts removeAll(long[] keys, BulkOptions options) {
    int[] all = Sources.narrowed(keys);
    return options == BulkOptions.NONE ? set.removeAll(all) : set.removeAll(Ints.of(all), options);
  }

  @Override
  public Set<Long> retrieved() {
    int[] keys = new int[(int) set.size()];
    long count = set.retrieveAll(keys);
    long[] all = new long[keys.length];
    Sources.widen(keys, all);
    return SetAdapter.keys(all, count);
  }

  @Override
  public void forEach(LongConsumer action) {
    set.forEach(action::accept);
  }

  @Override
  public void launch(Sources sources, long[] keys) {
    OpenItems open = sources.open(keys.length);
    DeviceInts all = sources.kernelInts(keys);
    set.launchUntilDone(ref -> new Add(ref, open, all, keys.length), sources.shape(keys.length));
  }
}
