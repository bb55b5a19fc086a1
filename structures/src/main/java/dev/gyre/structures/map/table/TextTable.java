package dev.gyre.structures.map.table;

import dev.gyre.atomics.DeviceInts;
import dev.gyre.atomics.DeviceLongs;
import dev.gyre.atomics.Memory;
import dev.gyre.kernels.Kernel;
import dev.gyre.kernels.map.Change;
import dev.gyre.kernels.map.EntryPredicate;
import dev.gyre.kernels.map.EntryVisitor;
import dev.gyre.kernels.map.MapCodes;
import dev.gyre.kernels.map.Removal;
import dev.gyre.kernels.map.Slots;
import dev.gyre.kernels.map.Text;
import dev.gyre.kernels.map.TextCode;
import dev.gyre.kernels.map.TextHash;
import dev.gyre.kernels.map.TextHashing;
import dev.gyre.kernels.map.TextInserts;
import dev.gyre.kernels.map.TextLayout;
import dev.gyre.kernels.map.TextPredicate;
import dev.gyre.kernels.map.TextRule;
import dev.gyre.kernels.map.TextSlots;
import dev.gyre.kernels.map.TextVisitor;
import dev.gyre.structures.Memories;
import dev.gyre.structures.map.TextKeys;
import dev.gyre.structures.map.file.SavedMap;
import dev.gyre.structures.map.work.TaskRange;
import dev.gyre.structures.map.work.Workers;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** Table of text keys of fixed size, with the arena of its keys. */
public final class TextTable extends FixedTable {

  /** Largest number of slots, more than any memory. */
  private static final long MAX_SLOTS = 1L << 56;

  /** Largest number of words of the arena that a stripe takes at a time. */
  private static final long MAX_STRIPE_WORDS = 1 << 9;

  /** A stripe takes at most this fraction of the arena at a time: one word of so many. */
  private static final long STRIPE_SHARE = 1 << 9;

  private static final AtomicLong NUMBERS = new AtomicLong();

  public final Memory slotMemory;
  public final Memory arenaMemory;
  private final Memory bumpMemory;
  public final DeviceInts states;
  public final DeviceLongs table;
  public final DeviceLongs arena;
  public final DeviceLongs bump;

  /** Multiplier of {@link TextHashing}. */
  final long multiplier;

  final long endMultiplier;

  /** Hash of the user, or null for the default. */
  final @Nullable TextHash hash;

  final TextRule rule;

  /** Table size from which few slots are in the cache of a core, in bytes. */
  private static final long FAR_BYTES = 1 << 22;

  /** For devices. */
  private final TextSlots code;

  /** For threads of the JVM. */
  private final TextCode specialized;

  private final FoldCache<TextInserts> foldings = new FoldCache<>();

  /** Number that no other table has. */
  final long number = NUMBERS.incrementAndGet();

  /** Words of the arena that a stripe takes at a time. */
  final long stripeWords;

  /** Words of the arena that were taken when it was known to have no gaps. */
  private long tightAt;

  /**
   * Creates a table over slots.
   *
   * @param same a table over the same slots with the same seed, whose code this one uses, or null
   */
  private TextTable(
      Memory slotMemory,
      Memory arena,
      Memory bump,
      long capacity,
      long seed,
      @Nullable TextHash hash,
      boolean removable,
      @Nullable TextTable same) {
    // Its readers need the exact number of keys.
    super(capacity, slotMemory.byteSize() / (TextLayout.SLOT_LONGS * Long.BYTES), seed, false);
    this.slotMemory = slotMemory;
    this.arenaMemory = arena;
    this.bumpMemory = bump;
    this.states = DeviceInts.of(slotMemory);
    this.table = DeviceLongs.of(slotMemory);
    this.arena = DeviceLongs.of(arena);
    this.bump = DeviceLongs.of(bump);
    this.stripeWords = Math.min(this.arena.length() / STRIPE_SHARE, MAX_STRIPE_WORDS);
    this.multiplier = TextHashing.multiplier(seed);
    this.endMultiplier = TextHashing.endMultiplier(seed);
    this.hash = hash;
    this.rule = TextRule.of(hash, seed);
    // Each operation sets the words of its keys.
    this.code =
        same != null
            ? same.code
            : new TextSlots(
                states,
                table,
                slots,
                seed,
                rule,
                this.arena,
                this.arena.length(),
                this.bump,
                0,
                this.arena,
                Removal.of(removable));
    this.specialized = same != null ? same.specialized : code.own();
  }

  public static TextTable allocate(
      long capacity,
      double loadFactor,
      long arenaWords,
      long seed,
      @Nullable TextHash hash,
      boolean removable) {
    long slots = MapSettings.slots(capacity, loadFactor, MAX_SLOTS);
    List<Memory> made =
        Memories.make(() -> newSlots(slots), () -> newArena(arenaWords), () -> Memory.ofLongs(1));
    return Memories.orFree(
        made,
        () ->
            new TextTable(
                made.getFirst(),
                made.get(1),
                made.getLast(),
                capacity,
                seed,
                hash,
                removable,
                null));
  }

  private static Memory newArena(long words) {
    if (words > TextLayout.MAX_ARENA_WORDS) {
      throw new IllegalArgumentException("more text than an arena holds: " + words + " words");
    }
    return Memory.addressable(words, Long.BYTES);
  }

  private static Memory newSlots(long slots) {
    return Memory.addressable(TextLayout.SLOT_LONGS * slots, Long.BYTES);
  }

  /** Returns the table of a file, whose arena is full. */
  static TextTable adopt(SavedMap saved, @Nullable TextHash hash) {
    Memory text = saved.memories().getLast();
    long used = text.byteSize() / Long.BYTES;
    // A text of one word also reads the arena; see Text.
    List<Memory> made =
        used == 0
            ? Memories.make(() -> Memory.ofLongs(1), () -> Memory.ofLongs(1))
            : List.of(Memory.ofLongs(1));
    Memory arena = used == 0 ? made.getLast() : text;
    TextTable table =
        Memories.orFree(
            made,
            () ->
                new TextTable(
                    saved.memories().getFirst(),
                    arena,
                    made.getFirst(),
                    saved.capacity(),
                    0,
                    hash,
                    saved.removable(),
                    null));
    table.bump.set(0, used);
    return table;
  }

  /** Returns a table with another seed in the memories of this one, which is empty. */
  public TextTable emptied(long itsSeed) {
    return new TextTable(
        slotMemory,
        arenaMemory,
        bumpMemory,
        capacity,
        itsSeed,
        hash,
        isRemovable(),
        itsSeed == seed ? this : null);
  }

  /** Returns an empty table of another capacity, with an arena of some words. */
  public TextTable resized(long newCapacity, double loadFactor, long words) {
    return allocate(newCapacity, loadFactor, words, seed, hash, isRemovable());
  }

  /** Takes words of the arena; returns the first one, or -1 if there are too few. */
  long takeWords(long words) {
    if (words == 0) {
      return 0;
    }
    long length = arena.length();
    if (bump.loadRelaxed(0) + words > length) {
      return -1;
    }
    // relaxed: allocates words; publish makes their content visible
    long first = bump.fetchAddRelaxed(0, words);
    if (first + words <= length) {
      return first;
    }
    giveBackWords(first, first + words);
    return -1;
  }

  /** Gives back words that were taken, unless another thread has taken words behind them. */
  void giveBackWords(long from, long to) {
    // relaxed: nothing was written there
    long _ = bump.compareAndExchangeRelaxed(0, to, from);
  }

  /** Notes that each word that was taken from the arena belongs to a key. */
  public void noteTight() {
    tightAt = bump.get(0);
  }

  /**
   * Returns whether the arena may have gaps: words that belong to no key. A thread takes words
   * before it claims a slot, and cannot return them if another thread took words after it; and a
   * removed key leaves its text.
   */
  public boolean mayHaveGaps() {
    return bump.get(0) != tightAt || removed() > 0;
  }

  /** Returns the words of the arena that were taken. */
  public long takenWords() {
    // A thread that found too few may not have returned them.
    return Math.min(bump.get(0), arena.length());
  }

  @Override
  public long textWords() {
    return arena.length();
  }

  /** Returns the reader of single keys without a lock, or null. */
  public @Nullable TextReader reader() {
    return TextReader.of(this);
  }

  /** Returns the operations on the keys of a batch. */
  public TextCode code(Workers workers) {
    return workers.onJvm() ? specialized : code;
  }

  /** Returns the inserts of the keys of a batch, which change the values of present keys. */
  public TextInserts inserts(Workers workers, Change change) {
    return change instanceof Change.Folding folding
        ? foldings.of(folding, workers.onJvm(), code::folding)
        : code(workers);
  }

  /** Prefetches the slots of the keys of a task, if the table is so large that this is faster. */
  public void warm(Workers workers, TextKeys keys, RowScratch scratch, TaskRange task) {
    if (workers.onJvm() && slotMemory.byteSize() >= FAR_BYTES) {
      scratch.warmed = specialized.warm(keys.words(), keys.places(), task.from(), task.to());
    }
  }

  /** Returns whether keys can be removed. */
  public boolean isRemovable() {
    return code.isRemovable();
  }

  /** Replaces the value of a key, or removes the key; see {@link TextCode#exchange}. */
  public boolean exchange(long slot, long expected, long value, boolean removes) {
    return specialized.exchange(slot, expected, value, removes);
  }

  /**
   * Removes the key of a FILLED slot, whose value stays readable; returns false, without an effect,
   * if the key was removed, or another thread is changing its value.
   */
  public boolean remove(long slot) {
    // seq_cst: as in LongValues.exchangeSeqCst
    return states.compareAndSetSeqCst(TextLayout.stateAt(slot), MapCodes.FILLED, MapCodes.REMOVED);
  }

  /** Returns a predicate as the kernels of this table call it: with entries that are slots. */
  public EntryPredicate predicateOfSlots(TextPredicate predicate) {
    return new TextPredicate.InTable(predicate, states, table, arena);
  }

  /** Combines a value with another by a policy, by a thread of the JVM. */
  public long update(long slot, long operand, int policy) {
    return specialized.update(slot, operand, policy);
  }

  /** Returns a visitor as the kernels of this table call it: with entries that are slots. */
  public EntryVisitor visitorOfSlots(TextVisitor visitor) {
    return new TextSlots.Visited(visitor, states, table, arena);
  }

  /** Returns the text of the key of a slot, in memory of the host. */
  public Text text(long slot) {
    return TextLayout.key(states, table, arena, slot);
  }

  /** Returns a kernel that moves slots of this table to one from {@link #resized}. */
  public Kernel move(Workers workers, TextTable fresh, DeviceLongs counters, TaskRange task) {
    return code(workers)
        .move(fresh.table, fresh.arena, fresh.bump, counters, task.from(), task.to());
  }

  @Override
  public int state(long slot) {
    return code.stateOf(states.get(TextLayout.stateAt(slot)));
  }

  @Override
  public Slots inKernels() {
    return code;
  }

  @Override
  public Slots hashed() {
    return code.hashed();
  }

  @Override
  public List<Memory> memories() {
    return List.of(slotMemory, arenaMemory, bumpMemory);
  }

  /** Returns the slots, and the used part of the arena. */
  @Override
  public List<MemorySegment> sections() {
    return List.of(
        slotMemory.segment(), arenaMemory.segment().asSlice(0, takenWords() * Long.BYTES));
  }

  @Override
  public List<Memory> memoriesOfKeys() {
    return List.of(slotMemory, bumpMemory);
  }
}
