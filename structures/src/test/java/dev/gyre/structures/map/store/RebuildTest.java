package dev.gyre.structures.map.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gyre.atomics.Memory;
import dev.gyre.kernels.JvmLauncher;
import dev.gyre.structures.Waiting;
import dev.gyre.structures.map.BulkOptions;
import dev.gyre.structures.map.Layout;
import dev.gyre.structures.map.Longs;
import dev.gyre.structures.map.TextKeys;
import dev.gyre.structures.map.TextLongMap;
import dev.gyre.structures.map.access.LongAccess;
import dev.gyre.structures.map.access.TextAccess;
import dev.gyre.structures.map.file.SavedMap;
import dev.gyre.structures.map.table.FixedTable;
import dev.gyre.structures.map.table.LongTable;
import dev.gyre.structures.map.table.MapSettings;
import dev.gyre.structures.map.table.TextKey;
import dev.gyre.structures.map.table.TextTable;
import java.io.ByteArrayOutputStream;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;

/** A map is rebuilt in the same size while keys come and go. */
class RebuildTest {

  private static MapSettings settings(JvmLauncher launcher, Layout layout) {
    return settings(
        launcher, 64, new MapSettings.Options(layout, false, 0.5, Waiting.AUTO, 1, true));
  }

  private static MapSettings settings(
      JvmLauncher launcher, long capacity, MapSettings.Options options) {
    return new MapSettings(options, capacity, 1, null, 1 << 20, launcher, false, null, "");
  }

  /** Returns whether a replaced table, if it has the size of the next one, can be used again. */
  private static boolean isReady(FixedTable replaced, FixedTable next) {
    return replaced.byteSize() != next.byteSize()
        || replaced.memoriesOfKeys().stream().map(Memory::segment).allMatch(RebuildTest::isZero);
  }

  private static boolean isZero(MemorySegment bytes) {
    return bytes.mismatch(MemorySegment.ofArray(new byte[(int) bytes.byteSize()])) < 0;
  }

  @ParameterizedTest
  @EnumSource(mode = Mode.EXCLUDE, names = "PACKED")
  @SuppressWarnings("ReferenceEquality") // The identity matters, not the content.
  void twoTablesTakeTurns(Layout layout) {
    Set<LongTable> tables = Collections.newSetFromMap(new IdentityHashMap<>());
    Set<Memory> memories = Collections.newSetFromMap(new IdentityHashMap<>());
    try (JvmLauncher launcher = JvmLauncher.ofWorkers(1);
        LongStore store = new LongStore("map", SavedMap.Kind.LONGS, settings(launcher, layout))) {
      LongAccess access = new LongAccess(store);
      for (long key = 1; key <= 10_000; key++) {
        LongTable before = store.table();
        assertThat(access.putIfAbsent(key, -key)).isEmpty();
        assertThat(store.table() == before || isReady(before, store.table())).isTrue();
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

  /** Removed texts stay until the rebuild, which leaves them out. */
  @Test
  @SuppressWarnings("ReferenceEquality") // The identity matters, not the content.
  void tablesOfTextsTakeTurns() {
    Set<Memory> late = Collections.newSetFromMap(new IdentityHashMap<>());
    try (JvmLauncher launcher = JvmLauncher.ofWorkers(1);
        TextStore store = new TextStore("map", settings(launcher, Layout.LINE))) {
      TextAccess access = new TextAccess(store);
      long rebuilds = 0;
      for (long n = 1; n <= 10_000; n++) {
        TextTable before = store.table();
        assertThat(access.putIfAbsent(text(n), -n)).isEmpty();
        if (store.table() != before) {
          rebuilds++;
          assertThat(isReady(before, store.table())).isTrue();
          assertThat(store.table().takenWords())
              .isEqualTo(
                  LongStream.rangeClosed(Math.max(1, n - 10), n).map(RebuildTest::words).sum());
        }
        assertThat(access.remove(text(n - 10)).isPresent()).isEqualTo(n > 10);
        if (n > 5_000) {
          late.addAll(store.table().memories());
        }
      }
      assertThat(store.size()).isEqualTo(10);
      for (long n = 9_980; n <= 10_000; n++) {
        assertThat(access.get("x".repeat((int) (n % 50)) + n).orElse(0))
            .isEqualTo(n > 9_990 ? -n : 0);
      }
      assertThat(rebuilds).isGreaterThan(50);
      assertThat(late).hasSize(2 * store.table().memories().size());
    }
  }

  /** There may be no memory for a rebuild. */
  @Test
  @SuppressWarnings("ReferenceEquality") // The identity matters, not the content.
  void allTextOfAFixedCapacityFitsWithoutARebuild() {
    int keys = 5_000;
    long bytes = LongStream.range(0, keys).map(RebuildTest::words).sum() * Long.BYTES;
    MapSettings.Options fixed =
        new MapSettings.Options(Layout.LINE, true, 0.5, Waiting.AUTO, bytes, true);
    try (JvmLauncher launcher = JvmLauncher.ofWorkers(1);
        TextStore store = new TextStore("map", settings(launcher, keys, fixed))) {
      TextTable first = store.table();
      TextAccess access = new TextAccess(store);
      for (long n = 0; n < keys; n++) {
        assertThat(access.putIfAbsent(text(n), n)).isEmpty();
      }
      assertThat(store.table() == first).isTrue();
    }
  }

  /** Words that a thread has taken in advance contain no earlier text. */
  @Test
  void aFileContainsNoTextFromBeforeAClear() {
    List<String> earlier =
        IntStream.range(0, 10_000).mapToObj(i -> "an earlier text " + i).toList();
    ByteArrayOutputStream saved = new ByteArrayOutputStream();
    try (TextLongMap map = TextLongMap.builder().capacity(1 << 16).removable().build()) {
      assertThat(map.insert(earlier, new long[earlier.size()]).inserted()).isEqualTo(10_000);
      map.clear();
      assertThat(map.put("a text after the clear", 1)).isEmpty();
      map.save(saved);
    }
    assertThat(saved.toString(StandardCharsets.ISO_8859_1)).doesNotContain("earlier");
  }

  /** Words that a thread has taken in advance belong to no key. */
  @Test
  void aMapWithOneTextGrowsAsIfItWereInsertedInBulk() {
    List<String> key = List.of("a key that is long");
    try (TextLongMap one = TextLongMap.builder().capacity(1 << 16).removable().build();
        TextLongMap bulk = TextLongMap.builder().capacity(1 << 16).removable().build();
        TextKeys keys = TextKeys.of(key)) {
      assertThat(one.put(key.getFirst(), 1)).isEmpty();
      assertThat(bulk.insert(keys, Longs.of(1), BulkOptions.NONE).inserted()).isEqualTo(1);
      one.rehash(1 << 17);
      bulk.rehash(1 << 17);
      assertThat(one.byteSize()).isEqualTo(bulk.byteSize());
    }
  }

  private static TextKey text(long n) {
    return TextKey.of("x".repeat((int) Math.floorMod(n, 50L)) + n);
  }

  private static long words(long n) {
    return text(n).arenaWords();
  }
}
