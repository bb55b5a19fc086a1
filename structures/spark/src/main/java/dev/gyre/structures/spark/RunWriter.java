package dev.gyre.structures.spark;

import dev.gyre.structures.StructureException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.zip.CRC32C;

/**
 * Writes entries, which come in the order of their keys, as blocks of a run.
 *
 * <p>Of each key only what differs from the key before is written; numbers take as many bytes as
 * they need, seven bits in each. A block can be read by itself.
 *
 * <table>
 * <caption>Header of a block</caption>
 * <tr><th>byte<th>type<th>what
 * <tr><td>0<td>int<td>{@value #MARK}
 * <tr><td>4<td>int<td>bytes that follow the header
 * <tr><td>8<td>int<td>CRC-32C of all that follows it
 * <tr><td>12<td>int<td>entries
 * </table>
 *
 * <p>An entry is the number of bytes shared with the key before, the number of bytes that follow
 * those, these bytes, and the value, doubled, or if negative doubled and inverted.
 */
final class RunWriter {

  /** What a block begins with: the name of the format, and its version. */
  static final int MARK = 0x47595231;

  static final int HEADER_BYTES = 16;

  /** From where on bytes have a checksum. */
  static final int CHECKED = 12;

  /** A block with so much is put out. */
  private static final int FULL_BYTES = 1 << 20;

  private static final int LONGEST_NUMBER = 10;
  private static final int MOST_BYTES = Integer.MAX_VALUE - 64;

  private byte[] bytes = new byte[1 << 10];
  private int end = HEADER_BYTES;
  private int entries;
  private byte[] last = new byte[32];
  private int lastLength;

  /** Whether what was written should be put out. */
  boolean isFull() {
    return end >= FULL_BYTES;
  }

  boolean isEmpty() {
    return entries == 0;
  }

  /**
   * Adds an entry, whose key comes after the one before.
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
      last = Arrays.copyOf(last, roomFor(length));
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
      bytes = Arrays.copyOf(bytes, roomFor((int) (end + more)));
    }
  }

  private static int roomFor(int length) {
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

  /** The block, after which another one begins. */
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
