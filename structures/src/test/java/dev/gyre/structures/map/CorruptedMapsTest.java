package dev.gyre.structures.map;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gyre.kernels.map.KeyParts;
import dev.gyre.kernels.map.MapCodes;
import dev.gyre.kernels.map.RecordHash;
import dev.gyre.kernels.map.Text;
import dev.gyre.kernels.map.TextHash;
import dev.gyre.kernels.map.TextLayout;
import dev.gyre.structures.CorruptedFiles;
import dev.gyre.structures.SavedFile;
import dev.gyre.structures.SavedFileException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Files of maps whose checksum is right and whose content was changed: they are refused with what
 * is wrong, or make a map that is like any other.
 */
class CorruptedMapsTest {

  /** Behind the header, and the length of the first section. */
  private static final int SLOTS_AT = 2 * SavedFile.HEADER_BYTES;

  /** State, length, first word and mark come before the value. */
  private static final int VALUE_BITS_AT = 3 * Long.SIZE;

  @TempDir private Path folder;

  /** A loaded map is walked, looked into one by one and in bulk, and added to. */
  private static void use(SavedMaps map, Path file) {
    try (SavedMaps.Loaded loaded = map.load(file)) {
      Map<Object, Long> entries = new HashMap<>();
      loaded.forEach((key, value) -> assertThat(entries.put(key, value)).isNull());
      assertThat(loaded.size()).isEqualTo(entries.size());
      entries.forEach((key, value) -> assertThat(loaded.get(key)).isEqualTo(value));
      List<Object> keys = List.copyOf(entries.keySet());
      assertThat(loaded.findAll(keys)).isEqualTo(keys.size());
      assertThat(loaded.insertAll(keys)).isZero();
      loaded.insertMore();
      entries.forEach((key, value) -> assertThat(loaded.get(key)).isEqualTo(value));
    }
  }

  /** Whether a forged file is refused. */
  private static boolean refused(SavedMaps map, Path file, byte[] forged) throws IOException {
    CorruptedFiles.write(file, forged);
    try {
      use(map, file);
      return false;
    } catch (SavedFileException e) {
      assertThat(e.getMessage()).contains(file.toString()).contains(": ");
      return true;
    }
  }

  @ParameterizedTest
  @EnumSource
  @Tag("slow")
  void anyByteIsAnother(SavedMaps map) throws IOException {
    Path file = folder.resolve("map");
    map.save(file);
    byte[] whole = Files.readAllBytes(file);
    SplittableRandom random = new SplittableRandom(7);
    int refused = 0;
    for (int at = 0; at < whole.length; at++) {
      byte[] forged = whole.clone();
      forged[at] ^= (byte) (at % 2 == 0 ? 1 << random.nextInt(8) : random.nextInt(1, 256));
      refused += refused(map, file, forged) ? 1 : 0;
    }
    assertThat(refused).isGreaterThan(100);
  }

  @Tag("slow")
  @ParameterizedTest
  @EnumSource
  void anyNumberIsAnother(SavedMaps map) throws IOException {
    Path file = folder.resolve("map");
    map.save(file);
    byte[] whole = Files.readAllBytes(file);
    long[] numbers = {1, -1, Long.MAX_VALUE, 1L << 58};
    for (int at = 0; at + Long.BYTES <= whole.length; at += Long.BYTES) {
      for (long number : numbers) {
        byte[] forged = whole.clone();
        ByteBuffer.wrap(forged).order(ByteOrder.nativeOrder()).putLong(at, number);
        boolean _ = refused(map, file, forged);
      }
    }
  }

  /** Other sizes than those that the slots say. */
  @ParameterizedTest
  @EnumSource
  void wholeSectionsAreMissingOrTooMany(SavedMaps map) throws IOException {
    Path file = folder.resolve("map");
    map.save(file);
    byte[] whole = Files.readAllBytes(file);
    for (int length = 64; length < whole.length + 1024; length += 64) {
      if (length != whole.length) {
        assertThat(refused(map, file, Arrays.copyOf(whole, length))).as("%d", length).isTrue();
      }
    }
  }

  /**
   * Each bit of each slot is changed in turn, but for those of the value. A file that is not
   * refused loads as a consistent map: bulk operations and single keys find the same entries.
   */
  @Test
  @Tag("slow")
  void anyBitOfASlotOfATextIsAnother() throws IOException {
    Path file = folder.resolve("map");
    SavedMaps.TEXTS.save(file);
    byte[] whole = Files.readAllBytes(file);
    ByteBuffer words = ByteBuffer.wrap(whole).order(ByteOrder.nativeOrder());
    int slots = (int) words.getLong(40);
    int refused = 0;
    for (int slot = 0; slot < slots; slot++) {
      int at = SLOTS_AT + TextLayout.SLOT_LONGS * Long.BYTES * slot;
      boolean filled = words.getInt(at) == MapCodes.FILLED;
      for (int bit = 0; filled && bit < VALUE_BITS_AT; bit++) {
        byte[] forged = whole.clone();
        forged[at + bit / Byte.SIZE] ^= (byte) (1 << bit % Byte.SIZE);
        refused += refused(SavedMaps.TEXTS, file, forged) ? 1 : 0;
      }
    }
    assertThat(refused).as("changed states and lengths").isPositive();
  }

  /** By a user's hash, which bulk and single operations alike compare by the words of a key. */
  record ByLength() implements TextHash {
    @Override
    public long hash(Text key, long seed) {
      return key.length();
    }

    @Override
    public boolean same(Text one, Text other) {
      return one.length() == other.length() && one.word(0) == other.word(0);
    }
  }

  @Test
  void aShortTextPointsBehindTheEndOfTheText() throws IOException {
    Path file = folder.resolve("map");
    try (var map = TextLongMap.builder().textHash(new ByLength()).workers(1).capacity(4).build()) {
      map.put("short", 1);
      map.put("a longer key", 2);
      map.save(file);
    }
    byte[] whole = Files.readAllBytes(file);
    ByteBuffer words = ByteBuffer.wrap(whole).order(ByteOrder.nativeOrder());
    int at = SLOTS_AT;
    while (words.getInt(at) != MapCodes.FILLED || words.getInt(at + Integer.BYTES) != 5) {
      at += TextLayout.SLOT_LONGS * Long.BYTES;
    }
    int mark = at + 2 * Long.BYTES;
    // The longer key has two words.
    words.putLong(mark, words.getLong(mark) + 2);
    CorruptedFiles.write(file, whole);
    try (TextLongMap map = TextLongMap.builder().textHash(new ByLength()).load(file)) {
      assertThat(map.get("short")).hasValue(1);
      assertThat(map.get("a longer key")).hasValue(2);
      assertThat(map.contains(List.of("short", "a longer key")).found()).isEqualTo(2);
    }
  }

  record Mixed(int small, long large) {}

  record Value(long number) {}

  /** All keys have one hash, so that another number is as well found in its slot. */
  record OneHash() implements RecordHash {
    @Override
    public long hash(KeyParts key, long seed) {
      return 7;
    }
  }

  @Test
  void anIntOfAKeyIsNone() throws IOException {
    Path file = folder.resolve("map");
    RecordSchema<Mixed, Value> schema =
        RecordSchema.of(Mixed.class, Value.class).hash(new OneHash());
    try (var map = RecordMap.builder(schema).workers(1).capacity(4).build()) {
      assertThat(map.putIfAbsent(new Mixed(0x1234_5678, 5), new Value(9))).isEmpty();
      map.save(file);
    }
    byte[] forged = Files.readAllBytes(file);
    ByteBuffer words = ByteBuffer.wrap(forged).order(ByteOrder.nativeOrder());
    int at = 0;
    while (words.getLong(at) != 0x1234_5678) {
      at += Long.BYTES;
    }
    words.putLong(at, 0x3_1234_5678L);
    CorruptedFiles.write(file, forged);
    assertThatThrownBy(() -> RecordMap.builder(schema).load(file))
        .isInstanceOf(SavedFileException.class)
        .hasMessageContaining(file.toString())
        .hasMessageContaining("slot");
  }
}
