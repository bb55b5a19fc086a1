package dev.gyre.structures.map;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gyre.kernels.map.Hashing;
import dev.gyre.kernels.map.TextHashing;
import dev.gyre.kernels.map.TextLayout;
import dev.gyre.structures.CorruptedFiles;
import dev.gyre.structures.SavedFile;
import dev.gyre.structures.SavedFileException;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Files of maps whose keys were chosen for the table's seed, so that all lie in one run of slots:
 * to look for each of them takes steps by the square of their number. A map that is loaded from one
 * is as good as any other.
 */
class CrowdedMapsTest {

  private static final ByteOrder ORDER = ByteOrder.nativeOrder();
  private static final long SEED = 42;
  private static final int KEYS = 3_000;
  private static final int SLOTS = 2 * KEYS;

  /** Homes of the keys. */
  private static final int HOMES = SLOTS / 50;

  @TempDir private Path folder;

  private static long home(SavedMaps kind, Object key, long seed, long slots) {
    return switch (kind) {
      case TEXTS -> {
        long first = word((String) key);
        long hash =
            TextHashing.hash(
                first, 0, 8, seed, TextHashing.multiplier(seed), TextHashing.endMultiplier(seed));
        yield TextLayout.home(hash, slots);
      }
      case LONGS_LINE, LONGS_REFERENCE -> Hashing.home((long) (Long) key, seed, slots);
      case INTS_REFERENCE, INTS_PACKED -> Hashing.home((int) (Integer) key, seed, slots);
    };
  }

  private static long word(String key) {
    return MemorySegment.ofArray(key.getBytes(StandardCharsets.US_ASCII))
        .get(ValueLayout.JAVA_LONG_UNALIGNED, 0);
  }

  /** Keys whose homes are few. */
  private static Object[] chosen(SavedMaps kind) {
    SplittableRandom random = new SplittableRandom(11);
    Map<Object, Long> chosen = new HashMap<>();
    while (chosen.size() < KEYS) {
      Object key =
          switch (kind) {
            case TEXTS -> "%08d".formatted(random.nextInt(100_000_000));
            case LONGS_LINE, LONGS_REFERENCE -> random.nextLong();
            case INTS_REFERENCE, INTS_PACKED -> random.nextInt();
          };
      if (home(kind, key, SEED, SLOTS) < HOMES) {
        chosen.put(key, 0L);
      }
    }
    return chosen.keySet().toArray();
  }

  /** Saves a map of keys, each with its index as its value; they crowd in it. */
  private static void save(SavedMaps kind, Object[] keys, Path file) {
    switch (kind) {
      case TEXTS -> {
        try (TextLongMap map = settings(kind, TextLongMap.builder()).build()) {
          for (int i = 0; i < KEYS; i++) {
            var _ = map.putIfAbsent((String) keys[i], i);
          }
          saveCrowded(map, file);
        }
      }
      case LONGS_LINE, LONGS_REFERENCE -> {
        try (LongLongMap map = settings(kind, LongLongMap.builder()).build()) {
          for (int i = 0; i < KEYS; i++) {
            var _ = map.putIfAbsent((Long) keys[i], i);
          }
          saveCrowded(map, file);
        }
      }
      case INTS_REFERENCE, INTS_PACKED -> {
        try (IntIntMap map = settings(kind, IntIntMap.builder()).build()) {
          for (int i = 0; i < KEYS; i++) {
            var _ = map.putIfAbsent((Integer) keys[i], i);
          }
          saveCrowded(map, file);
        }
      }
    }
  }

  private static <M> MapBuilder<M> settings(SavedMaps kind, MapBuilder<M> builder) {
    return builder.layout(kind.layout()).workers(1).tableSeed(SEED).capacity(KEYS);
  }

  private static void saveCrowded(HashTable<?, ?, ?> map, Path file) {
    assertThat(Probes.ofAbsent(map)).isGreaterThan(KEYS / 8.0);
    map.save(file);
  }

  @ParameterizedTest
  @EnumSource
  void aMapOfChosenKeysIsLoadedAndSpread(SavedMaps kind) {
    Path file = folder.resolve("crowded");
    Object[] keys = chosen(kind);
    save(kind, keys, file);
    try (SavedMaps.Loaded loaded = kind.load(file)) {
      assertThat(loaded.size()).isEqualTo(KEYS);
      for (int i = 0; i < KEYS; i++) {
        assertThat(loaded.get(keys[i])).isEqualTo(i);
      }
      assertThat(Probes.ofAbsent(loaded.map())).isLessThan(Probes.most(0.5));
      // Grown, and as spread as before.
      long slots = loaded.map().store.slots();
      loaded.insertMore();
      assertThat(loaded.map().store.slots()).isGreaterThan(slots);
      assertThat(Probes.ofAbsent(loaded.map())).isLessThan(Probes.most(0.5));
    }
  }

  @ParameterizedTest
  @EnumSource
  void aKeyThatIsThereTwiceIsRefused(SavedMaps kind) throws IOException {
    Path file = folder.resolve("crowded");
    Object[] keys = chosen(kind);
    save(kind, keys, file);
    byte[] bytes = Files.readAllBytes(file);
    int from = at(kind, keys[0], bytes);
    int to = at(kind, keys[1], bytes);
    System.arraycopy(bytes, from, bytes, to, slotBytes(kind));
    CorruptedFiles.write(file, bytes);
    assertThatThrownBy(() -> kind.load(file))
        .isInstanceOf(SavedFileException.class)
        .hasMessageContaining("damaged: slot");
  }

  private static int slotBytes(SavedMaps kind) {
    return switch (kind) {
      case TEXTS -> 4 * Long.BYTES;
      case LONGS_LINE, LONGS_REFERENCE, INTS_PACKED -> Long.BYTES;
      case INTS_REFERENCE -> Integer.BYTES;
    };
  }

  /** Where the key is in a file, or with texts and packed slots its whole slot. */
  private static int at(SavedMaps kind, Object key, byte[] bytes) {
    byte[] looked =
        switch (kind) {
          case TEXTS -> ((String) key).getBytes(StandardCharsets.US_ASCII);
          case LONGS_LINE, LONGS_REFERENCE ->
              ByteBuffer.allocate(Long.BYTES).order(ORDER).putLong((Long) key).array();
          case INTS_REFERENCE ->
              ByteBuffer.allocate(Integer.BYTES).order(ORDER).putInt((Integer) key).array();
          // Stored with its sign turned over.
          case INTS_PACKED ->
              ByteBuffer.allocate(Integer.BYTES)
                  .order(ORDER)
                  .putInt((Integer) key ^ Integer.MIN_VALUE)
                  .array();
        };
    int at = 2 * SavedFile.HEADER_BYTES;
    while (!Arrays.equals(bytes, at, at + looked.length, looked, 0, looked.length)) {
      at += Integer.BYTES;
    }
    return switch (kind) {
      case TEXTS -> at - Long.BYTES;
      case INTS_PACKED -> at / Long.BYTES * Long.BYTES;
      case LONGS_LINE, LONGS_REFERENCE, INTS_REFERENCE -> at;
    };
  }
}
