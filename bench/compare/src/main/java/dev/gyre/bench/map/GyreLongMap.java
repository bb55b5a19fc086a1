package dev.gyre.bench.map;

import dev.gyre.structures.map.Apply;
import dev.gyre.structures.map.Layout;
import dev.gyre.structures.map.LongLongMap;

/** Ours, from long to long. */
final class GyreLongMap implements RivalMap<long[]> {

  private final LongLongMap map;

  GyreLongMap(Layout layout, MapRival.Setup setup) {
    map =
        LongLongMap.builder()
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
  public long insert(long[] keys, long[] values) {
    return map.insert(keys, values).inserted();
  }

  @Override
  public long find(long[] keys, long[] found) {
    return map.find(keys, found).found();
  }

  @Override
  public long add(long[] keys, long[] values) {
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
