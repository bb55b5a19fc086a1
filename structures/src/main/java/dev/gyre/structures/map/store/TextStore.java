package dev.gyre.structures.map.store;

import dev.gyre.atomics.MemoryExhaustedException;
import dev.gyre.kernels.map.Change;
import dev.gyre.kernels.map.TextHash;
import dev.gyre.kernels.map.TextPredicate;
import dev.gyre.kernels.map.TextVisitor;
import dev.gyre.structures.OperationLock.Entry;
import dev.gyre.structures.Releasable;
import dev.gyre.structures.StackReserve;
import dev.gyre.structures.map.BulkOptions;
import dev.gyre.structures.map.FindCounts;
import dev.gyre.structures.map.InsertCounts;
import dev.gyre.structures.map.Longs;
import dev.gyre.structures.map.MapFullException;
import dev.gyre.structures.map.TextKeys;
import dev.gyre.structures.map.file.SavedMap;
import dev.gyre.structures.map.table.ArenaChunk;
import dev.gyre.structures.map.table.MapSettings;
import dev.gyre.structures.map.table.RowScratch;
import dev.gyre.structures.map.table.SavedRows;
import dev.gyre.structures.map.table.TextKey;
import dev.gyre.structures.map.table.TextReader;
import dev.gyre.structures.map.table.TextTable;
import dev.gyre.structures.map.work.Workers;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Store of keys that are texts. */
public final class TextStore extends RowStore<TextTable> {

  /** Number of keys or slots of a task of a JVM worker. */
  public static final int STEP = 1 << 12;

  /** Largest number of words of keys in scratch memory that is kept. */
  private static final long MAX_STAGED_WORDS = 8 * STEP;

  /**
   * Largest number of keys that are inserted one by one: tasks of more keys wait less for memory.
   */
  private static final int MAX_SINGLE = 1 << 10;

  private static final double TEXT_MARGIN = 1.1;

  /** Reader of the present state; another object after each change. */
  private volatile @Nullable TextReader reader;

  /** Creates the store of a map. */
  public TextStore(String name, MapSettings settings) {
    this(name, SavedMap.Kind.TEXTS, settings);
  }

  public TextStore(String name, SavedMap.Kind kind, MapSettings settings) {
    super(
        STEP,
        name,
        kind,
        settings,
        TextStore::allocate,
        saved ->
            SavedRows.ofTexts(saved, settings, hash(settings), new Workers(settings.launcher())),
        (length, workers, _) -> new RowScratch(length, workers, 0, 1));
    // Initialise the classes of keys while enough stack is left: a class whose initialiser fails
    // can never be used.
    StackReserve.require();
    TextKey _ = TextKey.of("");
    TextKey _ = TextKey.of(new byte[Long.BYTES]);
    readers();
  }

  @Override
  void read(boolean by) {
    // First null: an old reader must not stay if no heap is left for another.
    reader = null;
    if (by) {
      reader = table.reader();
    }
  }

  /** Returns the reader of single keys without the lock; null if none exists at present. */
  public @Nullable TextReader reader() {
    return reader;
  }

  /** Returns the hash of the user, or null. */
  public @Nullable TextHash textHash() {
    return hash(settings);
  }

  private static @Nullable TextHash hash(MapSettings settings) {
    return settings.hashOf(TextHash.class, "texts");
  }

  private static TextTable allocate(MapSettings settings) {
    return TextTable.allocate(
        settings.capacity(),
        settings.options().loadFactor(),
        settings.options().textWords(),
        settings.seed(),
        hash(settings),
        settings.options().removable());
  }

  @Override
  TextTable resized(long capacity, long textWords) {
    return table().resized(capacity, settings.options().loadFactor(), textWords);
  }

  /**
   * Returns the words for all keys of a larger table, if their texts are as long as its first ones.
   * Otherwise the arena keeps its size, unless more than half of it is used.
   */
  @Override
  long textWords(long capacity, long lacking) {
    TextTable old = table();
    long words = old.textWords();
    if (isFixed()) {
      return words;
    }
    workers().readBack(old.bump.memory());
    // Without the words that stripes have taken in advance: a table with few keys would otherwise
    // get an arena that is much too large.
    long written = old.takenWords() - ArenaChunk.left(old, lock().stripes());
    double perKey = (double) written / Math.max(1, old.used());
    long larger = words;
    if (capacity > old.capacity) {
      long expected = (long) (TEXT_MARGIN * perKey * capacity);
      larger = Math.clamp(expected, words, MOST_GROWTH * words);
    }
    long live = (long) (perKey * old.size());
    return lacking > 0 && Math.max(2 * live, live + lacking) > larger
        ? Math.max(enlarged(words), words + lacking)
        : larger;
  }

  @Override
  TextTable emptied(TextTable other, long seed) {
    return other.emptied(seed);
  }

  @Override
  void move(TextTable old, TextTable fresh) {
    Workers all = workers();
    rehash(old, fresh, (counters, task) -> old.move(all, fresh, counters, task));
    all.readBack(fresh.bump.memory());
    fresh.noteTight();
  }

  @Override
  void growFor(TextTable full, long keys, long texts, boolean news) {
    if (!isFixed()) {
      grow(full, Math.min(keys, MOST_GROWTH * full.capacity), texts > 0 ? 1 : 0);
    } else if (keys > 0) {
      super.growFor(full, keys, texts, news);
    } else {
      lock().exclusively(() -> compactOrRefuse(full, news));
    }
  }

  /**
   * Makes capacity for a key that did not fit in a table, or whose text did not, unless there is
   * some by now, or the key is present.
   */
  public void growForOne(TextTable full, TextKey key) {
    exclusivelyIf(
        full,
        () -> {
          int words = key.arenaWords();
          boolean lacks = words > 0 && full.bump.get(0) + words > full.textWords();
          boolean absent = key.find(full) < 0;
          if (absent && isFixed() && lacks && full.rest() > 0) {
            compactOrRefuse(full, true);
          } else {
            growForOne(full, () -> absent, lacks ? words : 0);
          }
        });
  }

  @SuppressWarnings("ReferenceEquality") // The identity matters, not the content.
  private void compactOrRefuse(TextTable full, boolean news) {
    if (table() == full && !(news && compact())) {
      throw MapFullException.ofText(name(), full.arenaMemory.byteSize());
    }
  }

  /**
   * Removes the gaps of the arena, with exclusive access. If the memory for another table is not
   * available, gaps stay.
   *
   * @return whether there were gaps
   */
  public boolean compact() {
    TextTable old = table();
    workers().readBack(old.bump.memory());
    long taken = old.takenWords();
    try {
      if (old.mayHaveGaps()) {
        moveTo(old.capacity, 0);
      }
    } catch (MemoryExhaustedException e) {
      return false;
    }
    return table().takenWords() < taken;
  }

  /**
   * Returns the entry whose stripe keeps words of the arena; null if keys take exactly their words.
   *
   * <p>They do if they cannot be removed, because then files of the map have no gaps, and if the
   * capacity is fixed: other threads get the words of a stripe only by a compaction, for which
   * there may be no memory.
   */
  public @Nullable Entry wordOwner(Entry entry) {
    return isRemovable() && !isFixed() ? entry : null;
  }

  /** Returns whether a number of keys is inserted one by one. */
  public boolean insertsSingly(int keys) {
    return onJvm() && !isFixed() && !isRemovable() && keys <= MAX_SINGLE;
  }

  /** Runs work with the keys of a list, in scratch memory if they are few. */
  public <R> R withKeys(List<String> keys, Function<TextKeys, R> work) {
    String[] those = Objects.requireNonNull(keys, "keys").toArray(String[]::new);
    if (those.length > STEP || TextKeys.wordsOf(those) > MAX_STAGED_WORDS) {
      try (TextKeys all = TextKeys.of(Arrays.asList(those))) {
        return work.apply(all);
      }
    }
    RowScratch scratch = scratchPool.borrow(those.length, 1);
    return scratchPool.use(scratch, () -> work.apply(scratch.enter(those)));
  }

  /** Inserts keys; if the memory to grow is not available, keys that were not tried are SKIPPED. */
  public InsertCounts insert(
      TextKeys keys, Longs values, Change change, @Nullable Longs found, BulkOptions options) {
    requireOpen();
    try (Releasable _ = keys.use(values, found, options)) {
      int count = (int) values.length();
      BulkOptions _ = options.skipAll(count);
      return inserts(
          count,
          sums ->
              forBatches(
                  count,
                  Math.max(1, count),
                  (all, scratch) -> {
                    TextBatch batch =
                        new TextBatch(this, keys, all, values, change, found, options, scratch);
                    new TextInsertion(this, batch, sums).run();
                  }));
    }
  }

  public FindCounts find(TextKeys keys, @Nullable Longs found, BulkOptions options) {
    requireOpen();
    try (Releasable _ = keys.use(null, found, options)) {
      return finds(sums -> inBatch(keys, found, options, batch -> batch.lookUp(this, sums)));
    }
  }

  /** Removes keys; {@code found} receives the values that they had. */
  public FindCounts remove(TextKeys keys, @Nullable Longs found, BulkOptions options) {
    requireRemovable();
    try (Releasable _ = keys.use(null, found, options)) {
      return removes(sums -> inBatch(keys, found, options, batch -> batch.remove(this, sums)));
    }
  }

  private void inBatch(
      TextKeys keys, @Nullable Longs found, BulkOptions options, Consumer<TextBatch> work) {
    Change none = Change.Policy.KEEP;
    forBatches(
        keys.count(),
        Math.max(1, keys.count()),
        (all, scratch) ->
            work.accept(new TextBatch(this, keys, all, null, none, found, options, scratch)));
  }

  /** Removes the entries for which a predicate returns true; returns their number. */
  public long removeIf(TextPredicate predicate) {
    return removeIf(used -> used.predicateOfSlots(predicate));
  }

  /** Calls a visitor for all entries. */
  public void visit(TextVisitor visitor) {
    visit(used -> used.visitorOfSlots(visitor));
  }

  /** Begins to count words; the launcher of the map is not closed meanwhile. */
  public Releasable tally() {
    return begin();
  }
}
