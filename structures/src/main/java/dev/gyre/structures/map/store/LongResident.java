package dev.gyre.structures.map.store;

import dev.gyre.atomics.Bytes;
import dev.gyre.atomics.DeviceLongs;
import dev.gyre.atomics.GyreException;
import dev.gyre.atomics.IntTwin;
import dev.gyre.atomics.Memory;
import dev.gyre.kernels.Kernel;
import dev.gyre.kernels.map.Batch;
import dev.gyre.kernels.map.ChooseGiven;
import dev.gyre.kernels.map.CopyTaken;
import dev.gyre.kernels.map.EntryPredicate;
import dev.gyre.kernels.map.MapCodes;
import dev.gyre.kernels.map.Numbers;
import dev.gyre.kernels.map.SkipOpen;
import dev.gyre.kernels.map.StartOutcomes;
import dev.gyre.structures.Memories;
import dev.gyre.structures.map.BulkOptions;
import dev.gyre.structures.map.Longs;
import dev.gyre.structures.map.table.LongScratch;
import dev.gyre.structures.map.table.LongTable;
import dev.gyre.structures.map.work.Step;
import dev.gyre.structures.map.work.Workers;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Makes keys of a bulk operation ready that are on the device where the map is, or where it reaches
 * them, and what belongs to them: kernels work on them where they lie. What an operation asks for
 * and the caller did not give, such as outcomes for the sake of a mask, is made for as long as it
 * takes, and nothing is sent.
 */
@IntTwin
public final class LongResident implements AutoCloseable {

  /** All keys as one batch. */
  private static final class InPlace extends LongKeys {
    private final Longs keys;

    InPlace(Workers workers, LongScratch memories, LongOperands all) {
      super(workers, all.change(), all.options().entries(), all.flagsInPlace(), memories);
      this.keys = all.keys();
    }

    @Override
    List<Step> begin(LongTable table) {
      return Step.cut(0, keys.length(), Math.max(1, keys.length()));
    }

    @Override
    void end() {}

    /** Unless what is found goes to their place, so that there is a copy. */
    @Override
    boolean usesInPlace() {
      return keys.memory() == scratch.keys.memory();
    }
  }

  private final LongStore store;
  private final Workers workers;
  private final LongOperands all;
  private final Longs keys;
  private final BulkOptions options;
  private final int flags;
  private final LongScratch lender;
  private final List<Memory> made = new ArrayList<>();
  private @Nullable LongScratch stage;

  private LongResident(LongStore store, LongOperands all) {
    this.store = store;
    this.workers = store.workers();
    this.all = all;
    this.keys = all.keys();
    this.options = all.options();
    this.flags = all.flagsInPlace();
    this.lender = store.stages().borrow(1, workers.count());
  }

  /**
   * Whether the keys of an operation are on the device of a store.
   *
   * @param others what else it was given, if anything
   * @throws IllegalArgumentException if some of it all is there, and some is not
   */
  static boolean holds(
      LongStore store, BulkOptions options, Longs keys, @Nullable Longs... others) {
    requireAlike(options, keys, others);
    return keys.isOnDevice() && !store.onJvm();
  }

  /** Fails if some of what an operation is given is on the device, and some is not. */
  static void requireAlike(BulkOptions options, Longs keys, @Nullable Longs... others) {
    for (Longs other : others) {
      if (other != null && other.isOnDevice() != keys.isOnDevice()) {
        throw new IllegalArgumentException(
            "keys and values are all of them on the device, or none: give all by onDevice");
      }
    }
    options.requireOn(keys.isOnDevice());
    options.requireApart(keys.memory());
    for (Longs other : others) {
      options.requireApart(other == null ? null : other.memory());
    }
  }

  /**
   * Whether all elements that an operation is given are where kernels use them, though the host has
   * them, so that they need not be copied; and there is nothing to be copied beside them.
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

  /** Keys to be inserted; what they are to find is first the values that were given. */
  static LongResident toInsert(LongStore store, LongOperands operands) {
    LongResident all = new LongResident(store, operands);
    return all.orClosed(
        () -> {
          Memory given = memory(Objects.requireNonNull(operands.values()));
          Memory to = operands.found() == null ? given : memory(operands.found());
          boolean apart = !to.equals(given);
          Memory from = all.keysBeside(to, apart);
          Bytes outcomes = all.start(from, to).outcomes;
          all.choose(new Batch(numbers(from), numbers(given), outcomes));
          if (apart) {
            all.copy(given, to, outcomes, all.flags & MapCodes.MASKED);
          }
        });
  }

  /** Keys to be found. */
  static LongResident toFind(LongStore store, LongOperands operands) {
    LongResident all = new LongResident(store, operands);
    return all.orClosed(
        () -> {
          Longs found = operands.found();
          boolean valued = (all.flags & MapCodes.VALUES) != 0;
          Memory unseen =
              valued && found == null ? all.make(Memory.ofLongs(all.keys.length())) : null;
          Memory to = found != null ? memory(found) : unseen != null ? unseen : memory(all.keys);
          boolean again = all.options.entries() != null || store.defers();
          Memory from = all.keysBeside(to, again && valued);
          LongScratch _ = all.start(from, to);
        });
  }

  /** The keys, or a copy of them where what is found goes in their place. */
  private Memory keysBeside(Memory found, boolean looksAgain) {
    Memory given = memory(keys);
    if (!looksAgain || !found.equals(given)) {
      return given;
    }
    Memory copied = make(Memory.ofLongs(keys.length()));
    copy(given, copied, lender.outcomes, 0);
    return copied;
  }

  private void copy(Memory from, Memory to, Bytes outcomes, int options) {
    launch(new CopyTaken(numbers(from), numbers(to), outcomes, options, keys.length()));
  }

  private static Numbers numbers(Memory memory) {
    return Numbers.of(/* DeviceInts */ DeviceLongs.of(memory));
  }

  private LongResident orClosed(Runnable work) {
    try {
      orSkipped(work);
      return this;
    } catch (RuntimeException | Error e) {
      close();
      throw e;
    }
  }

  /** Does a part of the operation; where that fails, outcomes say so of keys that are left. */
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
            stage == null ? StartOutcomes.skipping(outcomes, all) : new SkipOpen(outcomes, 0, all));
      }
    } catch (GyreException e) {
      // Who called is about to be told why keys are left.
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private static Memory memory(Longs elements) {
    Memory memory = elements.memory();
    if (memory == null) {
      throw new IllegalStateException("elements on a device that are in no memory");
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

  /** Says what is to be taken, where not all is; outcomes are else SKIPPED, which is 0. */
  private LongScratch start(Memory from, Memory values) {
    Memory given = options.outcomeMemory();
    boolean masked = (flags & MapCodes.MASKED) != 0;
    boolean needed = masked || (flags & MapCodes.OUTCOMES) != 0 || store.defers();
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
    stage = started;
    return started;
  }

  private void choose(Batch given) {
    EntryPredicate predicate = options.entries();
    if (predicate != null) {
      launch(new ChooseGiven(given, predicate, 0, keys.length()));
    }
  }

  /** All keys as one batch. */
  LongKeys batch() {
    return new InPlace(workers, Objects.requireNonNull(stage), all);
  }

  @Override
  public void close() {
    store.stages().giveBack(lender);
    Memories.close(made);
  }
}
