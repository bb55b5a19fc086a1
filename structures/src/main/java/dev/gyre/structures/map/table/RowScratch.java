package dev.gyre.structures.map.table;

import dev.gyre.atomics.DeviceLongs;
import dev.gyre.atomics.Memory;
import dev.gyre.kernels.events.Span;
import dev.gyre.kernels.map.Batch;
import dev.gyre.kernels.map.BatchRange;
import dev.gyre.kernels.map.MapCodes;
import dev.gyre.kernels.map.Numbers;
import dev.gyre.kernels.map.RecordPredicate;
import dev.gyre.kernels.map.Rows;
import dev.gyre.structures.Memories.Allocation;
import dev.gyre.structures.ParallelCopy;
import dev.gyre.structures.map.BulkOptions;
import dev.gyre.structures.map.Columns;
import dev.gyre.structures.map.RecordSchema;
import dev.gyre.structures.map.TextKeys;
import dev.gyre.structures.map.work.ScratchBuffer;
import dev.gyre.structures.map.work.TaskRange;
import dev.gyre.structures.map.work.Workers;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Scratch memory for keys, values and outcomes of a bulk operation, in rows of words. */
public final class RowScratch extends ScratchBuffer {

  /** Initial number of words per text of a list. */
  private static final long TEXT_WORDS = 4;

  /** Rows that a thread copies at a time. */
  private static final int SLICE = 1 << 14;

  private final int keyWords;
  private final int valueWords;
  final DeviceLongs keys;
  final DeviceLongs values;

  /** Texts of a list, or null. */
  private @Nullable TextKeys texts;

  /** Result of prefetching, stored so that the reads are not removed. */
  long warmed;

  /**
   * Allocates memory for a number of keys and workers.
   *
   * @param keyWords words of a key; 0 if the keys are elsewhere
   * @param valueWords words of a value
   */
  public RowScratch(int length, int workers, int keyWords, int valueWords) {
    super(
        length,
        workers,
        keyWords == 0
            ? List.of(rows(length, valueWords))
            : List.of(rows(length, valueWords), rows(length, keyWords)));
    this.keyWords = keyWords;
    this.valueWords = valueWords;
    this.values = DeviceLongs.of(more(0));
    this.keys = DeviceLongs.of(more(keyWords == 0 ? 0 : 1));
  }

  private static Allocation rows(long length, int words) {
    return () -> Memory.ofLongs(length * words);
  }

  /** Replaces the texts by the texts of a list. */
  public TextKeys enter(String[] all) {
    TextKeys used = texts;
    if (used == null) {
      // With capacity for the texts of later lists.
      int length = (int) values.length();
      used = new TextKeys(length, Math.max(TEXT_WORDS * length, TextKeys.wordsOf(all)));
      texts = used;
    }
    used.clear();
    return used.addAll(all);
  }

  @Override
  public List<Memory> all() {
    TextKeys used = texts;
    return used == null
        ? super.all()
        : Stream.concat(super.all().stream(), used.memories().stream()).toList();
  }

  /** Returns a batch of texts, by their places, for kernels. */
  public Batch batch(TextKeys of) {
    return new Batch(Numbers.of(of.places()), Numbers.of(values), outcomes);
  }

  /** Returns the texts of a task for kernels. */
  public BatchRange range(TextKeys of, DeviceLongs counters, TaskRange task) {
    return new BatchRange(of.places(), values, outcomes, counters, task.from(), task.to());
  }

  /** Returns the keys for kernels. */
  Rows keyRows() {
    return new Rows.InMemory(keys, 0, keyWords);
  }

  /** Returns the values for kernels. */
  Rows valueRows() {
    return new Rows.InMemory(values, 0, valueWords);
  }

  /** Returns a predicate on the rows of a batch, or null. */
  public RecordPredicate.@Nullable InRows inBatch(@Nullable RecordPredicate predicate) {
    return predicate == null
        ? null
        : new RecordPredicate.InRows(predicate, keyRows(), keyWords, valueRows(), valueWords);
  }

  /**
   * Copies keys, values and mask of a batch here.
   *
   * @param piece range of the caller's keys
   */
  public void enter(
      TaskRange piece,
      @Nullable Columns givenKeys,
      @Nullable Columns givenValues,
      BulkOptions options) {
    Span span = Span.staging();
    // A function is linked only for many rows: it would take longer than to copy a few.
    if (piece.size() <= SLICE) {
      enter(piece, 0, (int) piece.size(), givenKeys, givenValues, options);
    } else {
      slices(piece, (at, rows) -> enter(piece, at, rows, givenKeys, givenValues, options));
    }
    long words = (long) keyWords + (givenValues == null ? 0 : valueWords);
    span.moved(keyWords == 0 ? "values" : "keys", piece.size() * words * Long.BYTES);
  }

  private void enter(
      TaskRange piece,
      long at,
      int rows,
      @Nullable Columns givenKeys,
      @Nullable Columns givenValues,
      BulkOptions options) {
    long from = piece.from() + at;
    if (givenKeys != null) {
      givenKeys.read(from, rows(keys, at, keyWords), rows, true);
    }
    if (givenValues != null) {
      givenValues.read(from, rows(values, at, valueWords), rows, false);
    }
    for (int i = 0; i < rows; i++) {
      outcomes.set(at + i, options.start(from + i));
    }
  }

  /** Copies results of an operation to the caller. */
  public void leave(TaskRange piece, @Nullable Columns found, BulkOptions options) {
    MemorySegment codes = options.outcomes();
    if (codes == null && found == null) {
      return;
    }
    Span span = Span.staging();
    if (piece.size() <= SLICE) {
      leave(piece, 0, (int) piece.size(), found, codes, options.takeAll());
    } else {
      boolean all = options.takeAll();
      slices(piece, (at, rows) -> leave(piece, at, rows, found, codes, all));
    }
    int bytes = (codes == null ? 0 : 1) + (found == null ? 0 : valueWords * Long.BYTES);
    span.moved("results", piece.size() * bytes);
  }

  private void leave(
      TaskRange piece,
      long at,
      int rows,
      @Nullable Columns found,
      @Nullable MemorySegment codes,
      boolean all) {
    for (long i = at; codes != null && i < at + rows; i++) {
      byte code = outcomes.get(i);
      codes.set(
          ValueLayout.JAVA_BYTE,
          piece.from() + i,
          code == MapCodes.PENDING ? MapCodes.SKIPPED : code);
    }
    if (found != null && all) {
      found.write(piece.from() + at, rows(values, at, valueWords), rows, false);
    }
    for (long i = at; found != null && !all && i < at + rows; i++) {
      long first = i;
      while (i < at + rows && outcomes.get(i) != MapCodes.SKIPPED) {
        i++;
      }
      found.write(piece.from() + first, rows(values, first, valueWords), i - first, false);
    }
  }

  /** Copies retrieved entries to the caller. */
  public void takeOut(long to, int count, Columns toKeys, Columns toValues) {
    Span span = Span.staging();
    toKeys.write(to, keys.memory().segment(), count, true);
    toValues.write(to, values.memory().segment(), count, false);
    span.moved("results", (long) count * (keyWords + valueWords) * Long.BYTES);
  }

  /** Returns the words of a retrieved entry, as an insert of a single key takes them. */
  public long[] entry(long index) {
    long[] words = new long[2 * RecordSchema.MOST];
    for (int i = 0; i < keyWords; i++) {
      words[i] = keys.get(index * keyWords + i);
    }
    for (int i = 0; i < valueWords; i++) {
      words[RecordSchema.MOST + i] = values.get(index * valueWords + i);
    }
    return words;
  }

  /** Marks keys of a task that did not fit as FULL; returns their number. */
  public long giveUp(TaskRange task) {
    long full = 0;
    for (long i = task.from(); i < task.to(); i++) {
      if (outcomes.get(i) == MapCodes.PENDING) {
        outcomes.set(i, MapCodes.FULL);
        full++;
      }
    }
    return full;
  }

  private static MemorySegment rows(DeviceLongs words, long at, int width) {
    return words.memory().segment().asSlice(at * width * Long.BYTES);
  }

  private interface Slice {
    void run(long at, int rows);
  }

  /** Runs slices of the work by several threads: one is slower than the threads of a map. */
  private static void slices(TaskRange piece, Slice work) {
    int count = (int) piece.size();
    ParallelCopy.slices(
        Math.ceilDiv(count, SLICE),
        i -> work.run((long) i * SLICE, Math.min(SLICE, count - i * SLICE)));
  }

  /**
   * Sends a batch to kernels.
   *
   * @param given whether it has values
   */
  public void send(Workers workers, long count, boolean given) {
    if (keyWords > 0) {
      workers.send(keys.memory(), count * keyWords * Long.BYTES);
    }
    if (given) {
      workers.send(values.memory(), count * valueWords * Long.BYTES);
    }
    workers.send(outcomeMemory, count);
  }

  /**
   * Copies results of kernels to the host.
   *
   * @param found whether there are values
   */
  public void fetch(Workers workers, long count, boolean found) {
    workers.readBack(outcomeMemory, count);
    if (found) {
      workers.readBack(values.memory(), count * valueWords * Long.BYTES);
    }
  }

  /** Copies retrieved entries to the host. */
  public void fetchEntries(Workers workers, long count) {
    workers.readBack(keys.memory(), count * keyWords * Long.BYTES);
    workers.readBack(values.memory(), count * valueWords * Long.BYTES);
  }
}
