package dev.gyre.structures.map.table;

import dev.gyre.atomics.DeviceLongs;
import dev.gyre.atomics.Memory;
import dev.gyre.kernels.events.Span;
import dev.gyre.kernels.map.Batch;
import dev.gyre.kernels.map.MapCodes;
import dev.gyre.kernels.map.Numbers;
import dev.gyre.kernels.map.Portion;
import dev.gyre.structures.map.BulkOptions;
import dev.gyre.structures.map.Longs;
import dev.gyre.structures.map.TextKeys;
import dev.gyre.structures.map.work.Scratch;
import dev.gyre.structures.map.work.Step;
import dev.gyre.structures.map.work.Workers;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Scratch memory for values and outcomes of a bulk operation on text keys. */
public final class TextScratch extends Scratch {

  /** Initial number of words per key. */
  private static final long WORDS = 4;

  final DeviceLongs values;

  /** Keys of a list, or null. */
  private @Nullable TextKeys keys;

  /** Result of prefetching, stored so that the reads are not removed. */
  long warmed;

  public TextScratch(int length, int workers) {
    super(length, workers, List.of(() -> Memory.ofLongs(length)));
    this.values = DeviceLongs.of(more(0));
  }

  /** Replaces the keys by the keys of a list. */
  public TextKeys enter(String[] those) {
    TextKeys used = keys;
    if (used == null) {
      // With capacity for the keys of later lists.
      int length = (int) values.length();
      used = new TextKeys(length, Math.max(WORDS * length, TextKeys.wordsOf(those)));
      keys = used;
    }
    used.clear();
    return used.addAll(those);
  }

  @Override
  public List<Memory> all() {
    TextKeys used = keys;
    return used == null
        ? super.all()
        : Stream.concat(super.all().stream(), used.memories().stream()).toList();
  }

  /** Copies values and mask of a batch here. */
  public void enter(int keys, @Nullable Longs from, BulkOptions options) {
    Span span = Span.staging();
    if (from != null) {
      from.read(0, values.memory().segment(), 0, keys);
    }
    for (int i = 0; i < keys; i++) {
      outcomes.set(i, options.start(i));
    }
    span.moved("values", (from == null ? 1L : 1L + Long.BYTES) * keys);
  }

  /** Marks keys of a step that did not fit as FULL; returns their number. */
  public long giveUp(Step step) {
    long full = 0;
    for (long i = step.from(); i < step.to(); i++) {
      if (outcomes.get(i) == MapCodes.PENDING) {
        outcomes.set(i, MapCodes.FULL);
        full++;
      }
    }
    return full;
  }

  /** Copies results of an operation to the caller. */
  public void leave(int keys, @Nullable Longs found, BulkOptions options) {
    MemorySegment codes = options.outcomes();
    if (codes == null && found == null) {
      return;
    }
    Span span = Span.staging();
    for (int i = 0; codes != null && i < keys; i++) {
      byte code = outcomes.get(i);
      codes.set(ValueLayout.JAVA_BYTE, i, code == MapCodes.PENDING ? MapCodes.SKIPPED : code);
    }
    if (found != null && options.takeAll()) {
      found.write(0, values.memory().segment(), 0, keys);
    } else if (found != null) {
      for (int i = 0; i < keys; i++) {
        if (outcomes.get(i) != MapCodes.SKIPPED) {
          found.set(i, values.get(i));
        }
      }
    }
    int bytes = (codes == null ? 0 : 1) + (found == null ? 0 : Long.BYTES);
    span.moved("results", (long) keys * bytes);
  }

  /** Returns the batch for kernels, with keys by their places. */
  public Batch batch(DeviceLongs places) {
    return new Batch(Numbers.of(places), Numbers.of(values), outcomes);
  }

  /** Returns the keys of a step for kernels. */
  Portion portion(TextKeys keys, DeviceLongs counters, Step step) {
    return new Portion(keys.places(), values, outcomes, counters, step.from(), step.to());
  }

  /**
   * Sends a batch to kernels.
   *
   * @param given whether it has values
   */
  public void send(Workers workers, int keys, boolean given) {
    if (given) {
      workers.send(values.memory(), (long) keys * Long.BYTES);
    }
    workers.send(outcomeMemory, keys);
  }

  /**
   * Copies results of kernels to the host.
   *
   * @param found whether there are values
   */
  public void fetch(Workers workers, int keys, boolean found) {
    workers.readBack(outcomeMemory, keys);
    if (found) {
      workers.readBack(values.memory(), (long) keys * Long.BYTES);
    }
  }
}
