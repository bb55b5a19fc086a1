package dev.gyre.bench.cli;

import dev.gyre.atomics.GyreException;
import dev.gyre.datasets.CsvFormat;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Records of CSV in a growing array of bytes, on their way to a file. For one thread. */
final class CsvBytes {

  /** Size from which bytes are written, in bytes. */
  static final int FULL_BYTES = 1 << 20;

  private static final int MAX_ARRAY_BYTES = Integer.MAX_VALUE - 8;

  private final byte separator;
  private final byte quote;

  /** Whether readers know no quotes: only names with a separator or an end of line have some. */
  private final boolean sparing;

  private byte[] bytes = new byte[1 << 12];
  private int size;
  private boolean started;

  CsvBytes(CsvFormat format) {
    this.separator = (byte) format.separator();
    this.sparing = format.quote() == CsvFormat.NO_QUOTE;
    this.quote = sparing ? (byte) '"' : (byte) format.quote();
  }

  private void require(long more) {
    bytes = grown(bytes, size + more);
  }

  /** Returns an array with the same bytes that has capacity for some bytes. */
  static byte[] grown(byte[] bytes, long size) {
    return size <= bytes.length ? bytes : Arrays.copyOf(bytes, capacity(2L * bytes.length, size));
  }

  /** Returns the capacity that is wanted, or less if an array cannot have it. */
  static int capacity(long wanted, long size) {
    if (size > MAX_ARRAY_BYTES) {
      throw new GyreException(
          "a block of records has %d bytes of text, and may have %d: leave out long columns, for"
                  .formatted(size, MAX_ARRAY_BYTES)
              + " example with --select");
    }
    return Math.toIntExact(Math.clamp(wanted, size, MAX_ARRAY_BYTES));
  }

  /** Adds a null: an empty field without quotes. */
  void addNull() {
    begin();
  }

  private void begin() {
    require(1);
    if (started) {
      bytes[size++] = separator;
    }
    started = true;
  }

  /** Adds a field, in quotes if it needs them. */
  void add(String field) {
    add(MemorySegment.ofArray(field.getBytes(StandardCharsets.UTF_8)));
  }

  /** Adds a field, in quotes if it needs them. */
  void add(MemorySegment field) {
    add(field, 0, Math.toIntExact(field.byteSize()));
  }

  /** Adds a field that is a part of some bytes, in quotes if it needs them. */
  void add(MemorySegment all, long offset, int length) {
    begin();
    require(length);
    MemorySegment.copy(all, ValueLayout.JAVA_BYTE, offset, bytes, size, length);
    if (!needsQuotes(length)) {
      size += length;
      return;
    }
    // All bytes may be quotes, which are doubled.
    require(2L * length + 2);
    byte[] copy = Arrays.copyOfRange(bytes, size, size + length);
    bytes[size++] = quote;
    for (byte value : copy) {
      if (value == quote) {
        bytes[size++] = quote;
      }
      bytes[size++] = value;
    }
    bytes[size++] = quote;
  }

  private boolean needsQuotes(int length) {
    boolean needs = length == 0 && !sparing;
    for (int i = size; i < size + length; i++) {
      byte value = bytes[i];
      needs |= value == separator || value == '\n';
      needs |= !sparing && (value == quote || value == '\r');
    }
    return needs;
  }

  void endRecord() {
    require(3);
    if (size == 0 || bytes[size - 1] == '\n') {
      // An empty line would be no record.
      bytes[size++] = quote;
      bytes[size++] = quote;
    } else if (bytes[size - 1] == '\r') {
      // A reader takes one away.
      bytes[size++] = '\r';
    }
    bytes[size++] = '\n';
    started = false;
  }

  /** Ends a record, and writes all if there are many bytes. */
  void endRecord(FileChannel file) {
    endRecord();
    if (isFull()) {
      writeTo(file);
    }
  }

  boolean isFull() {
    return size >= FULL_BYTES;
  }

  /** Writes the records, and forgets them. */
  void writeTo(FileChannel file) {
    Outputs.write(file, ByteBuffer.wrap(bytes, 0, size));
    size = 0;
  }
}
