package dev.gyre.bench.map;

import dev.gyre.structures.map.Apply;
import dev.gyre.structures.map.IntIntMap;
import dev.gyre.structures.map.Layout;

/** Ours, from int to int. */
final class GyreIntMap implements SingleKeys<int[]> {

  private final IntIntMap map;

  GyreIntMap(Layout layout, MapRival.Setup setup) {
    map =
        IntIntMap.builder()
            .layout(layout)
            .capacity(setup.capacity())
            .loadFactor(setup.loadFactor())
            .workers(setup.threads())
            .seed(1)
            .build();
  }

  @Override
  public void empty() {
    map.clear();
  }

  @Override
  public long insert(int[] keys, int[] values) {
    return map.insert(keys, values).inserted();
  }

  @Override
  public long find(int[] keys, int[] found) {
    return map.find(keys, found).found();
  }

  @Override
  public long add(int[] keys, int[] values) {
    return map.insertOrApply(keys, values, Apply.ADD).inserted();
  }

  @Override
  public long insertEach(int[] keys, int[] values, int from, int to) {
    long inserted = 0;
    for (int i = from; i < to; i++) {
      inserted += map.putIfAbsent(keys[i], values[i]).isPresent() ? 0 : 1;
    }
    return inserted;
  }

  @Override
  public long findEach(int[] keys, int[] found, int from, int to) {
    long count = 0;
    for (int i = from; i < to; i++) {
      found[i] = map.getOrDefault(keys[i], 0);
      count += found[i] == 0 ? 0 : 1;
    }
    return count;
  }

  @Override
  public long addEach(int[] keys, int[] values, int from, int to) {
    for (int i = from; i < to; i++) {
      int _ = map.merge(keys[i], values[i], Apply.ADD);
    }
    return 0;
  }

  @Override
  public long bytesOutside() {
    return map.byteSize();
  }

  /** The table is outside the heap and stays: it weighs on nobody's garbage collection. */
  @Override
  public void drop() {}

  @Override
  public void close() {
    map.close();
  }
}
