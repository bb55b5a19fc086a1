package dev.gyre.structures.group;

import dev.gyre.atomics.ClosedException;
import dev.gyre.atomics.MemoryExhaustedException;
import dev.gyre.progress.Progress;
import dev.gyre.progress.ProgressClass;
import dev.gyre.structures.StructureException;
import dev.gyre.structures.group.Plan.Aggregate;
import dev.gyre.structures.group.Plan.Aggregate.Kind;
import java.io.OutputStream;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Groups rows by the values of key columns, and aggregates other columns per group.
 *
 * <pre>{@code
 * try (GroupBy groups = GroupBy.on("station").min("t").mean("t").max("t")) {
 *   groups.add(batch); // many batches, from many threads
 *   try (Groups result = groups.result();
 *       RowNumbers order = result.order(Groups.By.ascending("station"))) {
 *     for (long i = 0; i < order.size(); i++) {
 *       long row = order.get(i);
 *       System.out.println(
 *           result.column("station").text(row) + " " + result.column("mean(t)").decimal(row, 1));
 *     }
 *   }
 * }
 * }</pre>
 *
 * <h2>Aggregates</h2>
 *
 * <p>They are declared before the first batch: afterwards, these methods throw an
 * IllegalStateException. An aggregate that is declared twice, or whose column of the result would
 * have the name of a key, is an IllegalArgumentException.
 *
 * <ul>
 *   <li>{@code count()} counts rows. {@code count("x")} counts rows where x is not null.
 *   <li>{@code sum}, {@code min}, {@code max} and {@code mean} skip nulls. They are null if all
 *       values of the group are.
 *   <li>Sums of ints, longs and decimals are exact: they are kept in 128 bits, and {@link #result}
 *       throws if and only if a sum does not fit in a long. Means are exact, too, whatever the sum.
 *   <li>A sum of n floats or doubles differs from the exact sum by at most n·2<sup>-53</sup> times
 *       the sum of their absolute values. It is not reproducible bit for bit: it depends on the
 *       order in which rows arrive. If a partial sum is beyond the range of doubles, the sum is
 *       infinite or NaN.
 *   <li>In {@code min} and {@code max}, NaN is greater than all other numbers, and -0.0 is less
 *       than 0.0.
 *   <li>{@code distinct} is the exact number of different values that are not null, by the equality
 *       of keys.
 * </ul>
 *
 * <h2>Method</h2>
 *
 * <p>Each call of {@link #add} takes a private table of keys with aggregates, which no other thread
 * uses meanwhile. If the table is full, rows of other keys are sorted by hash and appended to
 * partitions, with the values that are aggregated. When a partition has as many waiting rows as
 * groups, it aggregates them: its hash table fits in the cache of a core. If keys hardly repeat,
 * rows are appended for a while without a search in the private table.
 *
 * <p><b>Threads.</b> Columns are declared first, by one thread. Then any number of threads may call
 * {@link #add}. The other methods wait for calls that run, and calls that come meanwhile wait for
 * them.
 *
 * <p><b>Errors.</b> If {@code add} or {@code merge} throws an IllegalArgumentException, the groups
 * are unchanged. After any other exception the groups are incomplete, and all methods except {@link
 * #close} throw a {@link dev.gyre.structures.StructureException}.
 *
 * @since 0.1.0
 */
public final class GroupBy implements AutoCloseable {

  /** Largest number of columns whose distinct values are counted: a saved file has few sections. */
  private static final int MAX_DISTINCT = 4;

  private static final String DECLARES = "only notes the aggregate";
  private static final String ALONE = "waits for running calls";

  private final List<String> keys;
  private final List<Aggregate> aggregates = new ArrayList<>();

  /** Read lock: calls that add rows. Write lock: all others. */
  private final ReentrantReadWriteLock lock = new ReentrantReadWriteLock();

  /** Null before the first batch. */
  private volatile @Nullable Running running;

  private volatile @Nullable Throwable failure;
  private volatile boolean closed;

  private GroupBy(List<String> keys) {
    this.keys = keys;
  }

  /**
   * Returns groups by some columns, without aggregates.
   *
   * @throws IllegalArgumentException if there is no column, or one is given twice
   */
  public static GroupBy on(String... keys) {
    return new GroupBy(Plan.names(keys));
  }

  private GroupBy with(Kind kind, @Nullable String column) {
    Aggregate aggregate = new Aggregate(kind, column);
    if (running != null || closed) {
      throw new IllegalStateException(aggregate.name() + " must be declared before rows are added");
    }
    if (aggregates.contains(aggregate)) {
      throw new IllegalArgumentException(aggregate.name() + " is declared twice");
    }
    if (keys.contains(aggregate.name())) {
      throw new IllegalArgumentException(
          "a key and an aggregate would both name a column of the result %s: rename the key"
              .formatted(aggregate.name()));
    }
    long distincts = aggregates.stream().filter(a -> a.kind() == Kind.DISTINCT).count();
    if (kind == Kind.DISTINCT && distincts == MAX_DISTINCT) {
      throw new IllegalArgumentException(
          "distinct values of %d columns at most are counted".formatted(MAX_DISTINCT));
    }
    aggregates.add(aggregate);
    return this;
  }

  private void requireUsable() {
    if (closed) {
      throw new ClosedException("GroupBy");
    }
    Throwable cause = failure;
    if (cause != null) {
      String why = Objects.requireNonNullElse(cause.getMessage(), cause.toString());
      throw new StructureException(
          "the groups are incomplete, because a call has failed: " + why, cause);
    }
  }

  /** Does work after whose failure the groups are incomplete. */
  void changing(Runnable work) {
    try {
      work.run();
    } catch (RuntimeException | Error e) {
      failure = e;
      throw e;
    }
  }

  /** Merges the rows of all threads and devices. If memory does not suffice, no row is lost. */
  private void flush(Running now, boolean countsDistinct) {
    try {
      changing(() -> now.flush(countsDistinct));
    } catch (MemoryExhaustedException e) {
      failure = null;
      throw e;
    }
  }

  /** Does work while no other thread uses the groups, which are null before the first batch. */
  private <T> T exclusively(Function<@Nullable Running, T> work) {
    lock.writeLock().lock();
    try {
      requireUsable();
      return work.apply(running);
    } finally {
      lock.writeLock().unlock();
    }
  }

  /** Sets the types of all columns, unless another thread has done so. */
  private synchronized Running started(Plan plan) {
    Running now = running;
    if (now == null) {
      now = new Running(plan);
      running = now;
    }
    return now;
  }

  /** Adds the column {@code count}: the number of rows. */
  @Progress(value = ProgressClass.WAIT_FREE, because = DECLARES)
  public GroupBy count() {
    return with(Kind.COUNT, null);
  }

  /** Adds the column {@code count(x)}: the number of rows where x is not null. */
  @Progress(value = ProgressClass.WAIT_FREE, because = DECLARES)
  public GroupBy count(String column) {
    return with(Kind.COUNT, Objects.requireNonNull(column, "column"));
  }

  /** Adds the column {@code sum(x)}, of the type of x: longs, decimals of one scale, or doubles. */
  @Progress(value = ProgressClass.WAIT_FREE, because = DECLARES)
  public GroupBy sum(String column) {
    return with(Kind.SUM, Objects.requireNonNull(column, "column"));
  }

  /** Adds the column {@code min(x)}, of the type of x. */
  @Progress(value = ProgressClass.WAIT_FREE, because = DECLARES)
  public GroupBy min(String column) {
    return with(Kind.MIN, Objects.requireNonNull(column, "column"));
  }

  /** Adds the column {@code max(x)}, of the type of x. */
  @Progress(value = ProgressClass.WAIT_FREE, because = DECLARES)
  public GroupBy max(String column) {
    return with(Kind.MAX, Objects.requireNonNull(column, "column"));
  }

  /** Adds the column {@code mean(x)}: doubles, which {@link GroupColumn#decimal} rounds exactly. */
  @Progress(value = ProgressClass.WAIT_FREE, because = DECLARES)
  public GroupBy mean(String column) {
    return with(Kind.MEAN, Objects.requireNonNull(column, "column"));
  }

  /**
   * Adds the column {@code distinct(x)}: the number of different values of x, which may be texts.
   *
   * @throws IllegalArgumentException if this is the fifth such column
   */
  @Progress(value = ProgressClass.WAIT_FREE, because = DECLARES)
  public GroupBy distinct(String column) {
    return with(Kind.DISTINCT, Objects.requireNonNull(column, "column"));
  }

  /**
   * Adds the rows of a batch. Any number of threads may call this method, each with its own batch.
   *
   * <p>The first batch sets the types of the columns.
   *
   * @throws IllegalArgumentException if a column is missing or shorter than the batch, differs in
   *     type or scale from the first batch, or is a column of texts and cannot be summed; or if a
   *     text is outside its bytes
   * @throws MemoryExhaustedException if the memory for the groups is not available
   * @throws dev.gyre.atomics.ClosedException if this object is closed
   */
  @Progress(
      value = ProgressClass.DEADLOCK_FREE,
      because = "waits for a call that needs all groups, and for other rows of a partition")
  public void add(Batch batch) {
    adding(
        batch,
        (all, columns) -> changing(() -> all.with(worker -> worker.add(columns, batch.rows()))));
  }

  /** Does work with a batch, which sets the types of the columns if it is the first. */
  void adding(Batch batch, BiConsumer<Running, Plan.Bound> work) {
    Objects.requireNonNull(batch, "batch");
    lock.readLock().lock();
    try {
      requireUsable();
      Running now = running;
      if (now == null) {
        Plan plan = Plan.of(keys, aggregates, batch);
        // A batch that is refused sets no types.
        var _ = plan.bind(plan.states(), batch);
        now = started(plan);
      }
      Running all = now;
      work.accept(all, all.plan.bind(all.states, batch));
    } finally {
      lock.readLock().unlock();
    }
  }

  /** Takes the groups of a device that is no longer used, unless this object is not usable. */
  void release(Runnable device) {
    lock.writeLock().lock();
    try {
      Running now = running;
      if (now != null && now.devices.remove(device) && failure == null) {
        changing(device);
      }
    } finally {
      lock.writeLock().unlock();
    }
  }

  /**
   * Adds all rows that were added to other groups with the same keys and aggregates. The other
   * groups are unchanged.
   *
   * @throws IllegalArgumentException if keys, aggregates or types differ
   * @throws MemoryExhaustedException if the memory for the groups is not available
   */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = ALONE)
  public void merge(GroupBy other) {
    // A copy of the others: two locks at once could deadlock.
    try (GroupState state = Objects.requireNonNull(other, "other").state()) {
      absorb(state);
    }
  }

  private GroupState state() {
    return exclusively(
        now -> {
          if (now == null) {
            return new GroupState(new Plan(keys, aggregates, Map.of()), List.of());
          }
          flush(now, false);
          return now.state();
        });
  }

  /** Returns whether a column is one of the key. */
  boolean isKey(String column) {
    return keys.contains(column);
  }

  /** Returns the plan of groups whose columns have some types. */
  Plan plan(Map<String, Plan.Field> fields) {
    return new Plan(List.copyOf(keys), List.copyOf(aggregates), Map.copyOf(fields));
  }

  /** Adds the rows of a copy of groups. */
  private void absorb(GroupState state) {
    Plan plan = state.plan();
    if (!plan.keys().equals(keys) || !plan.aggregates().equals(aggregates)) {
      throw new IllegalArgumentException(
          "groups by %s with %s cannot be merged into groups by %s with %s"
              .formatted(plan.keys(), names(plan.aggregates()), keys, names(aggregates)));
    }
    if (!state.parts().isEmpty()) {
      absorb(plan, worker -> worker.absorb(state));
    }
  }

  /** Does work with a worker that adds groups of a plan, whose keys and aggregates are the same. */
  void absorb(Plan plan, Consumer<Worker> work) {
    exclusively(
        now -> {
          Running all = now == null ? started(plan) : now;
          if (!all.plan.equals(plan)) {
            throw new IllegalArgumentException(
                "groups of %s cannot be merged into groups of %s"
                    .formatted(plan.fields(), all.plan.fields()));
          }
          changing(() -> all.with(work));
          return all;
        });
  }

  private static List<String> names(List<Aggregate> aggregates) {
    return aggregates.stream().map(Aggregate::name).toList();
  }

  /**
   * Returns a copy of the groups and their aggregates, in no particular order. More rows may be
   * added afterwards. The caller closes the result.
   *
   * @throws ArithmeticException if the sum of a group does not fit in a long; this object is
   *     unchanged
   * @throws MemoryExhaustedException if the memory for the result is not available; no row is lost,
   *     and this method may be called again
   */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = ALONE)
  public Groups result() {
    return exclusively(
        now -> {
          if (now == null) {
            return GroupResult.ofNothing(keys, aggregates);
          }
          flush(now, true);
          return GroupResult.of(now.plan, now.states, now.groups.groups());
        });
  }

  /**
   * Writes the groups to a stream, which is flushed and not closed. {@link #load} reads them, for
   * example in another process.
   *
   * @throws IllegalArgumentException if the name of a column contains half of a surrogate pair;
   *     nothing is written
   * @throws dev.gyre.structures.StructureException if the stream cannot be written; its cause is
   *     the {@link java.io.IOException}
   */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = ALONE)
  public void save(OutputStream out) {
    Objects.requireNonNull(out, "out");
    try (GroupState state = state()) {
      state.save(out);
    }
  }

  /**
   * Loads groups from the bytes that {@link #save} wrote. The bytes are copied.
   *
   * @throws dev.gyre.structures.SavedFileException if the bytes are not complete groups
   * @throws MemoryExhaustedException if the memory for the groups is not available
   */
  public static GroupBy load(MemorySegment saved) {
    try (GroupState state = GroupState.load(Objects.requireNonNull(saved, "saved"))) {
      GroupBy groups = on(state.plan().keys().toArray(String[]::new));
      groups.aggregates.addAll(state.plan().aggregates());
      try {
        groups.absorb(state);
        return groups;
      } catch (RuntimeException | Error e) {
        groups.close();
        throw e;
      }
    }
  }

  /** Waits for running calls, then frees the memory. Further calls do nothing. */
  @Override
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = ALONE)
  public void close() {
    lock.writeLock().lock();
    try {
      closed = true;
      Running now = running;
      running = null;
      if (now != null) {
        now.close();
      }
    } finally {
      lock.writeLock().unlock();
    }
  }
}
