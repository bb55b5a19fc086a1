package dev.gyre.structures.map.store;

import dev.gyre.kernels.map.Change;
import dev.gyre.kernels.map.TextHash;
import dev.gyre.kernels.map.TextVisitor;
import dev.gyre.structures.Leaving;
import dev.gyre.structures.OperationLock.Entry;
import dev.gyre.structures.map.BulkOptions;
import dev.gyre.structures.map.FindCounts;
import dev.gyre.structures.map.InsertCounts;
import dev.gyre.structures.map.Longs;
import dev.gyre.structures.map.TextKeys;
import dev.gyre.structures.map.file.SavedMap;
import dev.gyre.structures.map.table.MapSettings;
import dev.gyre.structures.map.table.SavedText;
import dev.gyre.structures.map.table.TextReader;
import dev.gyre.structures.map.table.TextScratch;
import dev.gyre.structures.map.table.TextTable;
import dev.gyre.structures.map.work.Workers;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A store of keys that are texts. */
public final class TextStore extends SteppedStore<TextTable, TextScratch> {

  /** Keys or slots that a worker of the JVM does at once. */
  public static final int STEP = 1 << 12;

  /** Most words of keys in scratch memory that is kept. */
  private static final long MAX_STAGED_WORDS = 8 * STEP;

  /** So many keys, at most, are inserted one by one: more wait less for memory in steps. */
  private static final int MAX_SINGLE = 1 << 10;

  private final TextGrowth growth = new TextGrowth(this);

  /** Another one each time, so that it is the same only where nothing has changed. */
  private volatile @Nullable TextReader reader;

  /** Of a map. */
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
            SavedText.load(
                saved, settings.seed(), hash(settings), new Workers(settings.launcher())),
        (length, workers, _) -> new TextScratch(length, workers));
    readers();
  }

  @Override
  void read(boolean by) {
    // First none: the last one must not stay where there is no heap for another.
    reader = null;
    if (by) {
      reader = table.reader();
    }
  }

  /** By which single keys are read without the lock; null where they cannot be, at present. */
  public @Nullable TextReader reader() {
    return reader;
  }

  /** The user's hash, if there is one. */
  public @Nullable TextHash textHash() {
    return hash(settings());
  }

  private static @Nullable TextHash hash(MapSettings settings) {
    return settings.hashOf(TextHash.class, "texts");
  }

  private static TextTable allocate(MapSettings settings) {
    return TextTable.allocate(
        settings.capacity(),
        settings.loadFactor(),
        settings.textWords(),
        settings.seed(),
        hash(settings));
  }

  @Override
  TextTable resized(long capacity) {
    return table().resized(capacity, settings().loadFactor());
  }

  @Override
  TextTable emptied(long seed) {
    return table().emptied(seed);
  }

  @Override
  void move(TextTable old, TextTable fresh) {
    Workers all = workers();
    rehash(old, fresh, (counters, step) -> old.move(all, fresh, counters, step));
  }

  @Override
  void growFor(TextTable full, long keys, long texts, boolean news) {
    growth.growFor(full, keys, texts, news);
  }

  /** Whether so many keys are best inserted one by one. */
  public boolean insertsSingly(int keys) {
    return onJvm() && !isFixed() && keys <= MAX_SINGLE;
  }

  /** Does work with the keys of a list, which go to scratch memory if they are few. */
  public <R> R withKeys(List<String> keys, Function<TextKeys, R> work) {
    String[] those = Objects.requireNonNull(keys, "keys").toArray(String[]::new);
    if (those.length > STEP || TextKeys.wordsOf(those) > MAX_STAGED_WORDS) {
      try (TextKeys all = TextKeys.of(Arrays.asList(those))) {
        return work.apply(all);
      }
    }
    TextScratch stage = stages().borrow(those.length, 1);
    return stages().use(stage, () -> work.apply(stage.enter(those)));
  }

  /** Inserts keys; if there is not the memory to grow, those that were not tried are SKIPPED. */
  public InsertCounts insert(
      TextKeys keys, Longs values, Change change, @Nullable Longs found, BulkOptions options) {
    requireOpen();
    try (Leaving _ = keys.use()) {
      int count = keys.count();
      BulkOptions _ = options.skipAll(count);
      return inserts(
          count,
          sums ->
              withBatch(
                  keys,
                  count,
                  values,
                  change,
                  found,
                  options,
                  batch -> new TextInsertion(this, batch, sums).run()));
    }
  }

  public FindCounts find(TextKeys keys, @Nullable Longs found, BulkOptions options) {
    requireOpen();
    try (Leaving _ = keys.use()) {
      int count = keys.count();
      return finds(
          sums ->
              withBatch(
                  keys,
                  count,
                  null,
                  Change.Policy.KEEP,
                  found,
                  options,
                  batch -> batch.lookUp(this, sums)));
    }
  }

  private void withBatch(
      TextKeys keys,
      int count,
      @Nullable Longs values,
      Change change,
      @Nullable Longs found,
      BulkOptions options,
      Consumer<TextBatch> work) {
    TextScratch stage = stages().borrow(count, stepsAtOnce(count));
    try {
      work.accept(new TextBatch(this, keys, count, values, change, found, options, stage));
    } finally {
      stages().giveBack(stage);
    }
  }

  /** Gives all entries to a kernel's body. */
  public void visit(TextVisitor visitor) {
    try (Entry _ = begin()) {
      visitSlots((used, step) -> used.visit(visitor, step));
    }
  }

  /** Begins to count words; the launcher of the map is not closed meanwhile. */
  public Leaving tally() {
    return begin();
  }

  /** What makes room, for keys or for their text. */
  public TextGrowth growth() {
    return growth;
  }
}
