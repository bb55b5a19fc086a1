package dev.gyre.structures.map.table;

import dev.gyre.atomics.DeviceLongs;
import dev.gyre.atomics.IntSpecialized;
import dev.gyre.atomics.Memory;
import dev.gyre.kernels.Kernel;
import dev.gyre.kernels.map.BatchRange;
import dev.gyre.kernels.map.Change;
import dev.gyre.kernels.map.EntryPredicate;
import dev.gyre.kernels.map.EntryVisitor;
import dev.gyre.kernels.map.Hash;
import dev.gyre.kernels.map.Hashing;
import dev.gyre.kernels.map.MapCodes;
import dev.gyre.kernels.map.Move;
import dev.gyre.kernels.map.NumberCode;
import dev.gyre.kernels.map.NumberInserts;
import dev.gyre.kernels.map.NumberTable;
import dev.gyre.kernels.map.Numbers;
import dev.gyre.kernels.map.Retrieve;
import dev.gyre.kernels.map.exclusive.ExclusiveOperations;
import dev.gyre.kernels.map.exclusive.KeyReader;
import dev.gyre.structures.Memories;
import dev.gyre.structures.map.Longs;
import dev.gyre.structures.map.file.SavedMap;
import dev.gyre.structures.map.work.TaskRange;
import dev.gyre.structures.map.work.Workers;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Table of keys that are longs, with its kernels. */
@IntSpecialized
public final class LongTable extends FixedTable {

  private static final long CACHE_LINE = 64;

  private final List<Memory> memories;
  private final long places;

  /** For devices. */
  private final NumberTable code;

  /** For threads of the JVM. */
  private final NumberCode specialized;

  private final SlotFormat format;
  private final FoldCache<NumberInserts> foldings = new FoldCache<>();

  /**
   * Creates a table over slots.
   *
   * @param memories memories of the slots; the first of several has the states
   * @param same a table over the same slots with the same seed, whose code this one uses, or null
   */
  private LongTable(
      SlotFormat format,
      List<Memory> memories,
      long capacity,
      long slots,
      long seed,
      @Nullable LongTable same) {
    super(capacity, slots, seed, true);
    this.format = format;
    this.memories = memories;
    this.places = format.places(slots);
    this.code = same != null ? same.code : format.slots(memories, slots, seed);
    this.specialized = same != null ? same.specialized : code.own();
  }

  public static LongTable allocate(SlotFormat format, long capacity, double loadFactor, long seed) {
    long slots = MapSettings.slots(capacity, loadFactor, format.maxSlots());
    List<Memory> made = format.memories(slots);
    return Memories.orFree(made, () -> new LongTable(format, made, capacity, slots, seed, null));
  }

  /** Returns the table of a file, whose entries can be iterated and not looked up. */
  static LongTable adopt(SavedMap saved, @Nullable Hash other) {
    Hash hash = SlotFormat.hash(saved.kind(), other);
    SlotFormat format = new SlotFormat(saved.kind(), saved.layout(), hash, saved.removable());
    return new LongTable(format, saved.memories(), saved.capacity(), saved.slots(), 0, null);
  }

  /** Returns an empty table of another capacity. */
  public LongTable resized(long newCapacity, double loadFactor) {
    return allocate(format, newCapacity, loadFactor, seed);
  }

  /** Returns a table with another seed in the memories of this one, which is empty. */
  public LongTable emptied(long itsSeed) {
    LongTable same = itsSeed == seed ? this : null;
    return new LongTable(format, memories, capacity, slots, itsSeed, same);
  }

  /** Returns the code that workers run. */
  public NumberCode code(Workers workers) {
    return workers.onJvm() ? specialized : code;
  }

  /** Returns the inserts of keys, which change the values of present keys. */
  public NumberInserts inserts(Workers workers, Change change) {
    return change instanceof Change.Folding folding
        ? foldings.of(folding, workers.onJvm(), code::folding)
        : code(workers);
  }

  /** Returns a find by a worker of the JVM while no thread updates. */
  public Kernel findExclusive(
      LongScratch batch, DeviceLongs counters, TaskRange task, int options) {
    BatchRange keys = batch.range(counters, task);
    return (thread, shape) -> specialized.findExclusive(keys, options);
  }

  /**
   * Looks up keys of the caller in place, by a thread of the JVM while no thread updates.
   *
   * @return number of keys that were found and, in the upper half, that are STUCK
   */
  public long findExclusive(Longs keys, @Nullable Longs found) {
    return specialized.findExclusive(
        keys.segment(), found == null ? null : found.segment(), 0, keys.length());
  }

  /**
   * Copies the entries of some places to two arrays, from an element on, by a thread of the JVM,
   * while other threads may update. Returns their number.
   */
  public int copyEntries(TaskRange places, long[] keys, long[] values, int at) {
    return specialized.copyEntries(
        places.from(), places.to(), MemorySegment.ofArray(keys), MemorySegment.ofArray(values), at);
  }

  public Kernel retrieve(Workers workers, LongScratch batch, DeviceLongs counters, TaskRange task) {
    return code(workers).retrieve(batch.keys, batch.values, counters, task.from(), task.to());
  }

  /**
   * Returns a retrieval of the entries for which a predicate returns true; to be run in specialised
   * code.
   */
  public Kernel retrieve(
      EntryPredicate predicate,
      LongScratch batch,
      DeviceLongs counters,
      TaskRange task,
      long capacity) {
    return new Retrieve(
        code,
        Numbers.of(batch.keys),
        Numbers.of(batch.values),
        predicate,
        counters,
        task.from(),
        task.to(),
        capacity);
  }

  /** Returns a kernel for devices that moves all entries to an empty table. */
  public Kernel move(LongTable fresh, DeviceLongs counters) {
    return new Move(code, fresh.code, counters, 0, places);
  }

  /**
   * Moves the entries of some places to another table by {@link ExclusiveOperations#move}, in a
   * thread of the JVM.
   */
  public void moveExclusive(LongTable fresh, TaskRange places, long last, EntryVisitor left) {
    ExclusiveOperations.move(code, fresh.code, places.from(), places.to(), last, left);
  }

  /** Returns the operations on single keys, for the JVM. */
  public NumberCode entries() {
    return specialized;
  }

  /**
   * Returns the reader of single keys, whose caller checks whether this table is still in place.
   */
  public KeyReader reader() {
    return KeyReader.of(code);
  }

  /**
   * Inserts the first keys of an array, for which there is capacity, by a thread that owns all
   * slots; returns how many were absent.
   */
  public int insertExclusive(long[] keys, long[] values, int count) {
    return (int)
        specialized.insertExclusive(
            MemorySegment.ofArray(keys),
            MemorySegment.ofArray(values),
            0,
            count,
            MapCodes.KEEP,
            (_, _) -> {});
  }

  @Override
  public int state(long slot) {
    return specialized.state(slot);
  }

  /** Returns whether no thread has begun to write a slot, so that no insert has passed it. */
  public boolean isUntouched(long slot) {
    // The state is read last: if it is EMPTY, it was EMPTY before.
    return specialized.isSound(slot) && specialized.state(slot) == MapCodes.EMPTY;
  }

  /** Returns whether keys are hashed by {@link Hashing}. */
  public boolean hasOurHash() {
    return format.hash() instanceof Hashing.OfLongs;
  }

  /** Returns the number of the hash range of a key, of {@code 2^bits} ranges in rising order. */
  public int partition(/* int */ long key, int bits) {
    return hasOurHash()
        ? Hashing.partition(key, seed, bits)
        : Hashing.partition(/* (int) */ format.hash().hash(key, seed), bits);
  }

  @Override
  public long places() {
    return places;
  }

  @Override
  public NumberTable inKernels() {
    return code;
  }

  @Override
  public List<Memory> memories() {
    return memories;
  }

  /**
   * Returns the memories that a find without concurrent updates reads for most keys; without the
   * states, if keys are stored separately.
   */
  public List<Memory> memoriesToFind() {
    return memories.subList(memories.size() / 2, memories.size());
  }

  /**
   * Reads a part of a table sequentially, so that it is in the cache when keys access it at random;
   * returns a number that depends on all of it.
   */
  public static long warm(List<Memory> memories, int partition, int partitions) {
    long sum = 0;
    for (Memory memory : memories) {
      long lines = memory.byteSize() / CACHE_LINE;
      MemorySegment segment = memory.segment();
      for (long i = lines * partition / partitions; i < lines * (partition + 1) / partitions; i++) {
        sum += segment.get(ValueLayout.JAVA_LONG, i * CACHE_LINE);
      }
    }
    return sum;
  }
}
