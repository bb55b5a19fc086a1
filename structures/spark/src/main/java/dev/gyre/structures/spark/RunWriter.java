package dev.gyre.structures.spark;

import dev.gyre.structures.StructureException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.zip.CRC32C;

/**
 * Writes entries in key order as blocks of a run.
 *
 * <p>Of each key only the difference from the previous key is written. Numbers take as many bytes
 * as they need, with seven bits in each. Each block can be read separately.
 *
 * <table>
 *   <caption>Header of a block</caption>
 *   <tr><th>byte<th>type<th>what
 *   <tr><td>0<td>int<td>{@value #MARK}
 *   <tr><td>4<td>int<td>bytes that follow the header
 *   <tr><td>8<td>int<td>CRC-32C of all that follows it
 *   <tr><td>12<td>int<td>entries
 * </table>
 *
 * <p>An entry consists of the number of bytes that it shares with the previous key, the number of
 * further bytes, these bytes, and the value. A value is doubled, and inverted if it is negative.
 */
final class RunWriter {

  /** First bytes of a block: name and version of the format. */
  static final int MARK = 0x47595231;

  static final int HEADER_BYTES = 16;

  /** Offset of the first byte under the checksum. */
  static final int CHECKED = 12;

  /** Size at which a block is written, in bytes. */
  private static final int FULL_BYTES = 1 << 20;

  private static final int LONGEST_NUMBER = 10;
  private static final int MOST_BYTES = Integer.MAX_VALUE - 64;

  private byte[] bytes = new byte[1 << 10];
  private int end = HEADER_BYTES;
  private int entries;
  private byte[] last = new byte[32];
  private int lastLength;

  /** Returns whether the block should be written. */
  boolean isFull() {
    return end >= FULL_BYTES;
  }

  boolean isEmpty() {
    return entries == 0;
  }

  /**
   * Adds an entry, whose key is greater than the previous one.
   *
   * @throws StructureException if the key is longer than an array can hold
   */
  void add(byte[] key, int length, long value) {
    int most = Math.min(length, lastLength);
    int differs = Arrays.mismatch(key, 0, most, last, 0, most);
    int shared = differs < 0 ? most : differs;
    int own = length - shared;
    require((long) own + 3 * LONGEST_NUMBER);
    number(shared);
    number(own);
    System.arraycopy(key, shared, bytes, end, own);
    end += own;
    number((value << 1) ^ (value >> 63));
    entries++;
    keep(key, shared, length);
  }

  private void keep(byte[] key, int shared, int length) {
    if (last.length < length) {
      last = Arrays.copyOf(last, grownLength(length));
    }
    System.arraycopy(key, shared, last, shared, length - shared);
    lastLength = length;
  }

  private void require(long more) {
    if (end + more > MOST_BYTES) {
      throw new StructureException(
          "a key of %d bytes is too long for a block of a run".formatted(more));
    }
    if (end + more > bytes.length) {
      bytes = Arrays.copyOf(bytes, grownLength((int) (end + more)));
    }
  }

  private static int grownLength(int length) {
    return (int) Math.min(MOST_BYTES, 2L * length);
  }

  private void number(long number) {
    long left = number;
    while ((left & ~0x7fL) != 0) {
      bytes[end++] = (byte) (left | 0x80);
      left >>>= 7;
    }
    bytes[end++] = (byte) left;
  }

  /** Returns the block and begins another. */
  byte[] take() {
    ByteBuffer header = ByteBuffer.wrap(bytes).putInt(MARK).putInt(end - HEADER_BYTES);
    header.putInt(CHECKED, entries);
    CRC32C sum = new CRC32C();
    sum.update(bytes, CHECKED, end - CHECKED);
    header.putInt((int) sum.getValue());
    byte[] block = Arrays.copyOf(bytes, end);
    end = HEADER_BYTES;
    entries = 0;
    lastLength = 0;
    return block;
  }
}
