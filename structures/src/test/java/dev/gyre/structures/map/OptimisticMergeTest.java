package dev.gyre.structures.map;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gyre.kernels.JvmLauncher;
import dev.gyre.kernels.map.MapCodes;
import dev.gyre.kernels.map.NumberCode;
import dev.gyre.structures.Waiting;
import dev.gyre.structures.map.access.LongAccess;
import dev.gyre.structures.map.file.SavedMap;
import dev.gyre.structures.map.store.LongStore;
import dev.gyre.structures.map.table.MapSettings;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The broken variant of {@link SingleKeyTest#noAdditionIsLostWhileTheMapGrows}: what adds does not
 * enter the gate, so that it adds to a table that has been copied, or has been freed.
 */
@Timeout(120)
@Tag("race")
class OptimisticMergeTest {

  private static final int ROUNDS = 500;

  @Test
  void growthBesideAddingLosesAdditions() throws Exception {
    boolean seen = false;
    for (int round = 0; round < ROUNDS && !seen; round++) {
      seen = losesSomething();
    }
    assertThat(seen).as("seen in %d rounds", ROUNDS).isTrue();
  }

  private static boolean losesSomething() throws Exception {
    MapSettings settings =
        new MapSettings(
            new MapSettings.Options(Layout.LINE, false, 0.5, Waiting.AUTO, 1, false),
            8,
            1,
            null,
            1,
            JvmLauncher.ofWorkers(1),
            true,
            null,
            "");
    try (LongStore store = new LongStore("map", SavedMap.Kind.LONGS, settings)) {
      new LongAccess(store).putIfAbsent(1, 0);
      long[] added = new long[1];
      boolean[] failed = new boolean[1];
      Thread adder =
          Thread.ofPlatform()
              .start(
                  () -> {
                    try {
                      while (added[0] < 100_000) {
                        NumberCode entries = store.table().entries();
                        entries.update(entries.find(1), 1, MapCodes.ADD);
                        added[0]++;
                      }
                    } catch (IllegalStateException e) {
                      failed[0] = true;
                    }
                  });
      for (int i = 0; i < 40; i++) {
        store.rehash(8);
      }
      adder.join();
      NumberCode entries = store.table().entries();
      return failed[0] || entries.value(entries.find(1)) != added[0];
    }
  }
}
