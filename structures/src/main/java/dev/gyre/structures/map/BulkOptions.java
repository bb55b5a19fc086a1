package dev.gyre.structures.map;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import dev.gyre.atomics.Bytes;
import dev.gyre.atomics.Internal;
import dev.gyre.atomics.Memory;
import dev.gyre.kernels.Kernel;
import dev.gyre.kernels.KernelTree;
import dev.gyre.kernels.map.EntryPredicate;
import dev.gyre.kernels.map.MapCodes;
import dev.gyre.kernels.map.RecordPredicate;
import dev.gyre.kernels.map.StartOutcomes;
import dev.gyre.kernels.map.TextPredicate;
import dev.gyre.structures.Memories;
import dev.gyre.structures.Overlaps;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Options of a bulk operation: which keys it takes, where it writes the outcome of each key, and
 * whether it throws if a map of fixed capacity is full.
 *
 * <pre>{@code
 * byte[] outcomes = new byte[keys.length];
 * map.insert(Longs.of(keys), Longs.of(values), BulkOptions.NONE.where(mask).outcomes(outcomes));
 * boolean isNew = Outcome.of(outcomes[0]) == Outcome.INSERTED;
 * }</pre>
 *
 * <p>Immutable: start with {@link #NONE}.
 *
 * @since 0.1.0
 */
public final class BulkOptions {

  /** Takes all keys and writes no outcomes. */
  public static final BulkOptions NONE =
      new BulkOptions(null, new Selection(null, null, null), new Destination(null, null), false);

  /**
   * Keys that are taken: where the element of the mask is true or not 0, or the code matches;
   * otherwise all.
   */
  @SuppressWarnings("ArrayRecordComponent") // Compared with nothing.
  private record Selection(
      boolean @Nullable [] mask, @Nullable MemorySegment bytes, @Nullable Codes codes) {

    boolean takes(long key) {
      if (codes != null) {
        return codes.takes(key);
      }
      return bytes != null ? bytes.get(JAVA_BYTE, key) != 0 : mask == null || mask[(int) key];
    }

    /** Returns whether all keys are taken. */
    boolean isAll() {
      return mask == null && bytes == null && codes == null;
    }
  }

  /**
   * Outcome codes in a memory, and the code of the keys to take.
   *
   * @param copy copy of the codes, if the operation writes its outcomes to the same memory on the
   *     host
   */
  private record Codes(Memory memory, @Nullable MemorySegment copy, Outcome outcome) {

    boolean takes(long key) {
      MemorySegment codes = copy == null ? memory.segment() : copy;
      return codes.get(JAVA_BYTE, key) == outcome.code();
    }

    /** Returns these codes with a copy of the codes of the first keys. */
    Codes copied(long keys) {
      MemorySegment copied = Arena.ofAuto().allocate(keys);
      MemorySegment _ = copied.copyFrom(memory.segment().asSlice(0, keys));
      return new Codes(memory, copied, outcome);
    }
  }

  /** Destination of outcomes: on the host, or where the keys are on the device. */
  private record Destination(@Nullable MemorySegment host, @Nullable Memory memory) {}

  /** Predicate on entries with keys of a type. */
  private record Filter(Class<?> type, Object predicate) {}

  private final @Nullable Filter filter;
  private final Selection selection;
  private final Destination destination;
  private final boolean throwsIfFull;

  private BulkOptions(
      @Nullable Filter filter, Selection selection, Destination destination, boolean throwsIfFull) {
    this.filter = filter;
    this.selection = selection;
    this.destination = destination;
    this.throwsIfFull = throwsIfFull;
  }

  private BulkOptions with(Selection keys) {
    return new BulkOptions(filter, keys, destination, throwsIfFull);
  }

  private BulkOptions with(Destination outcomes) {
    return new BulkOptions(filter, selection, outcomes, throwsIfFull);
  }

  /** Throws if there is a predicate, which an operation does not take. */
  void requireNoPredicate() {
    if (filter != null) {
      throw new IllegalArgumentException("a removal of given keys takes no predicate");
    }
  }

  /** Takes only the keys whose element is true; one element per key. */
  public BulkOptions where(boolean[] mask) {
    Objects.requireNonNull(mask, "mask");
    return with(new Selection(mask, null, null));
  }

  /**
   * Takes only the keys whose byte in a segment is not 0; one byte per key.
   *
   * @throws IllegalArgumentException if only one thread can access the segment. An operation throws
   *     it if the arena is closed.
   */
  public BulkOptions where(MemorySegment mask) {
    Longs.requireShared(Objects.requireNonNull(mask, "mask"));
    return with(new Selection(null, mask, null));
  }

  /**
   * Takes only the keys whose {@linkplain Outcome#code code} in a memory is that of an outcome; one
   * byte per key.
   *
   * <p>A kernel or an earlier operation with {@link #outcomes(Memory)} wrote the codes. The keys
   * must be {@linkplain Longs#onDevice on the device}. The memory may be the one for outcomes, and
   * must not hold keys or values.
   */
  public BulkOptions where(Memory codes, Outcome outcome) {
    Codes these =
        new Codes(
            Objects.requireNonNull(codes, "codes"),
            null,
            Objects.requireNonNull(outcome, "outcome"));
    return with(new Selection(null, null, these));
  }

  /**
   * Takes only the keys for whose entries a predicate returns true, in addition to a mask.
   *
   * <p>An insert passes a key and its new value to the predicate; other keys are SKIPPED. A lookup
   * passes a key and its value in the map; other keys are ABSENT. In a set, the value of a number
   * is the number itself and the value of a text is 0.
   *
   * @throws dev.gyre.kernels.KernelException if the predicate is not a record of handles and
   *     numbers
   */
  public BulkOptions where(EntryPredicate predicate) {
    return where(EntryPredicate.class, predicate);
  }

  /**
   * Takes only the text keys for whose entries a predicate returns true; see {@link
   * #where(EntryPredicate)}.
   */
  public BulkOptions whereText(TextPredicate predicate) {
    return where(TextPredicate.class, predicate);
  }

  /**
   * Takes only the record keys for whose entries a predicate returns true; see {@link
   * #where(EntryPredicate)}.
   */
  public BulkOptions whereRecord(RecordPredicate predicate) {
    return where(RecordPredicate.class, predicate);
  }

  private BulkOptions where(Class<?> type, Object predicate) {
    var _ = KernelTree.of(Objects.requireNonNull(predicate, "predicate"));
    return new BulkOptions(new Filter(type, predicate), selection, destination, throwsIfFull);
  }

  /**
   * Writes the {@linkplain Outcome#code code} of each key's outcome to an array; one element per
   * key.
   */
  public BulkOptions outcomes(byte[] outcomes) {
    return outcomes(MemorySegment.ofArray(Objects.requireNonNull(outcomes, "outcomes")));
  }

  /**
   * Writes the outcomes to a segment, one byte per key.
   *
   * @throws IllegalArgumentException if the segment is read-only or only one thread can access it.
   *     An operation throws it if the arena is closed.
   */
  public BulkOptions outcomes(MemorySegment outcomes) {
    Longs.requireShared(Objects.requireNonNull(outcomes, "outcomes"));
    if (outcomes.isReadOnly()) {
      throw new IllegalArgumentException("outcomes cannot be written to a read-only segment");
    }
    return with(new Destination(outcomes, null));
  }

  /**
   * Writes the outcomes to the first bytes of a memory, one byte per key, on the device.
   *
   * <p>The keys must be {@linkplain Longs#onDevice on the device}. The memory must not hold keys or
   * values.
   */
  public BulkOptions outcomes(Memory outcomes) {
    return with(new Destination(null, Objects.requireNonNull(outcomes, "outcomes")));
  }

  /**
   * Makes an insert throw a {@link MapFullException} if keys do not fit in a map of fixed capacity,
   * as {@code put} does. Lookups ignore this option.
   *
   * <p>The insert throws after it has tried all keys: all that fit are in the map, and outcomes are
   * written. {@link dev.gyre.atomics.GyreException#soFar} of the exception returns the {@link
   * InsertCounts}, which a call without this option returns.
   */
  public BulkOptions throwIfFull() {
    return new BulkOptions(filter, selection, destination, true);
  }

  /** Returns whether an insert throws if keys are FULL. */
  @Internal
  public boolean throwsIfFull() {
    return throwsIfFull;
  }

  /** Returns whether a mask or codes leave keys out. */
  @Internal
  public boolean isMasked() {
    return !selection.isAll();
  }

  /** Returns the predicate of an operation on numbers, or null. */
  @Internal
  public @Nullable EntryPredicate entries() {
    return predicate(EntryPredicate.class, "the keys are numbers: use an EntryPredicate");
  }

  /** Returns the predicate of an operation on texts, or null. */
  @Internal
  public @Nullable TextPredicate texts() {
    return predicate(TextPredicate.class, "the keys are texts: use a TextPredicate");
  }

  /** Returns the predicate of an operation on records, or null. */
  @Internal
  public @Nullable RecordPredicate records() {
    return predicate(RecordPredicate.class, "the keys are records: use a RecordPredicate");
  }

  private <P> @Nullable P predicate(Class<P> type, String other) {
    if (filter != null && filter.type() != type) {
      throw new IllegalArgumentException(other);
    }
    return filter == null ? null : type.cast(filter.predicate());
  }

  /** Returns whether an insert takes all keys. */
  @Internal
  public boolean takeAll() {
    return !isMasked() && filter == null;
  }

  /** Returns options with the same predicate, without mask and outcomes. */
  @Internal
  public BulkOptions ofAll() {
    return new BulkOptions(filter, NONE.selection, NONE.destination, false);
  }

  /** Returns whether these options take all keys and write no outcomes. */
  @Internal
  public boolean isNone() {
    return takeAll() && destination.host() == null && destination.memory() == null;
  }

  /** Returns the initial outcome of a key: SKIPPED if the mask leaves it out, otherwise PENDING. */
  @Internal
  public byte start(long key) {
    return selection.takes(key) ? MapCodes.PENDING : MapCodes.SKIPPED;
  }

  /** Returns a kernel that sets the outcomes of all keys on a device to their {@link #start}. */
  @Internal
  public Kernel starts(Bytes outcomes, long keys) {
    Codes codes = selection.codes();
    return codes == null
        ? new StartOutcomes(outcomes, StartOutcomes.ALL, outcomes, keys)
        : new StartOutcomes(Bytes.of(codes.memory()), codes.outcome().code(), outcomes, keys);
  }

  /** Returns the destination of outcomes on the host, or null. */
  @Internal
  public @Nullable MemorySegment outcomes() {
    Memory memory = destination.memory();
    return memory == null ? destination.host() : memory.segment();
  }

  /** Returns the memory for outcomes, or null. */
  @Internal
  public @Nullable Memory outcomeMemory() {
    return destination.memory();
  }

  /** Sets all outcomes on the host to SKIPPED; returns the options to continue with. */
  @Internal
  public BulkOptions skipAll(long keys) {
    Codes codes = selection.codes();
    BulkOptions kept = this;
    if (codes != null && codes.memory().equals(destination.memory())) {
      kept = with(new Selection(null, null, codes.copied(keys)));
    }
    MemorySegment outcomes = outcomes();
    if (outcomes != null) {
      MemorySegment _ = outcomes.asSlice(0, keys).fill(MapCodes.SKIPPED);
    }
    return kept;
  }

  /** Throws if codes or outcomes are in a memory of keys or values. */
  @Internal
  public void requireApart(@Nullable Memory elements) {
    Codes codes = selection.codes();
    boolean shared = codes != null && codes.memory().equals(elements);
    if (elements != null && (shared || elements.equals(destination.memory()))) {
      throw new IllegalArgumentException(
          "keys or values are in the memory of codes or outcomes: give codes and outcomes a"
              + " separate Memory");
    }
  }

  /**
   * Throws if masks and outcomes are not where the keys are.
   *
   * @param onDevice whether the keys are on the device
   */
  @Internal
  public void requireOn(boolean onDevice) {
    boolean onHost =
        selection.mask() != null || selection.bytes() != null || destination.host() != null;
    boolean memories = selection.codes() != null || destination.memory() != null;
    if (onDevice ? onHost : memories) {
      throw new IllegalArgumentException(
          onDevice
              ? "the keys are on the device: select them by where(Memory, Outcome) or a predicate,"
                  + " and give outcomes a Memory"
              : "the keys are on the host: select them by where(boolean[]), where(MemorySegment) or"
                  + " a predicate, and give outcomes an array or a segment");
    }
  }

  void check(long keys) {
    boolean[] mask = selection.mask();
    MemorySegment bytes = selection.bytes();
    MemorySegment outcomes = destination.host();
    if (bytes != null) {
      Memories.requireReadable(bytes);
    }
    if (outcomes != null) {
      Memories.requireReadable(outcomes);
    }
    check(mask == null ? keys : mask.length, keys, "a mask of the same length");
    check(bytes == null ? keys : bytes.byteSize(), keys, "a mask of the same length");
    check(
        outcomes == null ? keys : outcomes.byteSize(), keys, "an outcome array of the same length");
    if (bytes != null && outcomes != null) {
      Overlaps.requireApart(outcomes, bytes, "outcomes would overwrite the mask");
    }
    Codes codes = selection.codes();
    check(codes == null ? null : codes.memory(), keys);
    check(destination.memory(), keys);
  }

  /** Throws if outcomes would overwrite elements that the operation reads. */
  void requireOutcomesApart(MemorySegment elements) {
    MemorySegment outcomes = destination.host();
    if (outcomes != null) {
      Overlaps.requireApart(outcomes, elements, "outcomes would overwrite keys or values");
    }
  }

  /** Throws if values that are found would overwrite the mask or the outcomes. */
  void requireApartFrom(MemorySegment found) {
    MemorySegment bytes = selection.bytes();
    if (bytes != null) {
      Overlaps.requireApart(found, bytes, "values would overwrite the mask");
    }
    requireOutcomesApart(found);
  }

  static void requireAsMany(long keys, long values) {
    if (values != keys) {
      throw new IllegalArgumentException(
          "%d keys need as many values, not %d".formatted(keys, values));
    }
  }

  static void requireOutput(long keys, long found, boolean readOnly) {
    if (found != keys || readOnly) {
      throw new IllegalArgumentException(
          "%d keys need as many elements to write values to, not %d".formatted(keys, found));
    }
  }

  private static void check(long length, long keys, String what) {
    if (length != keys) {
      throw new IllegalArgumentException("%d keys need %s, not %d".formatted(keys, what, length));
    }
  }

  private static void check(@Nullable Memory bytes, long keys) {
    if (bytes != null && bytes.byteSize() < keys) {
      throw new IllegalArgumentException(
          "%d keys need a memory of at least as many bytes, not %d"
              .formatted(keys, bytes.byteSize()));
    }
  }
}
