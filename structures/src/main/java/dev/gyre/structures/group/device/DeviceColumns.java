package dev.gyre.structures.group.device;

import dev.gyre.atomics.DeviceLongs;
import dev.gyre.atomics.Memory;
import dev.gyre.atomics.MemoryExhaustedException;
import dev.gyre.atomics.SharedInts;
import dev.gyre.atomics.SharedLongs;
import dev.gyre.atomics.ThreadInts;
import dev.gyre.kernels.ChainLink;
import dev.gyre.kernels.Kernel;
import dev.gyre.kernels.LaunchException;
import dev.gyre.kernels.LaunchShape;
import dev.gyre.kernels.Launcher;
import dev.gyre.kernels.Target;
import dev.gyre.kernels.group.AddNumbers;
import dev.gyre.kernels.group.BlockOwners;
import dev.gyre.kernels.group.BlockSums;
import dev.gyre.kernels.group.ClearGroups;
import dev.gyre.kernels.group.FindGroups;
import dev.gyre.kernels.group.GroupKeys;
import dev.gyre.kernels.group.GroupStates;
import dev.gyre.kernels.group.NumberColumn;
import dev.gyre.kernels.map.TextHashing;
import dev.gyre.structures.MemoryCache;
import dev.gyre.structures.TextPieces;
import dev.gyre.structures.group.device.ColumnSource.Sent;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Groups of rows of numbers on a device. {@link #drain} hands them over to the host.
 *
 * <p>Rows are sent in pieces: while the device works on one, others are sent. A row for which the
 * table has no slot is marked. Then the host takes all groups, makes a larger table if there is
 * memory, and launches the kernels for the marked rows again.
 */
public final class DeviceColumns implements AutoCloseable {

  /** Rows that are sent at once. */
  public static final int PIECE_ROWS = 1 << 22;

  /** Number of slots of the first table. */
  public static final int FIRST_SLOTS = 1 << 18;

  private static final int GROWTH = 4;

  /** Bytes of the largest table. If it is full, the host takes its groups. */
  private static final long MAX_TABLE_BYTES = 1L << 30;

  /**
   * While the rows of one buffer are grouped, others are filled: the launch waits for a copy that
   * has begun, and the next one then keeps the bus busy.
   */
  private static final int BUFFERS = 3;

  // Indexes of memories, before those of nulls and of columns.
  private static final int GROUPS = 0;
  private static final int COUNTERS = 1;
  private static final int SLOTS = 2;
  private static final int STATES = 3;
  private static final int GROUPS_OF_NULLS = 4;
  private static final int NULLS = 5;

  /** Rows on the device. */
  private record Piece(List<Sent> columns, int rows) {

    NumberColumn key(int key) {
      return Objects.requireNonNull(columns.get(key).numbers());
    }
  }

  private final Launcher launcher;
  private final int keys;
  private final int values;
  private final int columns;
  private final int pieceRows;
  private final BiConsumer<Totals, Totals.Words> taker;
  private final long seed = ThreadLocalRandom.current().nextLong();
  private final MemoryCache kept;
  private final long[] counted = new long[FindGroups.COUNTERS];
  private int slots;
  private boolean mayGrow = true;
  private long rowsSinceDrain;

  /** Whether the host has read groups that were not all taken. */
  private boolean isTaking;

  /**
   * Creates an object without groups.
   *
   * @param keys number of key columns: 1 or 2
   * @param values number of columns to aggregate
   * @param columns number of columns whose nulls are counted; the first ones are aggregated
   * @param firstSlots number of slots of the first table
   * @param taker takes the groups
   */
  public DeviceColumns(
      Launcher launcher,
      int keys,
      int values,
      int columns,
      int firstSlots,
      int pieceRows,
      BiConsumer<Totals, Totals.Words> taker) {
    this.launcher = launcher;
    this.keys = keys;
    this.values = values;
    this.columns = columns;
    this.slots = firstSlots;
    this.pieceRows = pieceRows;
    this.taker = taker;
    this.kept =
        new MemoryCache(NULLS + columns + BUFFERS * ColumnSource.BUFFERS * (keys + columns));
  }

  /**
   * Adds rows.
   *
   * @param from the keys, then the values, then columns of which only nulls are counted
   */
  public void add(List<ColumnSource> from, int rows) {
    if (isTaking) {
      drain();
    }
    Deque<CompletableFuture<Piece>> sent = new ArrayDeque<>();
    long next = 0;
    try {
      for (long row = 0; row < rows; row += pieceRows) {
        for (; next < rows && sent.size() < BUFFERS; next += pieceRows) {
          sent.add(sending(from, next, rows));
        }
        group(TextPieces.joined(sent.element()));
        sent.remove();
      }
    } finally {
      // In any case no thread copies any more at the end.
      sent.forEach(piece -> piece.handle((_, _) -> 0).join());
    }
  }

  private CompletableFuture<Piece> sending(List<ColumnSource> from, long first, int rows) {
    return CompletableFuture.supplyAsync(
        () -> send(from, (int) first, (int) Math.min(pieceRows, rows - first)));
  }

  /** Begins to send rows. */
  private Piece send(List<ColumnSource> from, int first, int rows) {
    List<Sent> sent = new ArrayList<>();
    int buffer = NULLS + columns + first / pieceRows % BUFFERS * ColumnSource.BUFFERS * from.size();
    for (ColumnSource column : from) {
      sent.add(column.send(launcher, kept, buffer, first, rows));
      buffer += ColumnSource.BUFFERS;
    }
    return new Piece(sent, rows);
  }

  /** Groups rows that were sent. */
  private void group(Piece piece) {
    if (rowsSinceDrain + piece.rows() > GroupStates.MAX_ROWS) {
      drain();
    }
    rowsSinceDrain += piece.rows();
    long left = piece.rows();
    for (int launches = 0; left > 0; launches++) {
      launch(piece, launches);
      long full = counted(FindGroups.FULL_ROWS);
      left = full + counted(FindGroups.UNPUBLISHED_ROWS);
      if (full > 0) {
        drain();
        grow();
        rowsSinceDrain = left;
      }
    }
  }

  private void launch(Piece piece, int again) {
    int rows = piece.rows();
    LaunchShape shape = launcher.shapeFor(rows);
    ThreadInts groups = ThreadInts.of(memory(GROUPS, (long) rows * Integer.BYTES));
    List<Kernel> kernels = new ArrayList<>();
    kernels.add(finding(table(piece), groups, rows, again, states()));
    for (int i = 0; i < columns; i++) {
      Sent column = piece.columns().get(keys + i);
      NumberColumn numbers = column.numbers();
      if (numbers != null) {
        kernels.add(
            new AddNumbers(
                numbers,
                groups,
                rows,
                states(),
                i,
                BlockOwners.of(AddNumbers.ENTRIES),
                sums(numbers),
                SharedLongs.of(2 * AddNumbers.ENTRIES)));
      }
      if (column.valid() != null) {
        ThreadInts ofNulls = ThreadInts.of(memory(GROUPS_OF_NULLS, (long) rows * Integer.BYTES));
        kernels.add(
            finding(new GroupKeys.OfNulls(column.valid(), groups), ofNulls, rows, 0, nulls(i)));
      }
    }
    launcher.runChain(
        kernels.stream().map(kernel -> new ChainLink(kernel, shape)).toList(), counters());
  }

  private FindGroups finding(
      GroupKeys of, ThreadInts groups, int rows, int again, GroupStates counted) {
    return new FindGroups(
        of,
        groups,
        rows,
        again,
        counted,
        BlockOwners.of(FindGroups.ENTRIES),
        SharedInts.of(FindGroups.ENTRIES),
        DeviceLongs.of(counters()));
  }

  private BlockSums sums(NumberColumn column) {
    return switch (column) {
      case NumberColumn.Floats _, NumberColumn.Doubles _ ->
          BlockSums.OfDoubles.of(AddNumbers.ENTRIES, states());
      case NumberColumn.Nullable(NumberColumn numbers, _) -> sums(numbers);
      default -> BlockSums.OfLongs.of(AddNumbers.ENTRIES);
    };
  }

  private GroupKeys table(Piece piece) {
    DeviceLongs words = DeviceLongs.of(slotMemory());
    return keys == 1
        ? new GroupKeys.One(piece.key(0), words, slots, seed)
        : new GroupKeys.Two(
            piece.key(0),
            piece.key(1),
            words,
            slots,
            seed,
            TextHashing.multiplier(seed),
            TextHashing.endMultiplier(seed));
  }

  /** Returns a memory that is 0 if it is new. */
  private Memory memory(int number, long bytes) {
    return kept.get(number, bytes, launcher::clear);
  }

  private Memory counters() {
    return memory(COUNTERS, FindGroups.COUNTERS * Long.BYTES);
  }

  /** Returns by how much the last launch raised a counter. */
  private long counted(int counter) {
    long before = counted[counter];
    counted[counter] = DeviceLongs.of(counters()).get(counter);
    return counted[counter] - before;
  }

  private int slotLongs() {
    return keys == 1 ? 1 : GroupKeys.Two.SLOT_LONGS;
  }

  /** Returns the number of groups of a table of some slots. */
  private long groups(long ofSlots) {
    return ofSlots + (keys == 1 ? GroupKeys.One.MORE_SLOTS : 0);
  }

  private Memory slotMemory() {
    return memory(SLOTS, groups(slots) * slotLongs() * Long.BYTES);
  }

  private GroupStates states() {
    long longs = groups(slots) * GroupStates.words(values);
    return states(kept.get(STATES, longs * Long.BYTES, this::clearStates));
  }

  /** Returns the number of nulls of each group in a column. */
  private GroupStates nulls(int column) {
    return new GroupStates(DeviceLongs.of(memory(NULLS + column, groups(slots) * Long.BYTES)), 0);
  }

  /** Returns the numbers of nulls of each column; null if it had none. */
  private List<@Nullable GroupStates> nulls() {
    List<@Nullable GroupStates> all = new ArrayList<>();
    for (int column = 0; column < columns; column++) {
      all.add(kept.byteSize(NULLS + column) > 0 ? nulls(column) : null);
    }
    return all;
  }

  private GroupStates states(Memory memory) {
    return new GroupStates(DeviceLongs.of(memory), values);
  }

  private void clearStates(Memory memory) {
    // So that it is not sent.
    launcher.clear(memory);
    long count = groups(slots);
    launcher.run(new ClearGroups(states(memory), count), launcher.shapeFor(count));
  }

  /** Makes the table larger, which has no groups, if the limits of memory allow it. */
  private void grow() {
    long larger = (long) GROWTH * slots;
    long bytes = groups(larger) * (slotLongs() + GroupStates.words(values) + columns) * Long.BYTES;
    if (!mayGrow || bytes > MAX_TABLE_BYTES) {
      return;
    }
    int before = slots;
    try {
      use((int) larger);
    } catch (MemoryExhaustedException | LaunchException e) {
      if (e instanceof LaunchException && !(e.getCause() instanceof MemoryExhaustedException)) {
        throw e;
      }
      mayGrow = false;
      use(before);
    }
  }

  private void use(int count) {
    kept.drop(SLOTS);
    kept.drop(STATES);
    slots = count;
    Memory _ = slotMemory();
    GroupStates _ = states();
    List<@Nullable GroupStates> _ = nulls();
  }

  /**
   * Hands all groups over, and forgets them. If this fails because memory does not suffice, no
   * group is lost, and the next call hands the others over.
   */
  public void drain() {
    if (rowsSinceDrain == 0) {
      return;
    }
    Memory table = slotMemory();
    GroupStates states = states();
    List<@Nullable GroupStates> nulls = nulls();
    List<Memory> counts = new ArrayList<>();
    nulls.stream().filter(Objects::nonNull).forEach(of -> counts.add(of.longs().memory()));
    counts.add(table);
    if (!isTaking) {
      launcher.readBack(states.longs().memory());
      launcher.readBack(counts.toArray(Memory[]::new));
      isTaking = true;
    }
    Totals totals = new Totals(states, nulls, Math.toIntExact(groups(slots)));
    taker.accept(totals, new Totals.Words(DeviceLongs.of(table), keys, totals.count() - 1));
    for (Memory memory : counts) {
      if (launcher.device().target() == Target.JVM) {
        var _ = memory.segment().fill((byte) 0);
      }
      launcher.clear(memory);
    }
    clearStates(states.longs().memory());
    isTaking = false;
    rowsSinceDrain = 0;
  }

  /** Frees the memory. Further calls do nothing. */
  @Override
  public void close() {
    kept.close();
  }
}
