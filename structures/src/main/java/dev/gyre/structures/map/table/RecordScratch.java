package dev.gyre.structures.map.table;

import dev.gyre.atomics.DeviceLongs;
import dev.gyre.atomics.Memory;
import dev.gyre.kernels.events.Span;
import dev.gyre.kernels.map.MapCodes;
import dev.gyre.kernels.map.Rows;
import dev.gyre.structures.map.BulkOptions;
import dev.gyre.structures.map.Columns;
import dev.gyre.structures.map.work.Scratch;
import dev.gyre.structures.map.work.Workers;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Scratch memory for keys, values and outcomes of a bulk operation on records, in rows. */
public final class RecordScratch extends Scratch {

  /** Rows that a thread copies at a time. */
  private static final int SLICE = 1 << 14;

  private final int keyWords;
  private final int valueWords;
  final DeviceLongs keys;
  final DeviceLongs values;

  public RecordScratch(int length, int workers, int keyWords, int valueWords) {
    super(
        length,
        workers,
        List.of(
            () -> Memory.ofLongs((long) length * keyWords),
            () -> Memory.ofLongs((long) length * valueWords)));
    this.keyWords = keyWords;
    this.valueWords = valueWords;
    this.keys = DeviceLongs.of(more(0));
    this.values = DeviceLongs.of(more(1));
  }

  /** Returns the keys for kernels. */
  Rows keyRows() {
    return new Rows.InMemory(keys, 0, keyWords);
  }

  /** Returns the values for kernels. */
  Rows valueRows() {
    return new Rows.InMemory(values, 0, valueWords);
  }

  /**
   * Copies keys, values and mask of a batch here.
   *
   * @param from index of the first key of the caller
   */
  public void enter(
      long from, int count, Columns keyColumns, @Nullable Columns given, BulkOptions options) {
    Span span = Span.staging();
    slices(
        count,
        (at, length) -> {
          keyColumns.read(from + at, rows(keys, at, keyWords), length, true);
          if (given != null) {
            given.read(from + at, rows(values, at, valueWords), length, false);
          }
          for (long i = at; i < at + length; i++) {
            outcomes.set(i, options.start(from + i));
          }
        });
    span.moved("keys", (long) count * (keyWords + (given == null ? 0 : valueWords)) * Long.BYTES);
  }

  /** Copies results of an operation to the caller. */
  public void leave(long from, int count, @Nullable Columns found, BulkOptions options) {
    MemorySegment codes = options.outcomes();
    if (codes == null && found == null) {
      return;
    }
    Span span = Span.staging();
    MemorySegment rows = values.memory().segment();
    slices(
        count,
        (at, length) -> {
          for (long i = at; i < at + length; i++) {
            byte code = outcomes.get(i);
            if (codes != null) {
              codes.set(
                  ValueLayout.JAVA_BYTE,
                  from + i,
                  code == MapCodes.PENDING ? MapCodes.SKIPPED : code);
            }
            if (found != null && code != MapCodes.SKIPPED) {
              found.write(from + i, rows, i * valueWords * Long.BYTES, false);
            }
          }
        });
    int bytes = (codes == null ? 0 : 1) + (found == null ? 0 : valueWords * Long.BYTES);
    span.moved("results", (long) count * bytes);
  }

  /** Copies retrieved entries to the caller. */
  public void takeOut(long to, int count, Columns keyColumns, @Nullable Columns valueColumns) {
    Span span = Span.staging();
    MemorySegment from = keys.memory().segment();
    MemorySegment with = values.memory().segment();
    for (long i = 0; i < count; i++) {
      keyColumns.write(to + i, from, i * keyWords * Long.BYTES, true);
      if (valueColumns != null) {
        valueColumns.write(to + i, with, i * valueWords * Long.BYTES, false);
      }
    }
    int words = keyWords + (valueColumns == null ? 0 : valueWords);
    span.moved("results", (long) count * words * Long.BYTES);
  }

  /** Returns the words of a retrieved entry: four of the key, then four of the value. */
  public long[] entry(long index) {
    long[] words = new long[MOST_WORDS];
    for (int i = 0; i < keyWords; i++) {
      words[i] = keys.get(index * keyWords + i);
    }
    for (int i = 0; i < valueWords; i++) {
      words[MOST_WORDS / 2 + i] = values.get(index * valueWords + i);
    }
    return words;
  }

  private static final int MOST_WORDS = 8;

  private static MemorySegment rows(DeviceLongs words, long at, int width) {
    return words.memory().segment().asSlice(at * width * Long.BYTES);
  }

  private interface Slice {
    void run(long at, int length);
  }

  /**
   * Runs slices of the work, by several threads if it is large: one thread alone is slower than the
   * threads of a map.
   */
  private static void slices(int count, Slice work) {
    int slices = Math.ceilDiv(count, SLICE);
    if (slices <= 1) {
      work.run(0, count);
      return;
    }
    IntStream.range(0, slices)
        .parallel()
        .forEach(i -> work.run((long) i * SLICE, Math.min(SLICE, count - i * SLICE)));
  }

  /**
   * Sends a batch to kernels.
   *
   * @param given whether it has values
   */
  public void send(Workers workers, int count, boolean given) {
    workers.send(keys.memory(), (long) count * keyWords * Long.BYTES);
    if (given) {
      workers.send(values.memory(), (long) count * valueWords * Long.BYTES);
    }
    workers.send(outcomeMemory, count);
  }

  /**
   * Copies results of kernels to the host.
   *
   * @param found whether there are values
   */
  public void fetch(Workers workers, int count, boolean found) {
    workers.readBack(outcomeMemory, count);
    if (found) {
      workers.readBack(values.memory(), (long) count * valueWords * Long.BYTES);
    }
  }

  /** Copies retrieved entries to the host. */
  public void fetchEntries(Workers workers, int count) {
    workers.readBack(keys.memory(), (long) count * keyWords * Long.BYTES);
    workers.readBack(values.memory(), (long) count * valueWords * Long.BYTES);
  }
}
