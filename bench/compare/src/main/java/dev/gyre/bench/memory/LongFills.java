package dev.gyre.bench.memory;

import com.carrotsearch.hppc.LongHashSet;
import dev.gyre.atomics.IntSpecialized;
import dev.gyre.bench.map.KeyChoice;
import dev.gyre.bench.map.MapData;
import dev.gyre.bench.map.Rival;
import dev.gyre.bench.map.RivalMap;
import dev.gyre.structures.map.LongSet;
import it.unimi.dsi.fastutil.longs.LongOpenHashSet;
import java.util.Arrays;
import java.util.function.Supplier;
import java.util.stream.LongStream;

/** Maps and sets of longs that are filled. */
@IntSpecialized
final class LongFills {

  private LongFills() {}

  static Supplier<Filled> maps(Rival rival, int n, int capacity) {
    MapData<long[]> data = MapData.ofLongs(KeyChoice.UNIQUE, n, 100);
    return () -> {
      RivalMap<long[]> map = RivalMap.ofLongs(rival, new RivalMap.Setup(capacity, Filled.LOAD, 1));
      Filled.Call insert =
          (from, to) ->
              map.insert(
                  Arrays.copyOfRange(data.keys(), from, to),
                  Arrays.copyOfRange(data.values(), from, to));
      return Filled.of(n, insert, () -> n, map::bytesOutside, map::close);
    };
  }

  static Supplier<Filled> sets(Rival rival, int n, int capacity) {
    long[] keys = MapData.ofLongs(KeyChoice.UNIQUE, n, 0).keys();
    return () ->
        switch (rival) {
          case GYRE_SET -> {
            LongSet set = LongSet.builder().capacity(capacity).workers(1).build();
            Filled.Call call = (from, to) -> set.addAll(Arrays.copyOfRange(keys, from, to));
            yield Filled.of(n, call, set::size, set::byteSize, set::close);
          }
          case FASTUTIL -> {
            LongOpenHashSet set = new LongOpenHashSet(capacity, (float) Filled.LOAD);
            yield Filled.onHeap(() -> LongStream.of(keys).forEach(set::add), set::size);
          }
          case HPPC -> {
            LongHashSet set = new LongHashSet(capacity, Filled.LOAD);
            yield Filled.onHeap(() -> LongStream.of(keys).forEach(set::add), set::size);
          }
          default -> throw new IllegalArgumentException(rival + " is no set of numbers");
        };
  }
}
