package dev.gyre.structures.map;

import dev.gyre.atomics.Internal;
import dev.gyre.kernels.map.TextHash;
import dev.gyre.progress.Progress;
import dev.gyre.progress.ProgressClass;
import dev.gyre.structures.launch.TextSetRef;
import dev.gyre.structures.map.file.SavedMap;
import dev.gyre.structures.map.store.TextStore;
import dev.gyre.structures.map.table.MapSettings;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * An insert-only set of texts, of any length, for many threads, with bulk operations: the keys of a
 * {@link TextLongMap}, with all that the package says of maps.
 *
 * <pre>{@code
 * try (var seen = TextSet.create()) {
 *   InsertCounts counts = seen.addAll(words);
 *   FindCounts hits = seen.containsAll(wanted);
 *   boolean isNew = seen.add("whale"); // one key, from any thread
 *   seen.forEach(word -> System.out.println(word));
 * }
 * }</pre>
 *
 * <p>A key is a row of bytes, as in maps; a string is taken as UTF-8. Of equal keys in one
 * operation exactly one is INSERTED.
 */
public final class TextSet extends HashTable<TextStore, TextSet, TextSetRef> {

  private static final String NAME = "TextSet";

  private static final String CLAIMS =
      "waits for growth, and in a slot for the thread that claimed it";
  private static final String FINDS = CLAIMS + "; no update waits for it";
  private static final String READS =
      "looks again only where the set has grown or was cleared meanwhile;"
          + " on a device waits in a slot";
  private static final String WALKS =
      "looks again only where the set has grown or was cleared meanwhile;"
          + " on a device waits for running inserts";

  /** All values are 0. */
  private final TextLongMap keys;

  private TextSet(MapSettings settings) {
    super(new TextStore(NAME, SavedMap.Kind.TEXT_SET, settings), TextSetRef::new);
    this.keys = new TextLongMap(store);
  }

  @Override
  TextSet self() {
    return this;
  }

  @Override
  TextSet made(MapSettings settings) {
    return new TextSet(settings);
  }

  /** A set that starts small and grows, with a thread for every core. */
  public static TextSet create() {
    return builder().build();
  }

  /** A set of what is in a file; see {@link MapBuilder#load(Path)}. */
  public static TextSet load(Path file) {
    return builder().load(file);
  }

  /** A set of the bytes that it was saved as; see {@link MapBuilder#load(MemorySegment)}. */
  public static TextSet load(MemorySegment saved) {
    return builder().load(saved);
  }

  /** Settings of a set to be made. */
  public static MapBuilder<TextSet> builder() {
    return new MapBuilder<>(Layout.LINE, TextSet::new);
  }

  /** {@link #addAll(TextKeys, BulkOptions)} of strings. */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = CLAIMS)
  public InsertCounts addAll(List<String> all) {
    return keys.insert(all, new long[Objects.requireNonNull(all, "all").size()]);
  }

  /**
   * Adds keys; INSERTED are those that were not in the set.
   *
   * <p>Where a set that grows runs out of memory in the middle, every key is either in the set or
   * was not tried; outcomes of the latter say SKIPPED.
   *
   * @throws IllegalArgumentException if there are not as many options as keys
   * @throws dev.gyre.atomics.MemoryExhaustedException if there is not the memory to grow
   * @throws StuckException if a wait for another thread took too long
   * @throws dev.gyre.kernels.LaunchCancelledException if the thread is interrupted; some of the
   *     keys are then in the set
   */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = CLAIMS)
  public InsertCounts addAll(TextKeys all, BulkOptions options) {
    long[] zeros = new long[Objects.requireNonNull(all, "all").count()];
    return keys.insert(all, Longs.of(zeros), options);
  }

  /**
   * Adds a key; returns whether it was not in the set.
   *
   * @throws MapFullException if the key is absent, and the set full and of fixed capacity
   * @throws dev.gyre.atomics.MemoryExhaustedException if there is not the memory to grow
   * @throws StuckException if a wait for another thread took too long
   * @throws dev.gyre.kernels.LaunchCancelledException if the thread is interrupted while the set
   *     grows for the key; it is then as it was
   */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = CLAIMS)
  public boolean add(byte[] key) {
    return keys.putIfAbsent(key, 0).isEmpty();
  }

  /**
   * {@link #add(byte[])} of a string.
   *
   * @throws IllegalArgumentException if it holds half of a surrogate pair, which UTF-8 cannot say
   */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = CLAIMS)
  public boolean add(String key) {
    return keys.putIfAbsent(key, 0).isEmpty();
  }

  /** {@link #containsAll(TextKeys, BulkOptions)} of strings. */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = FINDS)
  public FindCounts containsAll(List<String> all) {
    return keys.store.withKeys(all, batch -> containsAll(batch, BulkOptions.NONE));
  }

  /**
   * Counts the keys that are in the set.
   *
   * @throws IllegalArgumentException if there are not as many options as keys
   * @throws dev.gyre.kernels.LaunchCancelledException if the thread is interrupted
   */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = FINDS)
  public FindCounts containsAll(TextKeys all, BulkOptions options) {
    return keys.contains(Objects.requireNonNull(all, "all"), options);
  }

  /**
   * Whether a key is in the set. On the JVM no operation blocks it.
   *
   * @throws dev.gyre.atomics.ClosedException if the set was closed
   */
  @Progress(
      value = ProgressClass.LOCK_FREE,
      onDevice = ProgressClass.DEADLOCK_FREE,
      because = READS)
  public boolean contains(byte[] key) {
    return keys.containsKey(key);
  }

  /**
   * {@link #contains(byte[])} of a string; one with half of a surrogate pair is no key, and so
   * absent.
   */
  @Progress(
      value = ProgressClass.LOCK_FREE,
      onDevice = ProgressClass.DEADLOCK_FREE,
      because = READS)
  public boolean contains(String key) {
    return keys.containsKey(key);
  }

  /** Refuses what a bulk operation cannot be given. */
  @Internal
  @Progress(value = ProgressClass.WAIT_FREE, because = "looks at its arguments")
  public void check(TextKeys all, BulkOptions options) {
    keys.check(all, options);
  }

  /** The hash that the set was given, if any. */
  @Internal
  @Progress(value = ProgressClass.WAIT_FREE, because = "reads a constant")
  public @Nullable TextHash textHash() {
    return store.textHash();
  }

  /**
   * Adds all keys to a batch, in no particular order, and returns how many there are. Waits for
   * running inserts.
   */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = INSERTS)
  public long retrieveAll(TextKeys all) {
    Objects.requireNonNull(all, "all").requireOpen();
    return keys.retrieveAll(all).length;
  }

  /**
   * Gives all keys to an action, on the calling thread, in no particular order. Weakly consistent:
   * keys that are added meanwhile may be left out. The action may do anything with the set. From a
   * device all keys are copied first, as they are at one time.
   */
  @Progress(
      value = ProgressClass.LOCK_FREE,
      onDevice = ProgressClass.DEADLOCK_FREE,
      because = WALKS)
  public void forEachBytes(Consumer<byte[]> action) {
    Objects.requireNonNull(action, "action");
    keys.forEachBytes((key, _) -> action.accept(key));
  }

  /**
   * {@link #forEachBytes} with keys as strings, in which bytes that are no UTF-8 are replaced: keys
   * that differ there only come out the same.
   */
  @Progress(
      value = ProgressClass.LOCK_FREE,
      onDevice = ProgressClass.DEADLOCK_FREE,
      because = WALKS)
  public void forEach(Consumer<String> action) {
    Objects.requireNonNull(action, "action");
    forEachBytes(key -> action.accept(new String(key, StandardCharsets.UTF_8)));
  }
}
