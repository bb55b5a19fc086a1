package dev.gyre.structures.map.table;

import dev.gyre.atomics.DeviceInts;
import dev.gyre.atomics.DeviceLongs;
import dev.gyre.atomics.Memory;
import dev.gyre.kernels.Kernel;
import dev.gyre.kernels.map.Change;
import dev.gyre.kernels.map.MapCodes;
import dev.gyre.kernels.map.Removal;
import dev.gyre.kernels.map.RemoveIf;
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
import dev.gyre.kernels.map.Visit;
import dev.gyre.structures.Memories;
import dev.gyre.structures.map.TextKeys;
import dev.gyre.structures.map.file.SavedMap;
import dev.gyre.structures.map.work.TaskRange;
import dev.gyre.structures.map.work.Workers;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Table of text keys of fixed size, with the arena of its keys. */
public final class TextTable extends FixedTable {

  /** Largest number of slots, more than any memory. */
  private static final long MAX_SLOTS = 1L << 56;

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

  /** Words of the arena that were taken when it was known to have no gaps; -1 if never. */
  private long tightAt = -1;

  /** Number of removed keys at that time. */
  private long removedAt;

  private TextTable(
      Memory slotMemory,
      Memory arena,
      Memory bump,
      long capacity,
      long seed,
      @Nullable TextHash hash,
      boolean removable) {
    // Its readers need the exact number of keys.
    super(capacity, slotMemory.byteSize() / (TextLayout.SLOT_LONGS * Long.BYTES), seed, false);
    this.slotMemory = slotMemory;
    this.arenaMemory = arena;
    this.bumpMemory = bump;
    this.states = DeviceInts.of(slotMemory);
    this.table = DeviceLongs.of(slotMemory);
    this.arena = DeviceLongs.of(arena);
    this.bump = DeviceLongs.of(bump);
    this.multiplier = TextHashing.multiplier(seed);
    this.endMultiplier = TextHashing.endMultiplier(seed);
    this.hash = hash;
    this.rule = TextRule.of(hash, seed);
    // Each operation sets the words of its keys.
    this.code =
        new TextSlots(
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
    this.specialized = code.own();
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
                made.getFirst(), made.get(1), made.getLast(), capacity, seed, hash, removable));
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
                    saved.removable()));
    table.bump.set(0, used);
    return table;
  }

  private TextTable with(Memory itsSlots, Memory itsArena, long itsCapacity, long itsSeed) {
    return new TextTable(itsSlots, itsArena, bumpMemory, itsCapacity, itsSeed, hash, isRemovable());
  }

  /** Returns a table with another seed in the memories of this one, which is empty. */
  public TextTable emptied(long itsSeed) {
    return with(slotMemory, arenaMemory, capacity, itsSeed);
  }

  /** Returns an empty table of another capacity, with the same arena. */
  public TextTable resized(long newCapacity, double loadFactor) {
    long newSlots = MapSettings.slots(newCapacity, loadFactor, MAX_SLOTS);
    Memory fresh = newSlots(newSlots);
    return Memories.orFree(List.of(fresh), () -> with(fresh, arenaMemory, newCapacity, seed));
  }

  /** Returns the same table with a larger arena, to which the text was copied. */
  public TextTable withArena(long words) {
    Memory fresh = newArena(words);
    long used = Math.min(bump.get(0) * Long.BYTES, arenaMemory.byteSize());
    MemorySegment.copy(arenaMemory.segment(), 0, fresh.segment(), 0, used);
    bump.set(0, used / Long.BYTES);
    TextTable grown =
        Memories.orFree(List.of(fresh), () -> with(slotMemory, fresh, capacity, seed));
    grown.countAs(this, true);
    return grown;
  }

  /**
   * Returns the same table without gaps in its arena; null if it has none. A gap is a place that
   * belongs to no key: a thread takes space before it claims a slot, and cannot return it if
   * another thread took space after it; and a removed key leaves its text. No thread changes the
   * table. The new one takes over the arena, so that this one may only be read from then on.
   *
   * @param tasks over all slots
   */
  public @Nullable TextTable compacted(Workers workers, List<TaskRange> tasks) {
    long taken = bump.get(0);
    if (taken == tightAt && removed() == removedAt) {
      return null;
    }
    // All tasks but the last have one size.
    long size = tasks.getFirst().size();
    long[] ends = new long[tasks.size()];
    workers.run("measure", tasks, (_, task) -> ends[(int) (task.from() / size)] = live(task));
    Arrays.parallelPrefix(ends, Long::sum);
    long end = ends[ends.length - 1];
    if (end >= Math.min(taken, arena.length())) {
      tightAt = taken;
      removedAt = removed();
      return null;
    }
    List<Memory> made = Memories.make(() -> newSlots(slots), () -> newArena(arena.length()));
    TextTable fresh =
        Memories.orFree(
            made,
            () -> {
              TextTable other = with(made.getFirst(), made.getLast(), capacity, seed);
              workers.run(
                  "compact",
                  tasks,
                  (_, task) -> copyTo(other, task, ends[(int) (task.from() / size)]));
              return other;
            });
    bump.set(0, end);
    fresh.countAs(this, true);
    fresh.tightAt = end;
    fresh.removedAt = fresh.removed();
    return fresh;
  }

  /** Returns the words of the arena that belong to keys of a task. */
  private long live(TaskRange task) {
    long live = 0;
    for (long slot = task.from(); slot < task.to(); slot++) {
      live += arenaWords(slot);
    }
    return live;
  }

  /** Returns the words of a slot's key in the arena. */
  private int arenaWords(long slot) {
    return state(slot) == MapCodes.FILLED
        ? TextLayout.arenaWords(states.get(TextLayout.lengthAt(slot)))
        : 0;
  }

  /** Copies slots, and their texts to words in the arena of another table that have an end. */
  private void copyTo(TextTable fresh, TaskRange task, long end) {
    long bytes = TextLayout.SLOT_LONGS * Long.BYTES;
    MemorySegment.copy(
        slotMemory.segment(),
        task.from() * bytes,
        fresh.slotMemory.segment(),
        task.from() * bytes,
        task.size() * bytes);
    long at = end;
    for (long slot = task.from(); slot < task.to(); slot++) {
      int words = arenaWords(slot);
      if (words > 0) {
        at -= words;
        long mark = table.get(TextLayout.markAt(slot));
        MemorySegment.copy(
            arenaMemory.segment(),
            TextLayout.arenaWord(mark) * Long.BYTES,
            fresh.arenaMemory.segment(),
            at * Long.BYTES,
            (long) words * Long.BYTES);
        fresh.table.set(TextLayout.markAt(slot), TextLayout.movedMark(mark, at));
      }
    }
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
    boolean onJvm = workers.onJvm();
    return change instanceof Change.Folding folding
        ? foldings.of(folding, onJvm, onJvm ? code::specializedFolding : code::folding)
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

  /** Returns a removal of entries of a task, to be run in specialised code. */
  public Kernel removeIf(TextPredicate predicate, DeviceLongs counters, TaskRange task) {
    return new RemoveIf(
        code,
        new TextPredicate.InTable(predicate, states, table, arena),
        counters,
        task.from(),
        task.to());
  }

  /** Combines a value with another by a policy, by a thread of the JVM. */
  public long update(long slot, long operand, int policy) {
    return specialized.update(slot, operand, policy);
  }

  /** Returns a visit of a task, to be run in specialised code. */
  public Kernel visit(TextVisitor visitor, TaskRange task) {
    TextSlots.Visited all = new TextSlots.Visited(visitor, states, table, arena);
    return new Visit(code, all, task.from(), task.to());
  }

  /** Returns the text of the key of a slot, in memory of the host. */
  public Text text(long slot) {
    return TextLayout.key(states, table, arena, slot);
  }

  /** Returns a kernel that moves slots of this table to one from {@link #resized}. */
  public Kernel move(Workers workers, TextTable fresh, DeviceLongs counters, TaskRange task) {
    return code(workers)
        .move(fresh.states, fresh.table, fresh.slots, counters, task.from(), task.to());
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
    long used = Math.min(bump.get(0) * Long.BYTES, arenaMemory.byteSize());
    return List.of(slotMemory.segment(), arenaMemory.segment().asSlice(0, used));
  }

  @Override
  public List<Memory> memoriesOfKeys() {
    return List.of(slotMemory, bumpMemory);
  }
}
