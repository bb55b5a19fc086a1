package dev.gyre.structures.group.device;

import dev.gyre.atomics.DeviceLongs;
import dev.gyre.atomics.Memory;
import dev.gyre.datasets.CsvColumn;
import dev.gyre.datasets.CsvFormat;
import dev.gyre.kernels.Launch;
import dev.gyre.kernels.LaunchMode;
import dev.gyre.kernels.LaunchShape;
import dev.gyre.kernels.Launcher;
import dev.gyre.kernels.Target;
import dev.gyre.kernels.group.BlockStates;
import dev.gyre.kernels.group.GroupRows;
import dev.gyre.kernels.group.GroupStates;
import dev.gyre.kernels.group.KeyTable;
import dev.gyre.kernels.group.RowFormat;
import dev.gyre.kernels.trie.KernelText;
import dev.gyre.structures.MemoryCache;
import dev.gyre.structures.TextPieces;
import dev.gyre.structures.map.TextKeys;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.BiConsumer;

/**
 * Known keys and their aggregates on a device. {@link #drain} hands the aggregates over to the
 * host, and sets them to 0.
 */
public final class DeviceGroups implements AutoCloseable {

  /** Largest number of keys that a device knows; rows with other keys are for the host. */
  private static final int MAX_KEYS = 1 << 20;

  private static final int FIRST_KEYS = 1 << 14;

  /** Number of slots for each key, so that most searches end at the first one. */
  private static final int SLOTS_PER_KEY = 4;

  /** Number of device threads for each unit of a device. */
  private static final long DEVICE_THREADS_PER_UNIT = 1 << 11;

  // Indexes of memories, after those of the pieces.
  private static final int OTHERS = TextPieces.BUFFERS;
  private static final int MARKED = OTHERS + 1;
  private static final int STAGED = MARKED + 1;
  private static final int SLOTS = STAGED + 1;
  private static final int STATES = SLOTS + 1;

  private final Launcher launcher;
  private final CsvColumn key;
  private final List<CsvColumn> values;
  private final BiConsumer<Totals, TextKeys> taker;
  private final long seed = ThreadLocalRandom.current().nextLong();
  private final MemoryCache kept = new MemoryCache(STATES + 1);
  private final TextPieces pieces = new TextPieces(kept);
  private final TextKeys keys = new TextKeys();
  private RowFormat format = RowFormat.of('\n', 0, 0, 0, 0);
  private long rowsSinceDrain;
  private long markedBefore;

  /**
   * Creates groups without keys.
   *
   * @param key column with the key
   * @param values columns with numbers
   * @param taker takes the aggregates, and the key of each group
   * @throws IllegalArgumentException if there are too many columns
   */
  public DeviceGroups(
      Launcher launcher,
      CsvColumn key,
      List<CsvColumn> values,
      BiConsumer<Totals, TextKeys> taker) {
    this.launcher = launcher;
    this.key = key;
    this.values = new ArrayList<>(values);
    this.taker = taker;
    requireAtMost(RowFormat.MAX_VALUES, values.size(), "aggregates");
  }

  private static void requireAtMost(int most, int columns, String does) {
    if (columns > most) {
      throw new IllegalArgumentException(
          "a device %s %d columns at most, not %d: use the JVM".formatted(does, most, columns));
    }
  }

  /** Returns the buffers through which texts go to the device. */
  public TextPieces pieces() {
    return pieces;
  }

  /**
   * Sets where the columns are.
   *
   * @param names names of the columns of the next text
   * @throws IllegalArgumentException if there are too many columns
   */
  public void use(CsvFormat of, List<String> names) {
    requireAtMost(RowFormat.MAX_FIELDS, names.size(), "reads");
    values.sort((a, b) -> names.indexOf(a.name()) - names.indexOf(b.name()));
    long used = 0;
    long scales = 0;
    for (int value = 0; value < values.size(); value++) {
      used |= 1L << names.indexOf(values.get(value).name());
      scales |= (long) values.get(value).scale() << (Byte.SIZE * value);
    }
    format = RowFormat.of(of.separator(), names.size(), names.indexOf(key.name()), used, scales);
  }

  /** Returns the memory for rows that {@link #learn} reads. */
  public MemorySegment staged(long bytes) {
    return kept.get(STAGED, bytes).segment().asSlice(0, bytes);
  }

  /** Adds the keys of staged rows to the known ones. */
  public void learn(long bytes) {
    if (bytes == 0) {
      return;
    }
    Memory staged = kept.get(STAGED, bytes);
    KernelText text = KernelText.of(staged, bytes);
    int before = keys.count();
    GroupRows reader = kernel(text, 0, BlockStates.of(values.size(), 1));
    KeyTable table = reader.keys();
    long at = 0;
    while (at < bytes && keys.count() < MAX_KEYS) {
      GroupRows.Row row = reader.row(at);
      if (row.bad() == 0 && table.find(text, row.keyFrom(), row.keyTo()) == KeyTable.ABSENT) {
        TextKeys _ = keys.add(staged.segment().asSlice(row.keyFrom(), row.keyTo() - row.keyFrom()));
        table = grown(table);
      }
      at = row.next();
    }
    if (keys.count() > before) {
      launcher.hostWrote(kept.get(SLOTS, 0));
    }
    if (keys.count() > capacity()) {
      drain();
      kept.drop(STATES);
      launcher.hostWrote(states());
    }
  }

  /** Returns the table with the last key. */
  private KeyTable grown(KeyTable table) {
    int count = keys.count();
    if ((long) SLOTS_PER_KEY * count <= table.count()) {
      KeyTable same = table();
      same.put(count - 1);
      return same;
    }
    kept.drop(SLOTS);
    KeyTable larger = table();
    for (int key = 0; key < count; key++) {
      larger.put(key);
    }
    return larger;
  }

  private KeyTable table() {
    long slots = (long) SLOTS_PER_KEY * Math.max(FIRST_KEYS / 16, 2 * keys.count());
    boolean none = kept.byteSize(SLOTS) == 0;
    Memory memory = kept.get(SLOTS, none ? slots * KeyTable.SLOT_LONGS * Long.BYTES : 0);
    return KeyTable.of(keys.column(launcher), DeviceLongs.of(memory), seed);
  }

  private long groupBytes() {
    return (long) GroupStates.words(values.size()) * Long.BYTES;
  }

  /** Returns the number of groups for whose aggregates there is memory. */
  private long capacity() {
    return kept.byteSize(STATES) / groupBytes();
  }

  private Memory states() {
    boolean none = kept.byteSize(STATES) == 0;
    long groups = Math.max(FIRST_KEYS, 2L * keys.count());
    return kept.get(STATES, none ? groups * groupBytes() : 0, this::clear);
  }

  private GroupStates groupStates(Memory memory) {
    return new GroupStates(DeviceLongs.of(memory), values.size());
  }

  private void clear(Memory states) {
    groupStates(states).clear(0, 1, states.byteSize() / groupBytes());
  }

  /** Returns the columns with numbers, in the order of their aggregates. */
  public List<CsvColumn> values() {
    return List.copyOf(values);
  }

  private GroupRows kernel(KernelText text, long begin, BlockStates block) {
    // A power of two, so that pieces of about the same length share it.
    long ranges = Long.highestOneBit(GroupRows.ranges(text.length()) | 1) << 1;
    return new GroupRows(
        text,
        begin,
        format,
        table(),
        groupStates(states()),
        block,
        DeviceLongs.of(kept.get(OTHERS, ranges * Long.BYTES)),
        DeviceLongs.of(kept.get(MARKED, Long.BYTES)));
  }

  private LaunchShape shape(long ranges) {
    if (launcher.device().target() == Target.JVM) {
      return launcher.shapeFor(ranges);
    }
    long most = launcher.device().units() * DEVICE_THREADS_PER_UNIT;
    int block = launcher.shapeFor(Integer.MAX_VALUE).blockSize();
    return new LaunchShape((int) Math.ceilDiv(Math.min(ranges, most), block), block);
  }

  /**
   * Adds the rows of a piece.
   *
   * @param begin where the first row begins
   * @param begun is run after the launch has begun
   */
  public void add(Memory piece, long length, long begin, Runnable begun) {
    long most = length / GroupRows.MIN_ROW;
    if (rowsSinceDrain + most > GroupStates.MAX_ROWS) {
      drain();
    }
    rowsSinceDrain += most;
    long ranges = GroupRows.ranges(length);
    LaunchShape shape = shape(ranges);
    long perThread = Math.ceilDiv(ranges, shape.threads()) * GroupRows.RANGE / GroupRows.MIN_ROW;
    BlockStates block = BlockStates.of(values.size(), perThread * shape.blockSize());
    GroupRows kernel = kernel(KernelText.of(piece, length), begin, block);
    Launch launch = launcher.start(kernel, shape, LaunchMode.STRIDED);
    try {
      begun.run();
    } finally {
      launch.join();
    }
  }

  /**
   * Stages the rows of the last piece that the device did not add; returns their number of bytes.
   *
   * @param piece the piece, as the host has it
   */
  public long others(MemorySegment piece) {
    Memory marked = kept.get(MARKED, Long.BYTES);
    launcher.readBack(marked);
    long now = DeviceLongs.of(marked).get(0);
    if (now == markedBefore) {
      return 0;
    }
    markedBefore = now;
    Memory others = kept.get(OTHERS, 0);
    launcher.readBack(others.first(GroupRows.ranges(piece.byteSize()) * Long.BYTES));
    MemorySegment staged = kept.get(STAGED, piece.byteSize()).segment();
    DeviceLongs marks = DeviceLongs.of(others);
    long bytes = 0;
    for (long range = 0; range < GroupRows.ranges(piece.byteSize()); range++) {
      for (long left = marks.get(range); left != 0; left &= left - 1) {
        long from = range * GroupRows.RANGE + Long.numberOfTrailingZeros(left);
        long end = from + 1;
        while (piece.get(ValueLayout.JAVA_BYTE, end - 1) != '\n') {
          end++;
        }
        MemorySegment.copy(piece, from, staged, bytes, end - from);
        bytes += end - from;
      }
    }
    return bytes;
  }

  /** Hands all aggregates over, and sets them to 0. */
  public void drain() {
    rowsSinceDrain = 0;
    int count = (int) Math.min(keys.count(), capacity());
    if (count == 0) {
      return;
    }
    Memory states = states();
    launcher.readBack(states.first(count * groupBytes()));
    taker.accept(new Totals(groupStates(states), List.of(), count), keys);
    clear(states);
    launcher.hostWrote(states);
  }

  /** Frees the memory. Further calls do nothing. */
  @Override
  public void close() {
    try (kept) {
      keys.close();
    }
  }
}
