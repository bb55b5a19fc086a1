package dev.gyre.bench.map;

import dev.gyre.structures.map.Apply;
import dev.gyre.structures.map.IntIntMap;
import dev.gyre.structures.map.Layout;

/** Ours, from int to int. */
final class GyreIntMap implements RivalMap<int[]> {

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
