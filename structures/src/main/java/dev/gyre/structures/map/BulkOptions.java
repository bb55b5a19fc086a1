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
 * What a bulk operation does beside its work: leave keys out, and say what became of each.
 *
 * <p>Immutable; {@link #NONE} is the start: {@code BulkOptions.NONE.where(mask).outcomes(codes)}.
 */
public final class BulkOptions {

  /** All keys, and no outcomes but in sum. */
  public static final BulkOptions NONE =
      new BulkOptions(null, null, null, new Chosen(null, null, null), new Told(null, null));

  /** Which keys are taken: those of elements that are true, or not 0, or codes; else all. */
  @SuppressWarnings("ArrayRecordComponent") // Compared with nothing.
  private record Chosen(
      boolean @Nullable [] mask, @Nullable MemorySegment bytes, @Nullable Codes codes) {

    boolean takes(long key) {
      if (codes != null) {
        return codes.takes(key);
      }
      return bytes != null ? bytes.get(JAVA_BYTE, key) != 0 : mask == null || mask[(int) key];
    }

    /** Whether all keys are. */
    boolean isAll() {
      return mask == null && bytes == null && codes == null;
    }
  }

  /**
   * Codes in a memory, and the one that counts.
   *
   * @param copy of the codes, where outcomes of the same operation go to the memory on the host
   */
  private record Codes(Memory memory, @Nullable MemorySegment copy, Outcome outcome) {

    boolean takes(long key) {
      MemorySegment codes = copy == null ? memory.segment() : copy;
      return codes.get(JAVA_BYTE, key) == outcome.code();
    }

    /** These, with a copy of those of some keys. */
    Codes copied(long keys) {
      MemorySegment copied = Arena.ofAuto().allocate(keys);
      MemorySegment _ = copied.copyFrom(memory.segment().asSlice(0, keys));
      return new Codes(memory, copied, outcome);
    }
  }

  /** Where outcomes go: to the host, or to where keys are on the device. */
  private record Told(@Nullable MemorySegment host, @Nullable Memory memory) {}

  private final @Nullable EntryPredicate entries;
  private final @Nullable TextPredicate texts;
  private final @Nullable RecordPredicate records;
  private final Chosen chosen;
  private final Told told;

  private BulkOptions(
      @Nullable EntryPredicate entries,
      @Nullable TextPredicate texts,
      @Nullable RecordPredicate records,
      Chosen chosen,
      Told told) {
    this.entries = entries;
    this.texts = texts;
    this.records = records;
    this.chosen = chosen;
    this.told = told;
  }

  /** Leaves out the keys whose element is false; one element per key. */
  public BulkOptions where(boolean[] mask) {
    Objects.requireNonNull(mask, "mask");
    return new BulkOptions(entries, texts, records, new Chosen(mask, null, null), told);
  }

  /**
   * The same by bytes of a segment, one per key, of which 0 leaves a key out.
   *
   * @throws IllegalArgumentException if it can be used by one thread only; an operation throws it
   *     if the arena was closed
   */
  public BulkOptions where(MemorySegment mask) {
    Longs.requireShared(Objects.requireNonNull(mask, "mask"));
    return new BulkOptions(entries, texts, records, new Chosen(null, mask, null), told);
  }

  /**
   * Takes the keys whose {@linkplain Outcome#code code} in a memory is that of an outcome, such as
   * {@link #outcomes(Memory)} of an earlier operation wrote it or a kernel; a byte per key. It goes
   * with keys that are {@linkplain Longs#onDevice on the device}, as kernels see the memory, which
   * may be the one that outcomes go to, but none of keys or values.
   */
  public BulkOptions where(Memory codes, Outcome outcome) {
    Codes these =
        new Codes(
            Objects.requireNonNull(codes, "codes"),
            null,
            Objects.requireNonNull(outcome, "outcome"));
    return new BulkOptions(entries, texts, records, new Chosen(null, null, these), told);
  }

  /**
   * Leaves out the keys whose entries a predicate does not hold for, of those that a mask leaves
   * in. An insert asks it of a key and the value that comes with it; other keys are SKIPPED. A find
   * asks it of a key and the value that the map has; other keys are ABSENT. Of a set, each number
   * is its own value, and texts have the value 0.
   *
   * @throws dev.gyre.kernels.KernelException if it is no record of handles and numbers
   */
  public BulkOptions where(EntryPredicate predicate) {
    var _ = KernelTree.of(Objects.requireNonNull(predicate, "predicate"));
    return new BulkOptions(predicate, null, null, chosen, told);
  }

  /** {@link #where(EntryPredicate)} of keys that are texts. */
  public BulkOptions whereText(TextPredicate predicate) {
    var _ = KernelTree.of(Objects.requireNonNull(predicate, "predicate"));
    return new BulkOptions(null, predicate, null, chosen, told);
  }

  /** {@link #where(EntryPredicate)} of keys that are records. */
  public BulkOptions whereRecord(RecordPredicate predicate) {
    var _ = KernelTree.of(Objects.requireNonNull(predicate, "predicate"));
    return new BulkOptions(null, null, predicate, chosen, told);
  }

  /** Writes the {@linkplain Outcome#code code} of each key's outcome; one element per key. */
  public BulkOptions outcomes(byte[] outcomes) {
    return outcomes(MemorySegment.ofArray(Objects.requireNonNull(outcomes, "outcomes")));
  }

  /**
   * The same to a segment, a byte per key.
   *
   * @throws IllegalArgumentException if it can be used by one thread only, or not be written to; an
   *     operation throws it if the arena was closed
   */
  public BulkOptions outcomes(MemorySegment outcomes) {
    Longs.requireShared(Objects.requireNonNull(outcomes, "outcomes"));
    if (outcomes.isReadOnly()) {
      throw new IllegalArgumentException(
          "outcomes cannot be written to a segment that is read only");
    }
    return new BulkOptions(entries, texts, records, chosen, new Told(outcomes, null));
  }

  /**
   * The same to a memory, a byte per key from its beginning on; what follows stays as it is. It
   * goes with keys that are {@linkplain Longs#onDevice on the device}, is written there, and is no
   * memory of keys or values.
   */
  public BulkOptions outcomes(Memory outcomes) {
    return new BulkOptions(
        entries,
        texts,
        records,
        chosen,
        new Told(null, Objects.requireNonNull(outcomes, "outcomes")));
  }

  /** Whether a mask, or codes, leave keys out. */
  @Internal
  public boolean isMasked() {
    return !chosen.isAll();
  }

  /** What an operation on numbers asks, if anything. */
  @Internal
  public @Nullable EntryPredicate entries() {
    if (texts != null || records != null) {
      throw new IllegalArgumentException("keys are numbers here: choose by an EntryPredicate");
    }
    return entries;
  }

  /** What an operation on texts asks, if anything. */
  @Internal
  public @Nullable TextPredicate texts() {
    if (entries != null || records != null) {
      throw new IllegalArgumentException("keys are texts here: choose by a TextPredicate");
    }
    return texts;
  }

  /** What an operation on records asks, if anything. */
  @Internal
  public @Nullable RecordPredicate records() {
    if (entries != null || texts != null) {
      throw new IllegalArgumentException("keys are records here: choose by a RecordPredicate");
    }
    return records;
  }

  /** Whether all keys are taken, of an insert. */
  @Internal
  public boolean takeAll() {
    return !isMasked() && entries == null && texts == null && records == null;
  }

  /** The same predicate, with no key left out beforehand, and nothing told. */
  @Internal
  public BulkOptions ofAll() {
    return new BulkOptions(entries, texts, records, NONE.chosen, NONE.told);
  }

  /** Whether there is nothing to do beside the work. */
  @Internal
  public boolean isNone() {
    return takeAll() && told.host() == null && told.memory() == null;
  }

  /** A start for the outcome of a key: SKIPPED where the mask says so, else PENDING. */
  @Internal
  public byte start(long key) {
    return chosen.takes(key) ? MapCodes.PENDING : MapCodes.SKIPPED;
  }

  /** Sets the outcomes of keys on a device, of all that there are, to their {@link #start}. */
  @Internal
  public Kernel starts(Bytes outcomes, long keys) {
    Codes codes = chosen.codes();
    return codes == null
        ? new StartOutcomes(outcomes, StartOutcomes.ALL, outcomes, keys)
        : new StartOutcomes(Bytes.of(codes.memory()), codes.outcome().code(), outcomes, keys);
  }

  /** Where the host writes outcomes; nowhere if null. */
  @Internal
  public @Nullable MemorySegment outcomes() {
    Memory memory = told.memory();
    return memory == null ? told.host() : memory.segment();
  }

  /** The memory for outcomes, if one was given. */
  @Internal
  public @Nullable Memory outcomeMemory() {
    return told.memory();
  }

  /** Writes that no key was looked at yet, on the host; returns the options to go on with. */
  @Internal
  public BulkOptions skipAll(long keys) {
    Codes codes = chosen.codes();
    BulkOptions kept = this;
    if (codes != null && codes.memory().equals(told.memory())) {
      kept =
          new BulkOptions(
              entries, texts, records, new Chosen(null, null, codes.copied(keys)), told);
    }
    MemorySegment outcomes = outcomes();
    if (outcomes != null) {
      MemorySegment _ = outcomes.asSlice(0, keys).fill(MapCodes.SKIPPED);
    }
    return kept;
  }

  /** Fails if codes or outcomes are in a memory of keys or values. */
  @Internal
  public void requireApart(@Nullable Memory elements) {
    Codes codes = chosen.codes();
    boolean shared = codes != null && codes.memory().equals(elements);
    if (elements != null && (shared || elements.equals(told.memory()))) {
      throw new IllegalArgumentException(
          "keys or values are in the memory of codes or outcomes: give those one of their own");
    }
  }

  /**
   * Fails if masks and outcomes are not where the keys are.
   *
   * @param onDevice whether keys are on the device
   */
  @Internal
  public void requireOn(boolean onDevice) {
    boolean onHost = chosen.mask() != null || chosen.bytes() != null || told.host() != null;
    boolean memories = chosen.codes() != null || told.memory() != null;
    if (onDevice ? onHost : memories) {
      throw new IllegalArgumentException(
          onDevice
              ? "keys are on the device: choose them by where(Memory, Outcome) or a predicate, and"
                  + " give outcomes a Memory"
              : "keys are on the host: choose them by where(boolean[]), where(MemorySegment) or a"
                  + " predicate, and give outcomes an array or a segment");
    }
  }

  void check(long keys) {
    boolean[] mask = chosen.mask();
    MemorySegment bytes = chosen.bytes();
    MemorySegment outcomes = told.host();
    if (bytes != null) {
      Memories.requireReadable(bytes);
    }
    if (outcomes != null) {
      Memories.requireReadable(outcomes);
    }
    check(mask == null ? keys : mask.length, keys, "a mask of as many elements");
    check(bytes == null ? keys : bytes.byteSize(), keys, "a mask of as many elements");
    check(outcomes == null ? keys : outcomes.byteSize(), keys, "an array of as many outcomes");
    if (bytes != null && outcomes != null) {
      Overlaps.requireApart(outcomes, bytes, "outcomes would go to the mask");
    }
    Codes codes = chosen.codes();
    check(codes == null ? null : codes.memory(), keys);
    check(told.memory(), keys);
  }

  /** Fails if outcomes would be written over elements that the operation reads. */
  void requireOutcomesApart(MemorySegment elements) {
    MemorySegment outcomes = told.host();
    if (outcomes != null) {
      Overlaps.requireApart(outcomes, elements, "outcomes would go to keys or values");
    }
  }

  /** Fails if values that are found would be written over the mask or the outcomes. */
  void requireApartFrom(MemorySegment found) {
    MemorySegment bytes = chosen.bytes();
    if (bytes != null) {
      Overlaps.requireApart(found, bytes, "values would go to the mask");
    }
    requireOutcomesApart(found);
  }

  private static void check(long length, long keys, String what) {
    if (length != keys) {
      throw new IllegalArgumentException("%d keys need %s, not %d".formatted(keys, what, length));
    }
  }

  private static void check(@Nullable Memory bytes, long keys) {
    if (bytes != null && bytes.byteSize() < keys) {
      throw new IllegalArgumentException(
          "%d keys need a memory of as many bytes, not %d".formatted(keys, bytes.byteSize()));
    }
  }
}
