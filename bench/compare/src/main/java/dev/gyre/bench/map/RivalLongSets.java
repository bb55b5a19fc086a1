package dev.gyre.bench.map;

import com.carrotsearch.hppc.LongHashSet;
import dev.gyre.bench.map.MapRival.Setup;
import dev.gyre.structures.map.LongSet;
import it.unimi.dsi.fastutil.longs.LongOpenHashSet;

/** Sets of longs. */
final class RivalLongSets {

  private RivalLongSets() {}

  record OfGyre(LongSet set) implements RivalSet<long[]> {
    OfGyre(Setup setup) {
      this(
          LongSet.builder()
              .capacity(setup.capacity())
              .loadFactor(setup.loadFactor())
              .workers(setup.threads())
              .seed(1)
              .build());
    }

    @Override
    public long add(long[] keys) {
      return set.addAll(keys).inserted();
    }

    @Override
    public long bytesOutside() {
      return set.byteSize();
    }

    @Override
    public void close() {
      set.close();
    }
  }

  record OfFastutil(LongOpenHashSet set) implements RivalSet<long[]> {
    OfFastutil(Setup setup) {
      this(new LongOpenHashSet(setup.capacity(), (float) setup.loadFactor()));
    }

    @Override
    public long add(long[] keys) {
      long before = set.size();
      for (int i = 0; i < keys.length; i++) {
        boolean _ = set.add(keys[i]);
      }
      return set.size() - before;
    }
  }

  record OfHppc(LongHashSet set) implements RivalSet<long[]> {
    OfHppc(Setup setup) {
      this(new LongHashSet(setup.capacity(), setup.loadFactor()));
    }

    @Override
    public long add(long[] keys) {
      long before = set.size();
      for (int i = 0; i < keys.length; i++) {
        boolean _ = set.add(keys[i]);
      }
      return set.size() - before;
    }
  }
}
