package dev.gyre.structures.map.table;

import dev.gyre.atomics.AddressPin;
import dev.gyre.atomics.DeviceDoubles;
import dev.gyre.atomics.DeviceFloats;
import dev.gyre.atomics.DeviceInts;
import dev.gyre.atomics.DeviceLongs;
import dev.gyre.atomics.Memory;
import dev.gyre.kernels.Kernel;
import dev.gyre.kernels.SpecializedCode;
import dev.gyre.kernels.map.Batch;
import dev.gyre.kernels.map.Change;
import dev.gyre.kernels.map.ColumnChange;
import dev.gyre.kernels.map.EntryPredicate;
import dev.gyre.kernels.map.EntryVisitor;
import dev.gyre.kernels.map.KeyParts;
import dev.gyre.kernels.map.MapCodes;
import dev.gyre.kernels.map.Move;
import dev.gyre.kernels.map.RecordChange;
import dev.gyre.kernels.map.RecordEntries;
import dev.gyre.kernels.map.RecordHash;
import dev.gyre.kernels.map.RecordPredicate;
import dev.gyre.kernels.map.RecordSlots;
import dev.gyre.kernels.map.RecordVisitor;
import dev.gyre.kernels.map.Removal;
import dev.gyre.kernels.map.Retrieve;
import dev.gyre.kernels.map.Rows;
import dev.gyre.kernels.map.Slots;
import dev.gyre.kernels.map.TableRef;
import dev.gyre.structures.Memories;
import dev.gyre.structures.launch.RecordMapRef;
import dev.gyre.structures.map.Changes;
import dev.gyre.structures.map.RecordSchema;
import dev.gyre.structures.map.file.SavedMap;
import dev.gyre.structures.map.work.TaskRange;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Table of fixed size with record keys and values, and its kernels. */
public final class RecordTable extends FixedTable {

  /** Largest number of slots, more than any memory. */
  private static final long MAX_SLOTS = 1L << 56;

  private final Memory memory;
  public final DeviceLongs words;
  private final DeviceInts ints;
  private final RecordSchema<?, ?> schema;
  private final int keyWords;
  private final int valueWords;

  /** Keeps the address of the slots readable; null if no more memories can be pinned. */
  private final @Nullable AddressPin pin;

  /** Address of the first slot; 0 if it is not pinned. */
  private final long address;

  private final RecordEntries.OfTable code;
  private final RecordEntries specialized;

  /**
   * Creates a table over slots.
   *
   * @param same a table over the same slots with the same seed, whose code this one uses, or null
   */
  private RecordTable(
      RecordSchema<?, ?> schema,
      Memory memory,
      long slots,
      long capacity,
      long seed,
      boolean removable,
      @Nullable RecordTable same) {
    super(capacity, slots, seed, true);
    this.schema = schema;
    this.memory = memory;
    this.words = DeviceLongs.of(memory);
    this.ints = DeviceInts.of(memory);
    this.keyWords = schema.keyTypes().size();
    this.valueWords = schema.valueTypes().size();
    this.code =
        same != null
            ? same.code
            : new RecordEntries.OfTable(
                ints,
                words,
                slots,
                seed,
                keyWords,
                valueWords,
                hash(schema),
                schema.equality(),
                Removal.of(removable));
    this.pin = memory.addressPin();
    this.address = pin == null ? 0 : pin.payload();
    this.specialized = same != null ? same.specialized : code.own(address);
  }

  private static RecordHash hash(RecordSchema<?, ?> schema) {
    return schema.hasOwnHash() ? new RecordHash.Remixed(schema.hash()) : schema.hash();
  }

  /** Returns a table with another seed in the memory of this one, which is empty. */
  public RecordTable emptied(long itsSeed) {
    RecordTable same = itsSeed == seed ? this : null;
    return new RecordTable(schema, memory, slots, capacity, itsSeed, isRemovable(), same);
  }

  public static RecordTable allocate(
      RecordSchema<?, ?> schema, long capacity, double loadFactor, long seed, boolean removable) {
    long slots = MapSettings.slots(capacity, loadFactor, MAX_SLOTS);
    Memory memory = Memory.addressable(slots * stride(schema), Long.BYTES);
    return Memories.orFree(
        List.of(memory),
        () -> new RecordTable(schema, memory, slots, capacity, seed, removable, null));
  }

  /** Returns the table of a file, whose entries can be iterated and not looked up. */
  static RecordTable adopt(SavedMap saved, RecordSchema<?, ?> schema) {
    Memory memory = saved.memories().getFirst();
    saved.require(memory.byteSize() == saved.slots() * stride(schema) * Long.BYTES, "length");
    return new RecordTable(
        schema, memory, saved.slots(), saved.capacity(), 0, saved.removable(), null);
  }

  /** Returns the number of words of a slot. */
  private static long stride(RecordSchema<?, ?> schema) {
    return RecordSlots.stride(schema.keyTypes().size(), schema.valueTypes().size());
  }

  private long stride() {
    return RecordSlots.stride(keyWords, valueWords);
  }

  /** Returns the operations on single keys. */
  public RecordEntries entries() {
    return specialized;
  }

  /** Returns the slots for kernels over the rows of a batch, which run in specialised code. */
  public RecordSlots slots(RowScratch scratch) {
    return code.slots(scratch.keyRows(), scratch.valueRows());
  }

  private Rows.Found found(RowScratch scratch) {
    return new Rows.Found(words, 1L + keyWords, stride(), valueWords, scratch.values);
  }

  private Rows.Found foundKeys(RowScratch scratch) {
    return new Rows.Found(words, 1, stride(), keyWords, scratch.keys);
  }

  /** Returns the keys of a batch, by the numbers of their rows. */
  public Batch batch(RowScratch scratch) {
    Rows.Found rows = found(scratch);
    return new Batch(rows, rows, scratch.outcomes);
  }

  /** Returns a kernel that copies entries of slots to the keys and values of a batch. */
  public Kernel retrieve(
      RowScratch scratch,
      DeviceLongs counters,
      TaskRange task,
      @Nullable RecordPredicate predicate) {
    return new Retrieve(
        slots(scratch),
        foundKeys(scratch),
        found(scratch),
        predicate == null ? new EntryPredicate.All() : predicateOfSlots(predicate),
        counters,
        task.from(),
        task.to(),
        Long.MAX_VALUE);
  }

  /** Returns a predicate as the kernels of this table call it: with entries that are slots. */
  public EntryPredicate predicateOfSlots(RecordPredicate predicate) {
    return new RecordPredicate.InRows(
        predicate, keysBySlot(), keyWords, valuesBySlot(), valueWords);
  }

  /** Returns a visitor as the kernels of this table call it: with entries that are slots. */
  public EntryVisitor visitorOfSlots(RecordVisitor visitor) {
    return new RecordVisitor.InRows(visitor, keysBySlot(), keyWords, valuesBySlot(), valueWords);
  }

  // Returns keys that are represented by their slot plus 1.

  private Rows keysBySlot() {
    return new Rows.InMemory(words, 1 - stride(), stride());
  }

  private Rows valuesBySlot() {
    return new Rows.InMemory(words, 1L + keyWords - stride(), stride());
  }

  @Override
  public Slots hashed() {
    return code.slots(keysBySlot(), valuesBySlot());
  }

  /** Returns a kernel that moves slots of this table to another. */
  public Kernel move(RecordTable fresh, DeviceLongs counters, TaskRange task, boolean onJvm) {
    if (onJvm && isPinned() && fresh.isPinned()) {
      return specialized.move(fresh.address, fresh.slots, counters, task.from(), task.to());
    }
    Slots to = fresh.code.slots(keysBySlot(), valuesBySlot());
    Kernel move = new Move(inKernels(), to, counters, task.from(), task.to());
    // Hash and equality may be the user's: shared code would be slower.
    return onJvm ? SpecializedCode.of(move) : move;
  }

  /** Returns the change of columns of present values by a batch. */
  public Change change(List<Changes.@Nullable Rule> rules, RowScratch scratch) {
    return change(rules).of(scratch.valueRows());
  }

  /** Returns the change of columns of present values, without the new values. */
  private RecordChange change(List<Changes.@Nullable Rule> rules) {
    ColumnChange[] all = new ColumnChange[RecordSchema.MOST];
    for (int i = 0; i < all.length; i++) {
      Changes.Rule rule = i < rules.size() ? rules.get(i) : null;
      all[i] = rule == null ? new ColumnChange.Unchanged() : change(rule, i);
    }
    Rows none = new Rows.One(0, 0, 0, 0);
    return new RecordChange(keyWords, valueWords, none, all[0], all[1], all[2], all[3]);
  }

  private ColumnChange change(Changes.Rule rule, int column) {
    var fold = rule.fold();
    var real = rule.real();
    int policy = rule.apply() == null ? MapCodes.FOLD : rule.apply().change().policy();
    return switch (schema.valueTypes().get(column)) {
      case INT ->
          fold == null
              ? new ColumnChange.OfInts(ints, policy)
              : new ColumnChange.FoldedInts(ints, fold);
      case LONG ->
          fold == null
              ? new ColumnChange.OfLongs(words, policy)
              : new ColumnChange.FoldedLongs(words, fold);
      case FLOAT ->
          real == null
              ? new ColumnChange.OfFloats(DeviceFloats.of(memory), policy)
              : new ColumnChange.FoldedFloats(DeviceFloats.of(memory), real);
      case DOUBLE ->
          real == null
              ? new ColumnChange.OfDoubles(DeviceDoubles.of(memory), policy)
              : new ColumnChange.FoldedDoubles(DeviceDoubles.of(memory), real);
    };
  }

  /**
   * Returns a ref for kernels of the user, which merges by rules; without rules, values are
   * unchanged.
   */
  public RecordMapRef ref(TableRef ref, List<Changes.@Nullable Rule> rules) {
    return new RecordMapRef.OfRows(ref, code, change(rules));
  }

  DeviceInts ints() {
    return ints;
  }

  /** Returns the first word of a slot's value. */
  public long valueAt(long slot) {
    return slot * stride() + 1 + keyWords;
  }

  /** Returns the state of a slot while no thread updates. */
  @Override
  public int state(long slot) {
    int state = ints.get(2 * slot * stride());
    return state == MapCodes.HELD ? MapCodes.FILLED : state;
  }

  /** Returns whether keys can be removed. */
  public boolean isRemovable() {
    return code.removal().isAllowed();
  }

  /**
   * Takes a FILLED slot to HELD, to change its value, or to REMOVED; returns false, without an
   * effect, if another thread has it, or its key was removed.
   */
  public boolean take(long slot, int state) {
    // seq_cst: no other thread changes the slot until it is published again
    return isPinned()
        ? AddressPin.compareAndSet(addressOf(slot), MapCodes.FILLED, state)
        : ints.compareAndSetSeqCst(2 * slot * stride(), MapCodes.FILLED, state);
  }

  /**
   * Returns whether single keys are accessed by address. A thread outside the lock can then read
   * them after this table was freed, as long as it keeps it reachable.
   */
  public boolean isPinned() {
    return address != 0;
  }

  private long addressOf(long slot) {
    return address + slot * stride() * Long.BYTES;
  }

  /** Publishes a HELD slot as FILLED or REMOVED. */
  public void release(long slot, int state) {
    // seq_cst: as take
    ints.storeSeqCst(2 * slot * stride(), state);
  }

  /** Returns the words of a slot, as an insert of a single key takes them. */
  long[] entry(long slot) {
    long[] entry = new long[2 * RecordSchema.MOST];
    for (int i = 0; i < keyWords; i++) {
      entry[i] = words.get(slot * stride() + 1 + i);
    }
    for (int i = 0; i < valueWords; i++) {
      entry[RecordSchema.MOST + i] = words.get(valueAt(slot) + i);
    }
    return entry;
  }

  /** Returns the state of a slot while other threads update. */
  public int stateSeqCst(long slot) {
    // seq_cst: pairs with publish; key and value are visible if the slot is FILLED
    return ints.loadSeqCst(2 * slot * stride());
  }

  /** Returns the hash of the key of a FILLED slot. */
  public long hash(long slot) {
    long[] key = entry(slot);
    return code.hash().hash(new KeyParts(key[0], key[1], key[2], key[3]), seed);
  }

  /** Returns the {@link #entry} of a FILLED slot, while other threads change its value. */
  public long[] entrySeqCst(long slot) {
    long[] entry = entry(slot);
    System.arraycopy(row(slot), 0, entry, RecordSchema.MOST, RecordSchema.MOST);
    return entry;
  }

  /** Returns the words of a value, while other threads change them. */
  public long[] row(long slot) {
    // Constant indexes: the compiler needs no array.
    long[] row = new long[RecordSchema.MOST];
    row[0] = word(slot, 0);
    row[1] = valueWords > 1 ? word(slot, 1) : 0;
    row[2] = valueWords > 2 ? word(slot, 2) : 0;
    row[3] = valueWords > 3 ? word(slot, 3) : 0;
    return row;
  }

  /** Returns a word of a value, while other threads change it. */
  public long word(long slot, int column) {
    return isPinned()
        ? AddressPin.getLongVolatile(addressOf(slot) + (1L + keyWords + column) * Long.BYTES)
        : words.loadSeqCst(valueAt(slot) + column);
  }

  /** Writes all words of a value that no other thread reads. */
  public void setRow(long slot, long[] row) {
    for (int i = 0; i < valueWords; i++) {
      words.set(valueAt(slot) + i, row[i]);
    }
  }

  @Override
  public Slots inKernels() {
    Rows none = new Rows.One(0, 0, 0, 0);
    return code.slots(none, none);
  }

  @Override
  public List<Memory> memories() {
    return List.of(memory);
  }
}
