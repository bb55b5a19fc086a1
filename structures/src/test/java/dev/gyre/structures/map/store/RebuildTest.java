package dev.gyre.structures.map.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gyre.atomics.Memory;
import dev.gyre.kernels.JvmLauncher;
import dev.gyre.structures.Waiting;
import dev.gyre.structures.map.Layout;
import dev.gyre.structures.map.access.LongAccess;
import dev.gyre.structures.map.file.SavedMap;
import dev.gyre.structures.map.table.LongTable;
import dev.gyre.structures.map.table.MapSettings;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;

/** A map is rebuilt in the same size while keys come and go. */
class RebuildTest {

  @ParameterizedTest
  @EnumSource(mode = Mode.EXCLUDE, names = "PACKED")
  void twoTablesTakeTurns(Layout layout) {
    Set<LongTable> tables = Collections.newSetFromMap(new IdentityHashMap<>());
    Set<Memory> memories = Collections.newSetFromMap(new IdentityHashMap<>());
    try (JvmLauncher launcher = JvmLauncher.ofWorkers(1);
        LongStore store =
            new LongStore(
                "map",
                SavedMap.Kind.LONGS,
                new MapSettings(
                    layout,
                    64,
                    false,
                    0.5,
                    1,
                    null,
                    1 << 20,
                    Waiting.AUTO,
                    launcher,
                    false,
                    1,
                    null,
                    "",
                    true))) {
      LongAccess access = new LongAccess(store);
      for (long key = 1; key <= 10_000; key++) {
        assertThat(access.putIfAbsent(key, -key)).isEmpty();
        assertThat(access.remove(key - 10).isPresent()).isEqualTo(key > 10);
        tables.add(store.table());
        memories.addAll(store.table().memories());
      }
      assertThat(store.size()).isEqualTo(10);
      for (long key = 9_980; key <= 10_000; key++) {
        assertThat(access.get(key).orElse(0)).isEqualTo(key > 9_990 ? -key : 0);
      }
      assertThat(tables).hasSizeGreaterThan(100);
      assertThat(memories).hasSize(2 * store.table().memories().size());
    }
  }
}
