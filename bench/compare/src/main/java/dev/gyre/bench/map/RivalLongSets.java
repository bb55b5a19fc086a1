package dev.gyre.bench.map;

import com.carrotsearch.hppc.LongHashSet;
import dev.gyre.bench.map.MapRival.Setup;
import dev.gyre.structures.map.LongSet;
import it.unimi.dsi.fastutil.longs.LongOpenHashSet;

/** Sets of longs. */
final class RivalLongSets {

  private RivalLongSets() {}

  record OfGyre(LongSet set) implements NumberSet<long[]> {
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
    public long count(long[] keys) {
      return set.containsAll(keys).found();
    }

    @Override
    public long addSingly(long[] keys) {
      long added = 0;
      for (int i = 0; i < keys.length; i++) {
        added += set.add(keys[i]) ? 1 : 0;
      }
      return added;
    }

    @Override
    public long countSingly(long[] keys) {
      long found = 0;
      for (int i = 0; i < keys.length; i++) {
        found += set.contains(keys[i]) ? 1 : 0;
      }
      return found;
    }

    @Override
    public void clear() {
      set.clear();
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

  record OfFastutil(LongOpenHashSet set) implements NumberSet<long[]> {
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

    @Override
    public long count(long[] keys) {
      long found = 0;
      for (int i = 0; i < keys.length; i++) {
        found += set.contains(keys[i]) ? 1 : 0;
      }
      return found;
    }

    @Override
    public void clear() {
      set.clear();
    }
  }

  record OfHppc(LongHashSet set) implements NumberSet<long[]> {
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

    @Override
    public long count(long[] keys) {
      long found = 0;
      for (int i = 0; i < keys.length; i++) {
        found += set.contains(keys[i]) ? 1 : 0;
      }
      return found;
    }

    @Override
    public void clear() {
      set.clear();
    }
  }
}
