package dev.gyre.structures.map;

import dev.gyre.atomics.Internal;
import dev.gyre.kernels.Launcher;
import dev.gyre.kernels.Stage;
import dev.gyre.kernels.map.TableRef;
import dev.gyre.progress.Progress;
import dev.gyre.progress.ProgressClass;
import dev.gyre.structures.launch.Held;
import dev.gyre.structures.launch.Launchable;
import dev.gyre.structures.map.store.Store;
import dev.gyre.structures.map.table.MapSettings;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.Objects;
import java.util.function.Function;

/**
 * What users hold, whatever its keys: a table with open addressing, of which kernels can have refs.
 *
 * @param <S> what is behind it
 * @param <H> the map or set itself
 * @param <R> its refs
 */
@Internal
public abstract class HashTable<S extends Store<?, ?>, H, R>
    implements AutoCloseable, Launchable<R> {

  static final String INSERTS = "waits for running inserts";
  private static final String RUNNING = "waits for running operations";
  private static final String COUNTERS =
      "reads counters, and again where the table was replaced meanwhile";
  private static final String BEGINS = "takes a lock for as long as it takes to note the operation";

  static {
    // Initialise what bulk operations use while there is stack: a class whose initialiser overflows
    // the stack fails for ever.
    Objects.requireNonNull(BulkOptions.NONE);
    Objects.requireNonNull(Longs.of(0L));
    Objects.requireNonNull(Ints.of(0));
  }

  final S store;
  private final Function<TableRef, R> refs;

  HashTable(S store, Function<TableRef, R> refs) {
    this.store = store;
    this.refs = refs;
  }

  abstract H self();

  /** Another one, with settings of its own. */
  abstract H made(MapSettings settings);

  /**
   * Number of keys, and no fewer than the inserts that ended have inserted. An insert that runs may
   * count its keys already, even if they turn out to be present.
   */
  @Progress(value = ProgressClass.LOCK_FREE, because = COUNTERS)
  public final long size() {
    return store.size();
  }

  /** Number of keys that there is room for without growth of the table. */
  @Progress(value = ProgressClass.LOCK_FREE, because = COUNTERS)
  public final long capacity() {
    return store.capacity();
  }

  /** Bytes that the table takes, and the arena of texts, without scratch memory. */
  @Progress(value = ProgressClass.LOCK_FREE, because = COUNTERS)
  public final long byteSize() {
    return store.byteSize();
  }

  /**
   * Begins an operation and does not wait for it: {@code map.async(m -> m.insert(keys, values))}.
   * What is begun so is done one after another, in the order of these calls, whatever becomes of
   * what was begun before; other operations run beside it as they do beside any. Its keys and
   * results are in use until the stage has ended. It must not wait for what it begins so itself.
   *
   * @return a stage that ends with what the operation returns, or throws
   */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = BEGINS)
  public final <T> Stage<T> async(Function<? super H, ? extends T> operation) {
    return store.async(self(), operation);
  }

  @Internal
  @Override
  @Progress(value = ProgressClass.WAIT_FREE, because = "holds nothing yet")
  public final Held<R> hold() {
    return store.hold(refs);
  }

  /**
   * Copies all entries to a new structure on another launcher, with the same settings: what was
   * built on a device can be read on the JVM, and the other way round. This one stays as it is, and
   * the caller closes both, and the launcher after the copy. Waits for running inserts.
   *
   * @return the copy
   * @throws dev.gyre.atomics.ClosedException if this was closed, or the launcher
   * @throws dev.gyre.atomics.MemoryExhaustedException if there is not the memory for the copy
   * @throws dev.gyre.structures.StructureException if the launcher is a group
   * @throws dev.gyre.kernels.LaunchException if the table cannot be brought back from a device, or
   *     as a {@link dev.gyre.kernels.LaunchCancelledException} if the thread is interrupted
   */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = INSERTS)
  public final H copyTo(Launcher launcher) {
    return store.copyTo(launcher, this::made);
  }

  /**
   * Writes all to a file, of which {@link MapBuilder#load(Path)} makes the same again; where that
   * fails, a file that was there before is unchanged. Waits for running inserts.
   *
   * @throws dev.gyre.structures.StructureException if the file cannot be written; its cause is the
   *     {@link java.io.IOException}
   * @throws dev.gyre.kernels.LaunchCancelledException if the thread is interrupted
   */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = INSERTS)
  public final void save(Path file) {
    store.save(Objects.requireNonNull(file, "file"));
  }

  /**
   * Writes all to a stream, as the bytes that a file would have, such as for another process;
   * {@link MapBuilder#load(java.lang.foreign.MemorySegment)} makes the same again. The stream is
   * flushed, and not closed. Waits for running inserts; nobody inserts before it has taken all, nor
   * may the stream itself.
   *
   * @throws dev.gyre.structures.StructureException if the stream cannot be written to; its cause is
   *     the {@link java.io.IOException}, and a part may be written
   */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = INSERTS)
  public final void save(OutputStream out) {
    store.save(Objects.requireNonNull(out, "out"));
  }

  /**
   * Takes all keys out; the capacity stays. Waits for running operations. An interrupt does not end
   * it.
   */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = RUNNING)
  public final void clear() {
    store.clear();
  }

  /**
   * Moves all to a table with another capacity. Waits for running operations.
   *
   * @param capacity number of keys to have room for
   * @throws IllegalArgumentException if it is less than {@link #size()}
   * @throws dev.gyre.atomics.MemoryExhaustedException if there is not as much memory
   * @throws dev.gyre.kernels.LaunchCancelledException if the thread is interrupted; all is then as
   *     it was
   */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = RUNNING)
  public final void rehash(long capacity) {
    if (capacity < 0) {
      throw new IllegalArgumentException("the capacity must be 0 or more, not " + capacity);
    }
    store.rehash(Math.max(1, capacity));
  }

  /** Frees the memory, having waited for running operations; further calls do nothing. */
  @Override
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = RUNNING)
  public final void close() {
    store.close();
  }
}
