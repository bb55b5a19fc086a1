package dev.gyre.structures.launch;

import dev.gyre.atomics.DeviceInts;
import dev.gyre.atomics.DeviceLongs;
import dev.gyre.kernels.Kernel;
import dev.gyre.kernels.LaunchShape;
import dev.gyre.kernels.map.MapCodes;
import dev.gyre.kernels.map.OpenItems;

/** Kernels as users write them, that work on maps and sets. */
final class LaunchedKernels {

  private LaunchedKernels() {}

  /** What the kernels below do with one key, whatever the map. */
  interface Entries {
    int insert(long key, long value);

    int merge(long key, long value, int policy);

    int contains(long key);

    int found(long key);

    long value(long key);
  }

  record LongEntries(LongMapRef map) implements Entries {
    @Override
    public int insert(long key, long value) {
      return map.insert(key, value);
    }

    @Override
    public int merge(long key, long value, int policy) {
      return map.merge(key, value, policy);
    }

    @Override
    public int contains(long key) {
      return map.contains(key);
    }

    @Override
    public int found(long key) {
      return map.find(key).outcome();
    }

    @Override
    public long value(long key) {
      return map.find(key).value();
    }
  }

  record IntEntries(IntMapRef map) implements Entries {
    @Override
    public int insert(long key, long value) {
      return map.insert((int) key, (int) value);
    }

    @Override
    public int merge(long key, long value, int policy) {
      return map.merge((int) key, (int) value, policy);
    }

    @Override
    public int contains(long key) {
      return map.contains((int) key);
    }

    @Override
    public int found(long key) {
      return map.find((int) key).outcome();
    }

    @Override
    public long value(long key) {
      return map.find((int) key).value();
    }
  }

  record LongKeys(LongSetRef set) implements Entries {
    @Override
    public int insert(long key, long value) {
      return set.add(key);
    }

    @Override
    public int merge(long key, long value, int policy) {
      return set.add(key);
    }

    @Override
    public int contains(long key) {
      return set.contains(key);
    }

    @Override
    public int found(long key) {
      return set.contains(key);
    }

    @Override
    public long value(long key) {
      return key;
    }
  }

  record IntKeys(IntSetRef set) implements Entries {
    @Override
    public int insert(long key, long value) {
      return set.add((int) key);
    }

    @Override
    public int merge(long key, long value, int policy) {
      return set.add((int) key);
    }

    @Override
    public int contains(long key) {
      return set.contains((int) key);
    }

    @Override
    public int found(long key) {
      return set.contains((int) key);
    }

    @Override
    public long value(long key) {
      return key;
    }
  }

  /** Merges values by their keys; what finds no room stays open. */
  record Sum(
      Entries sums, OpenItems open, DeviceLongs keys, DeviceLongs values, int items, int policy)
      implements Kernel {
    @Override
    public void run(int thread, LaunchShape shape) {
      for (int i = thread; i < items; i += shape.threads()) {
        if (open.isOpen(i)) {
          open.note(i, sums.merge(keys.get(i), values.get(i), policy));
        }
      }
    }
  }

  /** Inserts keys, whose values are theirs and 1, and writes down what became of each. */
  record InsertEach(Entries map, DeviceLongs keys, DeviceInts outcomes, int items)
      implements Kernel {
    @Override
    public void run(int thread, LaunchShape shape) {
      for (int i = thread; i < items; i += shape.threads()) {
        if (Inputs.isOpen(outcomes.get(i))) {
          outcomes.set(i, map.insert(keys.get(i), keys.get(i) + 1));
        }
      }
    }
  }

  /** Inserts a key, looks for it, and for others that may come or not. */
  record InsertAndFind(
      Entries map,
      OpenItems open,
      DeviceLongs keys,
      DeviceInts outcomes,
      DeviceInts wrong,
      int items)
      implements Kernel {
    @Override
    public void run(int thread, LaunchShape shape) {
      for (int i = thread; i < items; i += shape.threads()) {
        if (open.isOpen(i)) {
          long key = keys.get(i);
          int outcome = map.insert(key, key + 1);
          int own = map.found(key);
          int other = map.found(keys.get(items - 1 - i));
          int absent = map.contains(-7);
          if (Inputs.isOpen(outcomes.get(i))) {
            outcomes.set(i, outcome);
          }
          long there = own == MapCodes.FOUND ? map.value(key) : key;
          int wrongly = there == key + 1 ? 0 : there == key ? 0 : 1;
          wrong.set(i, wrongly + 16 * absent + 256 * other);
          // Again, where one of them gave up.
          int seen = other == MapCodes.STUCK ? other : absent;
          int done = own == MapCodes.FOUND ? seen : MapCodes.STUCK;
          open.note(i, outcome == MapCodes.STUCK ? outcome : done);
        }
      }
    }
  }

  /** Looks up each key in one map, and merges 1 into another by the value that was found. */
  record CountByValue(
      LongMapRef groups, LongMapRef counts, OpenItems open, DeviceLongs keys, int items)
      implements Kernel {
    @Override
    public void run(int thread, LaunchShape shape) {
      for (int i = thread; i < items; i += shape.threads()) {
        var group = groups.find(keys.get(i));
        if (group.isFound()) {
          if (open.isOpen(i)) {
            open.note(i, counts.merge(group.value(), 1, MapCodes.ADD));
          }
        }
      }
    }
  }
}
