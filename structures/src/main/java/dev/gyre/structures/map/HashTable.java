package dev.gyre.structures.map;

import dev.gyre.atomics.ClosedException;
import dev.gyre.atomics.Internal;
import dev.gyre.kernels.Launcher;
import dev.gyre.kernels.Stage;
import dev.gyre.kernels.map.TableRef;
import dev.gyre.progress.Progress;
import dev.gyre.progress.ProgressClass;
import dev.gyre.structures.StructureStats;
import dev.gyre.structures.launch.Launchable;
import dev.gyre.structures.launch.StructurePin;
import dev.gyre.structures.map.file.MapFile;
import dev.gyre.structures.map.store.Store;
import dev.gyre.structures.map.table.MapSettings;
import dev.gyre.structures.map.work.OutcomeCounts;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.Collections;
import java.util.Iterator;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.BaseStream;

/**
 * Common methods of all maps and sets: size, copies, files, growth and close.
 *
 * @param <S> implementation behind the map
 * @param <H> the map or set itself
 * @param <R> its refs for kernels
 */
@Internal
public abstract class HashTable<S extends Store<?, ?>, H, R>
    implements AutoCloseable, Launchable<R> {

  static final String INSERTS = "waits for running inserts";
  static final String CLAIMS = "waits for growth, and for the thread that has claimed a slot";
  static final String REMOVALS =
      "waits for growth, and for a thread that is changing the value of the same key";
  static final String FINDS = CLAIMS + "; no update waits for it";
  static final String READS =
      "searches again only if the table has grown or was cleared meanwhile;"
          + " on a device, waits for the thread that has claimed a slot";
  static final String WALKS =
      "reads again only if the table has grown or was cleared meanwhile;"
          + " on a device, waits for running inserts";
  static final String VIEWS = "makes a view";
  private static final int SHOWN_ENTRIES = 10;
  private static final int SHOWN_CHARS = 60;
  private static final String RUNNING = "waits for running operations";
  private static final String COUNTERS =
      "reads counters, and repeats this only if the table was replaced meanwhile";
  private static final String BEGINS = "takes a lock to register the operation";

  static {
    // Initialise the classes of operations while enough stack is left: a class whose initialiser
    // overflows the stack can never be used.
    Objects.requireNonNull(BulkOptions.NONE);
    Objects.requireNonNull(Longs.of(0L));
    Objects.requireNonNull(Ints.of(0));
    Objects.requireNonNull(Columns.longs(new long[1]));
    Objects.requireNonNull(MapFile.FORMAT);
  }

  final S store;
  private final Function<TableRef, R> refs;

  private final Function<MapSettings, H> made;

  /**
   * Creates a map or set.
   *
   * @param refs makes refs for kernels
   * @param made makes an equal map or set with other settings
   */
  HashTable(S store, Function<TableRef, R> refs, Function<MapSettings, H> made) {
    this.store = store;
    this.refs = refs;
    this.made = made;
  }

  /**
   * Returns the number of keys. It is never smaller than the number of keys that completed inserts
   * have added, and includes no key that is not in the table yet. While other threads remove keys,
   * it is approximate, and never negative.
   */
  @Progress(value = ProgressClass.LOCK_FREE, because = COUNTERS)
  public final long size() {
    return store.size();
  }

  /** Returns whether there is no key; see {@link #size}. */
  @Progress(value = ProgressClass.LOCK_FREE, because = COUNTERS)
  public final boolean isEmpty() {
    return size() == 0;
  }

  /** Returns a stream of the entries of a map, or of the keys of a set. */
  abstract BaseStream<?, ?> stream();

  /**
   * Returns the name of the structure, its size and, on the JVM, its first few entries, each of
   * which is shortened.
   */
  @Override
  @Progress(value = ProgressClass.LOCK_FREE, because = COUNTERS)
  public final String toString() {
    StringBuilder text = new StringBuilder(store.name()).append('[');
    try {
      text.append(size()).append(" keys");
      Iterator<?> entries = store.onJvm() ? stream().iterator() : Collections.emptyIterator();
      for (int i = 0; i < SHOWN_ENTRIES && entries.hasNext(); i++) {
        String entry = String.valueOf(entries.next());
        text.append(i == 0 ? ": " : ", ").append(entry, 0, Math.min(SHOWN_CHARS, entry.length()));
        text.append(entry.length() > SHOWN_CHARS ? "..." : "");
      }
      return text.append(entries.hasNext() ? ", ...]" : "]").toString();
    } catch (ClosedException e) {
      return store.name() + "[closed]";
    }
  }

  static Longs named(long[] array, String name) {
    return Longs.of(Objects.requireNonNull(array, name));
  }

  static Ints named(int[] array, String name) {
    return Ints.of(Objects.requireNonNull(array, name));
  }

  /** Returns the counts of an insert, unless its options make it throw. */
  final InsertCounts checked(InsertCounts counts, BulkOptions options) {
    return OutcomeCounts.checked(counts, options, store.name(), store.capacity());
  }

  /**
   * Returns the number of keys that fit before the table grows; keys that were removed since it was
   * last rebuilt count, too.
   */
  @Progress(value = ProgressClass.LOCK_FREE, because = COUNTERS)
  public final long capacity() {
    return store.capacity();
  }

  /** Returns the off-heap bytes of the table and of the arena of texts, without scratch memory. */
  @Progress(value = ProgressClass.LOCK_FREE, because = COUNTERS)
  public final long byteSize() {
    return store.byteSize();
  }

  /**
   * Measures the table: its load, and how many slots a search reads. The slots of a large table are
   * sampled, so that the time does not depend on the size. On a device, a kernel measures them.
   *
   * <p>Waits for running inserts; inserts wait for it. Other lookups do not.
   *
   * @throws dev.gyre.atomics.ClosedException if this structure is closed
   * @throws dev.gyre.kernels.LaunchException if the kernel cannot run on a device, or as a {@link
   *     dev.gyre.kernels.LaunchCancelledException} if the thread is interrupted
   */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = INSERTS)
  public final StructureStats stats() {
    return store.stats();
  }

  /**
   * Starts an operation and returns at once: {@code map.async(m -> m.insert(keys, values))}.
   *
   * <p>Operations that are started in this way run one after another, in the order of the calls,
   * even if one of them fails. Other operations may run at the same time. The keys and results are
   * in use until the stage ends. An operation must not wait for another operation that it starts
   * with this method.
   *
   * @return a stage that completes with the result of the operation, or with its exception
   */
  @SuppressWarnings("unchecked") // H is the class of this object.
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = BEGINS)
  public final <T> Stage<T> async(Function<? super H, ? extends T> operation) {
    return store.async((H) this, operation);
  }

  @Internal
  @Override
  @Progress(value = ProgressClass.WAIT_FREE, because = "creates an object, and pins nothing yet")
  public final StructurePin<R> pin() {
    return store.pin(refs);
  }

  /**
   * Copies all entries to a new structure with the same settings on another launcher, for example
   * from a device to the JVM.
   *
   * <p>This structure is unchanged. The caller closes both structures, and the launcher after the
   * copy. Waits for running inserts.
   *
   * @return the copy
   * @throws dev.gyre.atomics.ClosedException if this structure or the launcher is closed
   * @throws dev.gyre.atomics.MemoryExhaustedException if the memory for the copy is not available
   * @throws dev.gyre.structures.StructureException if the launcher is a group
   * @throws dev.gyre.kernels.LaunchException if the table cannot be copied from a device, or as a
   *     {@link dev.gyre.kernels.LaunchCancelledException} if the thread is interrupted
   */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = INSERTS)
  public final H copyTo(Launcher launcher) {
    return store.copyTo(launcher, made);
  }

  /**
   * Saves all entries to a file, which {@link MapBuilder#load(Path)} loads. If this fails, an
   * existing file is unchanged. Waits for running inserts.
   *
   * @throws dev.gyre.structures.StructureException if the file cannot be written; its cause is the
   *     {@link java.io.IOException}
   * @throws dev.gyre.kernels.LaunchCancelledException if the thread is interrupted
   */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = INSERTS)
  public final void save(Path file) {
    Objects.requireNonNull(file, "file");
    store.save((map, sections) -> MapFile.save(map, sections, file));
  }

  /**
   * Writes the bytes of a saved file to a stream, for example for another process. {@link
   * MapBuilder#load(java.lang.foreign.MemorySegment)} loads them.
   *
   * <p>This method flushes the stream and does not close it. It waits for running inserts, and
   * inserts wait for it. The stream must not insert either.
   *
   * @throws dev.gyre.structures.StructureException if the stream cannot be written; its cause is
   *     the {@link java.io.IOException}, and a part may be written
   * @throws dev.gyre.kernels.LaunchCancelledException if the thread is interrupted; a part may be
   *     written
   */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = INSERTS)
  public final void save(OutputStream out) {
    Objects.requireNonNull(out, "out");
    store.save((map, sections) -> MapFile.save(map, sections, out));
  }

  /**
   * Removes all keys; the capacity stays. Waits for running operations. An interrupt does not end
   * it.
   */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = RUNNING)
  public final void clear() {
    store.clear();
  }

  /**
   * Moves all entries to a table with another capacity. Waits for running operations.
   *
   * @param capacity number of keys that fit in the new table
   * @throws IllegalArgumentException if {@code capacity} is less than {@link #size()}
   * @throws dev.gyre.atomics.MemoryExhaustedException if the memory is not available
   * @throws dev.gyre.kernels.LaunchCancelledException if the thread is interrupted; the structure
   *     is unchanged
   */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = RUNNING)
  public final void rehash(long capacity) {
    if (capacity < 0) {
      throw new IllegalArgumentException("the capacity must be 0 or more, not " + capacity);
    }
    store.rehash(Math.max(1, capacity));
  }

  /** Waits for running operations, then frees the memory. Further calls do nothing. */
  @Override
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = RUNNING)
  public final void close() {
    store.close();
  }
}
