package dev.gyre.structures.map.store;

import dev.gyre.atomics.Bytes;
import dev.gyre.atomics.DeviceLongs;
import dev.gyre.atomics.GyreException;
import dev.gyre.atomics.IntSpecialized;
import dev.gyre.atomics.Memory;
import dev.gyre.kernels.Kernel;
import dev.gyre.kernels.map.Batch;
import dev.gyre.kernels.map.CopyIncluded;
import dev.gyre.kernels.map.EntryPredicate;
import dev.gyre.kernels.map.FilterInserts;
import dev.gyre.kernels.map.MapCodes;
import dev.gyre.kernels.map.Numbers;
import dev.gyre.kernels.map.SkipUnfinished;
import dev.gyre.kernels.map.StartOutcomes;
import dev.gyre.structures.Memories;
import dev.gyre.structures.map.BulkOptions;
import dev.gyre.structures.map.Longs;
import dev.gyre.structures.map.table.LongScratch;
import dev.gyre.structures.map.table.LongTable;
import dev.gyre.structures.map.work.TaskRange;
import dev.gyre.structures.map.work.Workers;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Prepares keys of a bulk operation that are on the map's device, or that it can access, with their
 * values: kernels use them in place. Memory that the operation needs and the caller did not pass,
 * such as outcomes for a mask, is allocated for the operation, without a transfer.
 */
@IntSpecialized
public final class LongDeviceBatch implements AutoCloseable {

  /** All keys as one batch. */
  private static final class InPlace extends LongKeys {
    private final Longs keys;

    InPlace(Workers workers, LongScratch memories, LongKeys.Operands all) {
      super(workers, all.change(), all.options().entries(), all.flagsInPlace(), memories);
      this.keys = all.keys();
    }

    @Override
    List<TaskRange> begin(LongTable table) {
      return TaskRange.cut(0, keys.length(), Math.max(1, keys.length()));
    }

    @Override
    void end() {}

    /** False if found values overwrite the keys, so that there is a copy. */
    @Override
    boolean usesInPlace() {
      return keys.memory() == scratch.keys.memory();
    }
  }

  private final LongStore store;
  private final Workers workers;
  private final LongKeys.Operands all;
  private final Longs keys;
  private final BulkOptions options;
  private final int flags;
  private final LongScratch lender;
  private final List<Memory> made = new ArrayList<>();
  private @Nullable LongScratch scratch;

  private LongDeviceBatch(LongStore store, LongKeys.Operands all) {
    this.store = store;
    this.workers = store.workers();
    this.all = all;
    this.keys = all.keys();
    this.options = all.options();
    this.flags = all.flagsInPlace();
    this.lender = store.scratchPool.borrow(1, workers.count());
  }

  /**
   * Returns whether the keys of an operation are on the device of a store.
   *
   * @param others its other elements
   * @throws IllegalArgumentException if only some are on the device
   */
  static boolean holds(
      LongStore store, BulkOptions options, Longs keys, @Nullable Longs... others) {
    requireAlike(options, keys, others);
    return keys.isOnDevice() && !store.onJvm();
  }

  /** Throws if only some elements of an operation are on the device. */
  static void requireAlike(BulkOptions options, Longs keys, @Nullable Longs... others) {
    for (Longs other : others) {
      if (other != null && other.isOnDevice() != keys.isOnDevice()) {
        throw new IllegalArgumentException(
            "keys and values must all be on the device, or none: pass all by onDevice");
      }
    }
    options.requireOn(keys.isOnDevice());
    options.requireApart(keys.memory());
    for (Longs other : others) {
      options.requireApart(other == null ? null : other.memory());
    }
  }

  /**
   * Returns whether kernels can access all elements of an operation on the host in place, and
   * nothing else needs a copy.
   */
  static boolean reaches(LongStore store, BulkOptions options, @Nullable Longs... elements) {
    boolean all = !store.onJvm() && options.isNone();
    for (int i = 0; all && i < elements.length; i++) {
      Longs some = elements[i];
      Memory memory = some == null ? null : some.memory();
      all = some == null || (memory != null && store.workers().usesInPlace(memory));
    }
    return all;
  }

  /** Returns keys to insert; the destination of found values first has the given values. */
  static LongDeviceBatch toInsert(LongStore store, LongKeys.Operands operands) {
    LongDeviceBatch all = new LongDeviceBatch(store, operands);
    return all.orClosed(
        () -> {
          Memory given = all.memory(Objects.requireNonNull(operands.values()));
          Memory to = operands.found() == null ? given : all.memory(operands.found());
          boolean apart = !to.equals(given);
          Memory from = all.apartFrom(to, all.memory(all.keys), apart);
          Bytes outcomes = all.start(from, to).outcomes;
          all.choose(new Batch(numbers(from), numbers(given), outcomes));
          if (apart) {
            all.copy(given, to, outcomes, all.flags & MapCodes.MASKED);
          }
        });
  }

  /** Returns keys to look up. */
  static LongDeviceBatch toFind(LongStore store, LongKeys.Operands operands) {
    LongDeviceBatch all = new LongDeviceBatch(store, operands);
    return all.orClosed(
        () -> {
          Longs found = operands.found();
          boolean valued = (all.flags & MapCodes.VALUES) != 0;
          Memory unseen =
              valued && found == null ? all.make(Memory.ofLongs(all.keys.length())) : null;
          Memory given = all.memory(all.keys);
          Memory to = found != null ? all.memory(found) : unseen != null ? unseen : given;
          boolean again = all.options.entries() != null || store.defers;
          Memory from = all.apartFrom(to, given, again && valued);
          LongScratch _ = all.start(from, to);
        });
  }

  /** Returns the keys, or a copy if found values overwrite them. */
  private Memory apartFrom(Memory found, Memory given, boolean looksAgain) {
    if (!looksAgain || !found.equals(given)) {
      return given;
    }
    Memory copied = make(Memory.ofLongs(keys.length()));
    copy(given, copied, lender.outcomes, 0);
    return copied;
  }

  private void copy(Memory from, Memory to, Bytes outcomes, int options) {
    launch(new CopyIncluded(numbers(from), numbers(to), outcomes, options, keys.length()));
  }

  /** Copies elements of another type than the table's, or results to them. */
  private void convert(Numbers from, Numbers to, Longs elements) {
    launch(new CopyIncluded(from, to, lender.outcomes, 0, elements.length()));
  }

  /** Writes the keys of a retrieval to the caller's memory, unless they are there. */
  void writeKeys() {
    writeBack(keys, Objects.requireNonNull(scratch).keys.memory());
  }

  private void writeBack(Longs elements, @Nullable Memory made) {
    if (!elements.isInSegment()) {
      convert(numbers(Objects.requireNonNull(made)), elements.numbers(), elements);
    }
  }

  private static Numbers numbers(Memory memory) {
    return Numbers.of(/* DeviceInts */ DeviceLongs.of(memory));
  }

  private LongDeviceBatch orClosed(Runnable work) {
    try {
      orSkipped(work);
      return this;
    } catch (RuntimeException | Error e) {
      close();
      throw e;
    }
  }

  /** Runs a part of the operation; if it fails, remaining keys become SKIPPED. */
  void orSkipped(Runnable work) {
    try {
      work.run();
    } catch (RuntimeException | Error e) {
      skipOpen();
      throw e;
    }
  }

  private void skipOpen() {
    boolean interrupted = Thread.interrupted();
    try {
      Memory given = options.outcomeMemory();
      if (given != null) {
        Bytes outcomes = Bytes.of(given);
        long all = keys.length();
        launch(
            scratch == null
                ? StartOutcomes.skipping(outcomes, all)
                : new SkipUnfinished(outcomes, 0, all));
      }
    } catch (GyreException e) {
      // The caller gets the exception that explains why keys remain.
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** Returns the memory of elements, or of a copy if they are of another type. */
  private Memory memory(Longs elements) {
    Memory memory = elements.memory();
    if (memory == null) {
      throw new IllegalStateException("elements on a device that are in no memory");
    }
    if (!elements.isInSegment()) {
      memory = make(Memory.ofLongs(elements.length()));
      convert(elements.numbers(), numbers(memory), elements);
    }
    return memory;
  }

  private Memory make(Memory memory) {
    made.add(memory);
    workers.clearOnDevice(List.of(memory));
    return memory;
  }

  private void launch(Kernel kernel) {
    workers.launch(kernel, keys.length());
  }

  /** Marks the keys to process, if not all; outcomes are otherwise SKIPPED, which is 0. */
  private LongScratch start(Memory from, Memory values) {
    Memory given = options.outcomeMemory();
    boolean masked = (flags & MapCodes.MASKED) != 0;
    boolean needed = masked || (flags & MapCodes.OUTCOMES) != 0 || store.defers;
    Memory outcomes = lender.outcomeMemory;
    if (given != null) {
      outcomes = given;
    } else if (needed) {
      outcomes = make(Memory.ofBytes(keys.length()));
    }
    LongScratch started = new LongScratch(lender, from, values, outcomes);
    if (masked) {
      launch(options.starts(started.outcomes, keys.length()));
    } else if (given != null && given.byteSize() == keys.length()) {
      workers.clearOnDevice(List.of(given));
    } else if (given != null) {
      launch(StartOutcomes.skipping(started.outcomes, keys.length()));
    }
    scratch = started;
    return started;
  }

  private void choose(Batch given) {
    EntryPredicate predicate = options.entries();
    if (predicate != null) {
      launch(new FilterInserts(given, predicate, 0, keys.length()));
    }
  }

  /** All keys as one batch. */
  LongKeys batch() {
    return new InPlace(workers, Objects.requireNonNull(scratch), all);
  }

  @Override
  public void close() {
    try {
      if (scratch != null && all.found() != null) {
        writeBack(all.found(), scratch.values.memory());
      }
    } finally {
      store.scratchPool.giveBack(lender);
      Memories.close(made);
    }
  }
}
