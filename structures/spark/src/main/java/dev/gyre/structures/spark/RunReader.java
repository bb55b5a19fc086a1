package dev.gyre.structures.spark;

import dev.gyre.structures.SavedFileException;
import dev.gyre.structures.SavedFileException.Kind;
import dev.gyre.structures.StructureException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.zip.CRC32C;

/** Reads the entries of a run, block by block; see {@link RunWriter}. */
final class RunReader implements AutoCloseable {

  private final InputStream blocks;
  private byte[] block = new byte[0];
  private int at;
  private int left;
  private byte[] key = new byte[32];
  private int length;
  private long value;

  /** Reads a run, which is closed with this. */
  RunReader(InputStream blocks) {
    this.blocks = blocks;
  }

  /** Reads a run in memory. */
  RunReader(byte[] blocks) {
    this(new ByteArrayInputStream(blocks));
  }

  /**
   * Moves to the next entry.
   *
   * @return whether there is one
   * @throws SavedFileException if the run is damaged
   * @throws StructureException if it cannot be read
   */
  boolean next() {
    while (left == 0) {
      if (!nextBlock()) {
        return false;
      }
    }
    try {
      int shared = (int) number();
      int own = (int) number();
      if (shared > length || key.length - shared < own) {
        key = Arrays.copyOf(key, Math.max(shared + own, (int) Math.min(2L * key.length, 1 << 30)));
      }
      System.arraycopy(block, at, key, shared, own);
      at += own;
      length = shared + own;
      long number = number();
      value = (number >>> 1) ^ -(number & 1);
    } catch (IndexOutOfBoundsException | IllegalArgumentException | NegativeArraySizeException e) {
      throw damaged("an entry leads out of its block", e);
    }
    left--;
    return true;
  }

  /** Returns the key of this entry in an array that the next entry reuses. */
  byte[] key() {
    return key;
  }

  /** Returns the length of the key, in bytes. */
  int length() {
    return length;
  }

  /** Returns the value of this entry. */
  long value() {
    return value;
  }

  /** Compares the keys of two readers, byte by byte. */
  static int compareKeys(RunReader a, RunReader b) {
    return Arrays.compareUnsigned(a.key, 0, a.length, b.key, 0, b.length);
  }

  private long number() {
    long number = 0;
    int shift = 0;
    byte next = block[at++];
    while (next < 0) {
      number |= (next & 0x7fL) << shift;
      shift += 7;
      next = block[at++];
    }
    return number | (long) next << shift;
  }

  private boolean nextBlock() {
    try {
      byte[] header = blocks.readNBytes(RunWriter.HEADER_BYTES);
      if (header.length == 0) {
        return false;
      }
      if (header.length < RunWriter.HEADER_BYTES) {
        throw damaged("a block ends within its header", null);
      }
      ByteBuffer numbers = ByteBuffer.wrap(header);
      int mark = numbers.getInt();
      int bytes = numbers.getInt();
      if (mark != RunWriter.MARK || bytes < 0) {
        throw new SavedFileException("run", Kind.NOT_SAVED, "no block of a run");
      }
      block = blocks.readNBytes(bytes);
      CRC32C sum = new CRC32C();
      sum.update(header, RunWriter.CHECKED, RunWriter.HEADER_BYTES - RunWriter.CHECKED);
      sum.update(block);
      if (block.length < bytes || numbers.getInt() != (int) sum.getValue()) {
        throw damaged("a block is cut off, or its checksum is wrong", null);
      }
      left = numbers.getInt();
      at = 0;
      length = 0;
      return true;
    } catch (IOException e) {
      throw new StructureException("run: cannot be read: " + e, e);
    }
  }

  private static SavedFileException damaged(
      String how, @org.jspecify.annotations.Nullable Throwable cause) {
    SavedFileException e = new SavedFileException("run", Kind.DAMAGED, "damaged: " + how);
    if (cause != null) {
      var _ = e.initCause(cause);
    }
    return e;
  }

  @Override
  public void close() {
    try {
      blocks.close();
    } catch (IOException e) {
      throw new StructureException("run: cannot be closed: " + e, e);
    }
  }
}
