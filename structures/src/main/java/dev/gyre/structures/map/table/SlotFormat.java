package dev.gyre.structures.map.table;

import dev.gyre.atomics.DeviceInts;
import dev.gyre.atomics.DeviceLongs;
import dev.gyre.atomics.Memory;
import dev.gyre.kernels.map.Hash;
import dev.gyre.kernels.map.Hashing;
import dev.gyre.kernels.map.IntSlots;
import dev.gyre.kernels.map.KeySlots;
import dev.gyre.kernels.map.LongSlots;
import dev.gyre.kernels.map.NumberTable;
import dev.gyre.kernels.map.PackedSlots;
import dev.gyre.kernels.map.Removal;
import dev.gyre.structures.Memories;
import dev.gyre.structures.map.Layout;
import dev.gyre.structures.map.file.SavedMap.Kind;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Types, layout and hash of the slots of a table of numbers.
 *
 * @param kind types of keys and values
 * @param removable whether keys can be removed
 */
public record SlotFormat(Kind kind, Layout layout, Hash hash, boolean removable) {

  /** Largest number of slots if ints are hashed: the hash scales 32 bits to slots. */
  private static final long MAX_INT_SLOTS = 1L << 32;

  /** Largest number of other slots, more than any memory. */
  private static final long MAX_SLOTS = 1L << 56;

  /** Returns the format of a new table. A set has packed slots, whatever the layout. */
  public static SlotFormat of(Kind kind, Layout layout, @Nullable Hash other, boolean removable) {
    Layout used = kind.isSetOfNumbers() ? Layout.PACKED : layout;
    return new SlotFormat(kind, used, hash(kind, other), removable);
  }

  /** Returns the default layout of a map. */
  public static Layout layout(Kind kind, boolean removable) {
    return switch (kind) {
      case INTS, INT_SET, LONG_SET -> Layout.PACKED;
      case TEXTS, TEXT_SET -> Layout.LINE;
      // A removal touches the state and the value: in one line.
      case LONGS -> removable ? Layout.LINE : Layout.REFERENCE;
      default -> Layout.REFERENCE;
    };
  }

  /** Returns the hash of a table. */
  static Hash hash(Kind kind, @Nullable Hash other) {
    boolean ints = kind.isOfInts();
    if (other == null) {
      return ints ? new Hashing.OfInts() : new Hashing.OfLongs();
    }
    if (ints ? other instanceof Hashing.OfInts : other instanceof Hashing.OfLongs) {
      return other;
    }
    Hash mixed = new Hash.Remixed(other);
    return ints ? new Hash.UpperHalf(mixed) : mixed;
  }

  long maxSlots() {
    return kind.isOfInts() ? MAX_INT_SLOTS : MAX_SLOTS;
  }

  /**
   * Allocates the memories of a table.
   *
   * @throws IllegalArgumentException if the layout is for other types of numbers
   */
  List<Memory> memories(long slots) {
    return switch (layout) {
      case REFERENCE ->
          Memories.make(
              () -> Memory.addressable(slots, Integer.BYTES),
              () -> Memory.addressable(slots, kind.keyBytes()),
              () -> Memory.addressable(slots, kind.valueBytes()));
      case LINE -> {
        if (kind.isOfInts() || kind.isMixed()) {
          throw new IllegalArgumentException(
              "lines hold longs only; take %sLayout.REFERENCE for a map of ints"
                  .formatted(kind.isMixed() ? "" : "Layout.PACKED or "));
        }
        yield List.of(Memory.addressable(LongSlots.Line.SLOT_LONGS * slots, Long.BYTES));
      }
      case PACKED -> {
        if (!kind.isOfInts() && !kind.isSetOfNumbers()) {
          throw new IllegalArgumentException(
              "packed slots hold ints only; take Layout.REFERENCE%s for a map of longs"
                  .formatted(kind.isMixed() ? "" : " or Layout.LINE"));
        }
        yield List.of(
            Memory.addressable(
                places(slots), kind.isSetOfNumbers() ? kind.keyBytes() : Long.BYTES));
      }
    };
  }

  /** Returns the number of slots to retrieve: in layout PACKED, side slots are after all others. */
  long places(long slots) {
    if (layout != Layout.PACKED) {
      return slots;
    }
    return kind.isSetOfNumbers() ? KeySlots.words(slots, removable) : PackedSlots.words(slots);
  }

  /**
   * Returns slots in memories. Old files of sets have no values in layout REFERENCE; the keys stand
   * for them.
   */
  NumberTable slots(List<Memory> memories, long slots, long seed) {
    Memory first = memories.getFirst();
    Removal removal = Removal.of(removable);
    return switch (layout) {
      case REFERENCE ->
          reference(
              DeviceInts.of(first), memories.get(1), memories.getLast(), slots, seed, removal);
      case LINE ->
          new LongSlots.Line(
              DeviceInts.of(first), DeviceLongs.of(first), slots, seed, hash, removal);
      case PACKED -> {
        if (!kind.isSetOfNumbers()) {
          yield new PackedSlots(DeviceLongs.of(first), slots, seed, hash, removal);
        }
        yield kind.isOfInts()
            ? new KeySlots.OfInts(DeviceInts.of(first), slots, seed, hash, removal)
            : new KeySlots.OfLongs(DeviceLongs.of(first), slots, seed, hash, removal);
      }
    };
  }

  private NumberTable reference(
      DeviceInts states, Memory keys, Memory values, long slots, long seed, Removal removal) {
    return switch (kind) {
      case INTS, INT_SET ->
          new IntSlots(
              states, DeviceInts.of(keys), DeviceInts.of(values), slots, seed, hash, removal);
      case INT_LONGS ->
          new LongSlots.IntKeyed(
              states, DeviceInts.of(keys), DeviceLongs.of(values), slots, seed, hash, removal);
      case LONG_INTS ->
          new LongSlots.IntValued(
              states, DeviceLongs.of(keys), DeviceInts.of(values), slots, seed, hash, removal);
      default ->
          new LongSlots.Reference(
              states, DeviceLongs.of(keys), DeviceLongs.of(values), slots, seed, hash, removal);
    };
  }
}
