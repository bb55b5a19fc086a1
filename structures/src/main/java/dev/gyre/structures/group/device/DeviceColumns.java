package dev.gyre.structures.group.device;

import dev.gyre.atomics.DeviceLongs;
import dev.gyre.atomics.Memory;
import dev.gyre.atomics.MemoryExhaustedException;
import dev.gyre.atomics.SharedInts;
import dev.gyre.atomics.SharedLongs;
import dev.gyre.atomics.ThreadDoubles;
import dev.gyre.atomics.ThreadFloats;
import dev.gyre.atomics.ThreadInts;
import dev.gyre.atomics.ThreadLongs;
import dev.gyre.kernels.ChainLink;
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
import dev.gyre.structures.map.Columns.ColumnType;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Consumer;
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

  // Indexes of memories, before those of the columns.
  private static final int GROUPS = 0;
  private static final int COUNTERS = 1;
  private static final int SLOTS = 2;
  private static final int STATES = 3;
  private static final int COLUMNS = 4;

  /** Copies elements to the start of a segment. */
  @FunctionalInterface
  public interface Reader {
    void read(int first, int rows, MemorySegment to);
  }

  /**
   * A column of a batch.
   *
   * @param memory memory with the elements, if the launcher may copy from it; otherwise null
   * @param offset where the elements begin in the memory
   * @param reader reads the elements otherwise
   */
  public record Source(ColumnType type, @Nullable Memory memory, long offset, Reader reader) {}

  /** Rows on the device. */
  private record Piece(List<NumberColumn> columns, int rows) {}

  private final Launcher launcher;
  private final int keys;
  private final int values;
  private final int pieceRows;
  private final Consumer<Totals> taker;
  private final long seed = ThreadLocalRandom.current().nextLong();
  private final MemoryCache kept;
  private final long[] counted = new long[FindGroups.COUNTERS];
  private int slots;
  private boolean mayGrow = true;
  private long rowsSinceDrain;

  /**
   * Creates an object without groups.
   *
   * @param keys number of key columns: 1 or 2
   * @param values number of columns to aggregate
   * @param firstSlots number of slots of the first table
   * @param taker takes the groups
   */
  public DeviceColumns(
      Launcher launcher,
      int keys,
      int values,
      int firstSlots,
      int pieceRows,
      Consumer<Totals> taker) {
    this.launcher = launcher;
    this.keys = keys;
    this.values = values;
    this.slots = firstSlots;
    this.pieceRows = pieceRows;
    this.taker = taker;
    this.kept = new MemoryCache(COLUMNS + BUFFERS * (keys + values));
  }

  /**
   * Adds rows.
   *
   * @param columns the keys, then the values
   */
  public void add(List<Source> columns, int rows) {
    Deque<CompletableFuture<Piece>> sent = new ArrayDeque<>();
    long next = 0;
    try {
      for (long from = 0; from < rows; from += pieceRows) {
        for (; next < rows && sent.size() < BUFFERS; next += pieceRows) {
          sent.add(sending(columns, next, rows));
        }
        group(joined(sent.element()));
        sent.remove();
      }
    } finally {
      // In any case no thread copies any more at the end.
      sent.forEach(piece -> piece.handle((_, _) -> 0).join());
    }
  }

  private CompletableFuture<Piece> sending(List<Source> columns, long from, int rows) {
    return CompletableFuture.supplyAsync(
        () -> send(columns, (int) from, (int) Math.min(pieceRows, rows - from)));
  }

  private static Piece joined(CompletableFuture<Piece> sent) {
    try {
      return sent.join();
    } catch (CompletionException e) {
      throw e.getCause() instanceof RuntimeException known ? known : e;
    }
  }

  /** Begins to send rows. */
  private Piece send(List<Source> columns, int from, int rows) {
    List<NumberColumn> sent = new ArrayList<>();
    int buffer = COLUMNS + from / pieceRows % BUFFERS * columns.size();
    for (Source column : columns) {
      int width = column.type().bytes();
      long bytes = (long) rows * width;
      Memory to = kept.get(buffer++, bytes);
      Memory memory = column.memory();
      if (memory != null && launcher.copiesInPlace(memory)) {
        launcher.copyIn(to, memory.range(column.offset() + (long) from * width, bytes));
      } else {
        column.reader().read(from, rows, to.segment().asSlice(0, bytes));
        launcher.prefetch(to.first(bytes));
      }
      sent.add(numbers(column.type(), to));
    }
    return new Piece(sent, rows);
  }

  private static NumberColumn numbers(ColumnType type, Memory memory) {
    return switch (type) {
      case INT -> new NumberColumn.Ints(ThreadInts.of(memory));
      case LONG -> new NumberColumn.Longs(ThreadLongs.of(memory));
      case FLOAT -> new NumberColumn.Floats(ThreadFloats.of(memory));
      case DOUBLE -> new NumberColumn.Doubles(ThreadDoubles.of(memory));
    };
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
    LaunchShape shape = launcher.shapeFor(piece.rows());
    ThreadInts groups = ThreadInts.of(memory(GROUPS, (long) piece.rows() * Integer.BYTES));
    List<ChainLink> links = new ArrayList<>();
    links.add(
        new ChainLink(
            new FindGroups(
                table(piece.columns()),
                groups,
                piece.rows(),
                again,
                states(),
                BlockOwners.of(FindGroups.ENTRIES),
                SharedInts.of(FindGroups.ENTRIES),
                DeviceLongs.of(counters())),
            shape));
    for (int value = 0; value < values; value++) {
      NumberColumn column = piece.columns().get(keys + value);
      links.add(
          new ChainLink(
              new AddNumbers(
                  column,
                  groups,
                  piece.rows(),
                  states(),
                  value,
                  BlockOwners.of(AddNumbers.ENTRIES),
                  sums(column),
                  SharedLongs.of(2 * AddNumbers.ENTRIES)),
              shape));
    }
    launcher.runChain(links, counters());
  }

  private BlockSums sums(NumberColumn column) {
    return switch (column) {
      case NumberColumn.Floats _, NumberColumn.Doubles _ ->
          BlockSums.OfDoubles.of(AddNumbers.ENTRIES, states());
      default -> BlockSums.OfLongs.of(AddNumbers.ENTRIES);
    };
  }

  private GroupKeys table(List<NumberColumn> columns) {
    DeviceLongs words = DeviceLongs.of(slotMemory());
    return keys == 1
        ? new GroupKeys.One(columns.get(0), words, slots, seed)
        : new GroupKeys.Two(
            columns.get(0),
            columns.get(1),
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

  /** Returns the number of groups of a table of some slots, with that of the key 0. */
  private long groups(long ofSlots) {
    return ofSlots + (keys == 1 ? 1 : 0);
  }

  private Memory slotMemory() {
    return memory(SLOTS, groups(slots) * slotLongs() * Long.BYTES);
  }

  private GroupStates states() {
    long longs = groups(slots) * GroupStates.words(values);
    return states(
        kept.get(
            STATES,
            longs * Long.BYTES,
            memory -> {
              // So that it is not sent.
              launcher.clear(memory);
              clear(states(memory));
            }));
  }

  private GroupStates states(Memory memory) {
    return new GroupStates(DeviceLongs.of(memory), values);
  }

  private void clear(GroupStates states) {
    long count = groups(slots);
    launcher.run(new ClearGroups(states, count), launcher.shapeFor(count));
  }

  /** Makes the table larger, which has no groups, if the limits of memory allow it. */
  private void grow() {
    long larger = (long) GROWTH * slots;
    long bytes = groups(larger) * (slotLongs() + GroupStates.words(values)) * Long.BYTES;
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
  }

  /** Hands all groups over, and forgets them. */
  public void drain() {
    if (rowsSinceDrain == 0) {
      return;
    }
    rowsSinceDrain = 0;
    Memory table = slotMemory();
    GroupStates states = states();
    launcher.readBack(table, states.longs().memory());
    int slotBytes = slotLongs() * Long.BYTES;
    int keyBytes = keys * Long.BYTES;
    taker.accept(
        new Totals(
            states,
            Math.toIntExact(groups(slots)),
            table.segment(),
            group -> (long) (group + 1) * slotBytes - keyBytes,
            _ -> keyBytes));
    if (launcher.device().target() == Target.JVM) {
      table.segment().fill((byte) 0);
    }
    launcher.clear(table);
    clear(states);
  }

  /** Frees the memory. Further calls do nothing. */
  @Override
  public void close() {
    kept.close();
  }
}
