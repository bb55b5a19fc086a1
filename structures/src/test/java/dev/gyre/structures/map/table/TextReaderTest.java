package dev.gyre.structures.map.table;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gyre.kernels.map.TextLayout;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Texts that are looked up by address, and strings that are known not to be there. */
class TextReaderTest {

  private static final long SEED = 42;

  /**
   * Of each kind: in a slot, in the arena, more than two words, others than ASCII, equal hashes.
   */
  private static List<String> keys() {
    List<String> keys =
        new ArrayList<>(List.of("", "a", "Aa", "\u00e9", "\u65e5\u672c", "\ud83d\ude00"));
    for (int length = 2; length < 40; length++) {
      keys.add("k".repeat(length));
      keys.add("\u00e9".repeat(length));
    }
    return keys;
  }

  private static void insert(TextTable table, String key, long value) {
    assertThat(table.takeOne(null)).isTrue();
    assertThat(TextKey.of(key).insert(table, null, value, 1)).isEqualTo(TextKey.NONE);
    table.insertedSome(null, 1, 1);
  }

  private static TextTable filled() {
    TextTable table = TextTable.allocate(200, 0.5, 2_000, SEED, null, false);
    List<String> keys = keys();
    for (int i = 0; i < keys.size(); i++) {
      insert(table, keys.get(i), i);
    }
    return table;
  }

  private static void askForAbsentOnes(TextTable table, TextReader reader) {
    for (int i = 0; i < 8 * table.slots + 2_000; i++) {
      assertThat(reader.find("absent" + i)).isNegative();
    }
  }

  private static void requireAll(TextReader reader) {
    List<String> keys = keys();
    for (int i = 0; i < keys.size(); i++) {
      String key = keys.get(i);
      assertThat(reader.value(reader.find(key))).as(key).isEqualTo(i);
      byte[] bytes = key.getBytes(StandardCharsets.UTF_8);
      assertThat(reader.value(reader.find(bytes))).as(key).isEqualTo(i);
      assertThat(reader.find(key + "?")).isNegative();
      assertThat(reader.find((key + "?").getBytes(StandardCharsets.UTF_8))).isNegative();
    }
    assertThat(reader.find("\ud800")).isNegative();
  }

  @Test
  void findsKeysOfEachKind() {
    try (TextTable table = filled()) {
      TextReader reader = Objects.requireNonNull(table.reader());
      requireAll(reader);
      askForAbsentOnes(table, reader);
      requireAll(reader);
    }
  }

  @Test
  void knowsAbsentStringsUntilAnotherKeyMayBeThere() {
    try (TextTable table = filled()) {
      TextReader reader = Objects.requireNonNull(table.reader());
      assertThat(reader.isKnownAbsent("later")).isFalse();
      askForAbsentOnes(table, reader);
      assertThat(reader.isKnownAbsent("later")).isTrue();
      // The same hash as that of a key.
      assertThat(reader.isKnownAbsent("BB")).isFalse();
      assertThat(reader.find("BB")).isNegative();

      assertThat(table.take(1)).isTrue();
      assertThat(reader.isKnownAbsent("later")).isFalse();
      askForAbsentOnes(table, reader);
      assertThat(reader.isKnownAbsent("later")).as("while a key may come").isFalse();

      table.inserted(0, 1);
      assertThat(reader.isKnownAbsent("later")).isTrue();
      insert(table, "later", 7);
      assertThat(reader.value(reader.find("later"))).isEqualTo(7);
      askForAbsentOnes(table, reader);
      assertThat(reader.isKnownAbsent("later")).isFalse();
      assertThat(reader.isKnownAbsent("evenlater")).isTrue();
    }
  }

  @Test
  void looksNoFurtherThanItsArena() {
    try (TextTable table = filled()) {
      TextReader reader = Objects.requireNonNull(table.reader());
      for (int length = TextLayout.INLINE_BYTES + 1; length < 40; length++) {
        String key = "k".repeat(length);
        // As where a rebuild has written another key: the caller finds that out afterwards.
        long at = TextLayout.markAt(reader.find(key));
        table.table.set(at, table.table.get(at) | (1L << 39));
        assertThat(reader.find(key)).isNegative();
      }
      askForAbsentOnes(table, reader);
      assertThat(reader.isKnownAbsent("later")).isFalse();
    }
  }
}
