package dev.gyre.structures.group;

import dev.gyre.atomics.Memory;
import dev.gyre.datasets.BadInputException;
import dev.gyre.datasets.ByteProgress;
import dev.gyre.datasets.CsvColumn;
import dev.gyre.datasets.CsvFormat;
import dev.gyre.datasets.CsvNames;
import dev.gyre.datasets.CsvScanner;
import dev.gyre.datasets.CsvTypeException;
import dev.gyre.datasets.TextSource;
import dev.gyre.kernels.Launcher;
import dev.gyre.kernels.map.TextLayout;
import dev.gyre.structures.TextCuts;
import dev.gyre.structures.group.Plan.Aggregate.Kind;
import dev.gyre.structures.group.Plan.Field;
import dev.gyre.structures.group.device.DeviceGroups;
import dev.gyre.structures.group.device.Totals;
import dev.gyre.structures.map.TextKeys;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Parses and groups the rows of texts on a device.
 *
 * <pre>{@code
 * try (Launcher launcher = Launchers.open(Target.CUDA);
 *     GroupBy groups = GroupBy.on("station").min("t").mean("t").max("t");
 *     GroupText text = new GroupText(launcher, groups, format, columns, names, sinks)) {
 *   long bytes = text.add(TextSource.ofFiles(List.of(file)), ByteProgress.NONE);
 *   try (Groups result = groups.result()) { ... }
 * }
 * }</pre>
 *
 * <h2>Method</h2>
 *
 * <p>The text is sent in pieces: while the device works on one, the next is sent. The kernel is
 * {@link dev.gyre.kernels.group.GroupRows}. It looks up keys in a table that does not change
 * meanwhile, and aggregates numbers of at most 18 digits. It marks rows with unknown keys, and rows
 * that are not plain: with nulls, exponents, or errors. The host parses marked rows with a {@link
 * CsvScanner}, adds them to the groups, and adds their keys to the table. So the JVM and devices
 * have the same results, types and errors.
 *
 * <p>The first keys come from the first {@value #SAMPLE_BYTES} bytes of a text. If most keys occur
 * only once, the host does most of the work.
 *
 * <p><b>Threads.</b> One thread at a time uses this object. The launcher may be used by others.
 *
 * <p><b>Errors.</b> If {@code add} throws, the groups are incomplete, and the caller closes them.
 *
 * @since 0.1.0
 */
public final class GroupText implements AutoCloseable {

  /** Bytes of a text whose keys are known before the first launch. */
  static final int SAMPLE_BYTES = 1 << 21;

  /** Bytes that are sent at once. */
  private static final long PIECE_BYTES = 1 << 26;

  private final Launcher launcher;
  private final CsvFormat format;
  private final List<CsvColumn> columns;
  private final Supplier<? extends CsvScanner.Sink> sinks;
  private long sampleBytes = SAMPLE_BYTES;
  private long pieceBytes = PIECE_BYTES;
  private final GroupBy groups;
  private final Plan plan;
  private final DeviceGroups device;

  /** The names that columns with numbers have in the groups. */
  private final Map<CsvColumn, String> called = new HashMap<>();

  private long rows;

  /**
   * Creates an object without rows.
   *
   * @param groups takes the rows; it has one key
   * @param format format of the texts, without quotes
   * @param columns columns that the groups need: the key as a text, and decimals
   * @param names returns the name that a column has in the groups, by its index
   * @param sinks makes sinks that add rows to the groups
   * @throws IllegalArgumentException if a device cannot aggregate this; the message says why
   */
  public GroupText(
      Launcher launcher,
      GroupBy groups,
      CsvFormat format,
      List<CsvColumn> columns,
      IntFunction<String> names,
      Supplier<? extends CsvScanner.Sink> sinks) {
    this.launcher = Objects.requireNonNull(launcher, "launcher");
    this.format = Objects.requireNonNull(format, "format");
    this.columns = List.copyOf(columns);
    this.sinks = Objects.requireNonNull(sinks, "sinks");
    Plan.require(launcher.parts().size() == 1, "one device groups rows, not several");
    Plan.require(
        format.quote() == CsvFormat.NO_QUOTE,
        "a device reads no quoted fields: give the format without quotes, or use the JVM");
    this.groups = Objects.requireNonNull(groups, "groups");
    Map<String, Field> fields = new HashMap<>();
    CsvColumn key = null;
    List<CsvColumn> values = new ArrayList<>();
    for (int i = 0; i < this.columns.size(); i++) {
      CsvColumn column = this.columns.get(i);
      String name = names.apply(i);
      if (groups.isKey(name)) {
        key = column;
        fields.put(name, new Field(GroupColumn.Type.TEXT, 0));
      } else {
        Plan.require(
            column.type() == CsvColumn.Type.DECIMAL,
            "a device aggregates numbers of at most 18 digits without an exponent: use the JVM for"
                + " the column "
                + column.name());
        values.add(column);
        called.put(column, name);
        fields.put(name, new Field(GroupColumn.Type.DECIMAL, column.scale()));
      }
    }
    this.plan = groups.plan(fields);
    Plan.require(
        key != null && plan.keys().size() == 1 && key.type() == CsvColumn.Type.TEXT,
        "a device groups by one column: use the JVM for several");
    Plan.require(plan.isComplete(), "an aggregate needs a column that is missing");
    Plan.require(
        plan.aggregates().stream().noneMatch(a -> a.kind() == Kind.DISTINCT),
        "a device does not count distinct values: use the JVM");
    StateRow layout = plan.states();
    for (CsvColumn column : values) {
      String name = called.get(column);
      Plan.require(
          layout.columns().stream().anyMatch(of -> of.column().equals(name)),
          "no aggregate needs the column " + column.name());
    }
    this.device = new DeviceGroups(launcher, Objects.requireNonNull(key), values, this::take);
  }

  /** Sets other sizes of the first part of a text, whose keys are known, and of pieces. */
  GroupText sizes(long sample, long piece) {
    sampleBytes = sample;
    pieceBytes = piece;
    return this;
  }

  /** Returns the number of rows that the device has added. Sinks know the others. */
  public long rows() {
    return rows;
  }

  /**
   * Adds all rows of a text.
   *
   * @return the number of bytes that were read
   * @throws IllegalArgumentException if the text is not one regular file, without gzip, or in
   *     memory
   * @throws BadInputException if the text cannot be read, lacks a column, or is bad; the message
   *     has the line
   * @throws CsvTypeException if a field is a number of another type
   */
  public long add(TextSource text, ByteProgress progress) {
    try (Arena arena = Arena.ofShared()) {
      Optional<MemorySegment> all = text.inMemory(arena);
      Plan.require(
          all.isPresent(),
          "a device reads one regular file at a time, which is not gzip: use the JVM for "
              + text.names());
      return add(all.get(), null, text, progress);
    }
  }

  /** Adds all rows of the first bytes of a memory, which may be pinned; otherwise as the other. */
  public long add(Memory text, long length) {
    MemorySegment all = text.segment().asSlice(0, length);
    return add(all, text, TextSource.ofMemory(all), ByteProgress.NONE);
  }

  private long add(
      MemorySegment all, @Nullable Memory memory, TextSource source, ByteProgress progress) {
    try {
      // The last row may have no end of line.
      long end = CsvNames.endOfLines(all, all.byteSize());
      long sampled = CsvNames.endOfLines(all, Math.min(sampleBytes, end));
      List<String> names = sample(all.asSlice(0, sampled > 0 ? sampled : all.byteSize()));
      var _ = device.staged(sampled).copyFrom(all.asSlice(0, sampled));
      device.learn(sampled);
      long begin = CsvNames.firstRow(all, format);
      send(all.asSlice(0, end), memory, begin, names, progress);
      scan(all.asSlice(Math.max(begin, end)), names);
      device.drain();
      progress.update(all.byteSize(), all.byteSize());
      return all.byteSize();
    } catch (CsvTypeException e) {
      throw e;
    } catch (BadInputException e) {
      // Parse everything again, because a part of the text does not know its line.
      long _ = CsvScanner.of(source, format).scan(_ -> columns, () -> _ -> {});
      throw e;
    }
  }

  /** Parses the beginning of a text for its names and types. */
  private List<String> sample(MemorySegment text) {
    List<String> names = new ArrayList<>();
    long _ =
        CsvScanner.of(TextSource.ofMemory(text), format)
            .scan(
                found -> {
                  names.addAll(found);
                  return columns;
                },
                () -> _ -> {});
    device.use(format, names);
    return names;
  }

  /** Parses rows on the host. */
  private void scan(MemorySegment rows, List<String> names) {
    long _ =
        CsvScanner.of(TextSource.ofMemory(rows), format.named(names)).scan(_ -> columns, sinks);
  }

  private void send(
      MemorySegment rows,
      @Nullable Memory memory,
      long begin,
      List<String> names,
      ByteProgress progress) {
    if (rows.byteSize() <= begin) {
      return;
    }
    TextCuts cuts = new TextCuts(rows, memory, pieceBytes, b -> b == '\n', 1);
    long[] done = {0};
    device
        .pieces()
        .forEach(
            cuts,
            0,
            launcher,
            (piece, length, begun) -> {
              long from = done[0];
              MemorySegment host = rows.asSlice(from, length);
              device.add(piece, length, Math.max(0, begin - from), begun);
              done[0] += length;
              long others = device.others(host);
              if (others > 0) {
                scan(device.staged(others), names);
                device.learn(others);
              }
              progress.update(done[0], rows.byteSize());
            });
  }

  /** Adds the aggregates of the device to the groups. */
  private void take(Totals totals, TextKeys texts) {
    for (int group = 0; group < totals.count(); group++) {
      rows += totals.rows(group);
    }
    List<String> names =
        device.values().stream().map(value -> Objects.requireNonNull(called.get(value))).toList();
    KeyBlock keys = new KeyBlock();
    keys.beTexts(texts.words().memory().segment());
    groups.absorb(
        plan,
        worker ->
            worker.absorb(
                totals,
                0,
                totals.count(),
                names,
                of -> {
                  keys.count = of.length;
                  for (int i = 0; i < of.length; i++) {
                    long place = texts.places().get(of[i]);
                    long offset = TextLayout.start(place) * Long.BYTES;
                    keys.set(i, offset, TextLayout.length(place), false);
                  }
                  return keys;
                }));
  }

  /** Frees the memory, also that on the device. Further calls do nothing. */
  @Override
  public void close() {
    device.close();
  }
}
