package dev.gyre.structures.group;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gyre.structures.SavedFileException;
import dev.gyre.structures.map.Columns;
import java.io.ByteArrayOutputStream;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.zip.CRC32C;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Saved groups that were changed deliberately, with a right checksum. */
class ChangedGroupsTest {

  private static final int HEADER = 64;
  private static final int CHECKSUM = 56;

  /** Lengths and places around those of texts in a header and outside. */
  private static final long[] SPECIAL = {
    0,
    1,
    -1,
    8,
    16,
    17,
    24,
    300,
    1L << 31,
    (1L << 31) + 20,
    (40L << 31) | 33,
    (64L << 31) | 300,
    Long.MIN_VALUE,
    Long.MAX_VALUE,
    (40L << 31) | Integer.MAX_VALUE
  };

  private static byte[] saved(String... keys) {
    String text = "a text of more than sixteen bytes";
    try (GroupBy groups = GroupBy.on(keys).count().sum("x").distinct("t").distinct("n")) {
      groups.add(
          new Batch(4)
              .texts("t", Arrays.asList("a", null, text, "abcdefghijkl"))
              .texts("u", Arrays.asList(text, "u", null, "z"))
              .numbers("n", Columns.longs(new long[] {1, 2, 1, 5}))
              .numbers("x", Columns.longs(new long[] {1, 2, 3, 4})));
      ByteArrayOutputStream out = new ByteArrayOutputStream();
      groups.save(out);
      return out.toByteArray();
    }
  }

  private static void change(byte[] bytes, Random random) {
    MemorySegment all = MemorySegment.ofArray(bytes);
    int at = HEADER + random.nextInt(bytes.length - HEADER - Long.BYTES);
    long special = SPECIAL[random.nextInt(SPECIAL.length)];
    switch (random.nextInt(3)) {
      case 0 -> bytes[at] = (byte) random.nextInt();
      case 1 -> all.set(ValueLayout.JAVA_LONG_UNALIGNED, at & -Long.BYTES, special);
      default -> all.set(ValueLayout.JAVA_INT_UNALIGNED, at & -Integer.BYTES, (int) special);
    }
    CRC32C sum = new CRC32C();
    sum.update(bytes, 0, CHECKSUM);
    sum.update(bytes, HEADER, bytes.length - HEADER);
    all.set(ValueLayout.JAVA_LONG_UNALIGNED, CHECKSUM, sum.getValue());
  }

  @ParameterizedTest
  @ValueSource(strings = {"n", "t", "t,n", "n,t", "n,x", "t,u", "t,n,u"})
  void areRefusedOrHaveAResult(String keys) {
    byte[] right = saved(keys.split(","));
    int loaded = 0;
    int refused = 0;
    for (int seed = 0; seed < 300; seed++) {
      byte[] bytes = right.clone();
      Random random = new Random(seed);
      for (int i = random.nextInt(3); i >= 0; i--) {
        change(bytes, random);
      }
      try (GroupBy groups = GroupBy.load(MemorySegment.ofArray(bytes))) {
        read(groups);
        loaded++;
      } catch (SavedFileException e) {
        refused++;
      }
    }
    assertThat(List.of(loaded, refused)).allMatch(count -> count > 15);
  }

  private static void read(GroupBy groups) {
    try (Groups result = groups.result()) {
      for (GroupColumn column : result.columns()) {
        for (long row = 0; row < result.rows(); row++) {
          boolean isText = column.type() == GroupColumn.Type.TEXT;
          assertThat(isText ? column.text(row) : column.getDouble(row)).isNotNull();
        }
      }
    } catch (ArithmeticException e) {
      assertThat(e).hasMessageContaining("does not fit in 64 bits");
    }
  }
}
