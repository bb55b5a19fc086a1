package dev.gyre.bench.fuzz;

import dev.gyre.atomics.DeviceLongs;
import dev.gyre.kernels.JvmLauncher;
import dev.gyre.kernels.Kernel;
import dev.gyre.kernels.LaunchShape;
import dev.gyre.kernels.map.MapCodes;
import dev.gyre.kernels.map.OpenItems;
import dev.gyre.kernels.map.Text;
import dev.gyre.kernels.map.TextColumn;
import dev.gyre.kernels.map.TextPredicate;
import dev.gyre.kernels.map.TextVisitor;
import dev.gyre.structures.launch.TextMapRef;
import dev.gyre.structures.map.Apply;
import dev.gyre.structures.map.BulkOptions;
import dev.gyre.structures.map.FindCounts;
import dev.gyre.structures.map.InsertCounts;
import dev.gyre.structures.map.LongLongConsumer;
import dev.gyre.structures.map.Longs;
import dev.gyre.structures.map.TextKeys;
import dev.gyre.structures.map.TextLongMap;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/** A map of texts; half of the single keys are given as bytes. */
record TextDoor(TextLongMap map) implements MapDoor {

  /** Chooses entries by their value. */
  record Larger(long than) implements TextPredicate {
    @Override
    public boolean test(Text key, long value) {
      return value > than;
    }
  }

  /** Adds up as {@link MapDoor.AddUp} does, with a number of each text. */
  record AddUp(DeviceLongs sums) implements TextVisitor {
    @Override
    public void visit(Text key, long value) {
      sums.fetchAddRelaxed(0, MapDoor.mixed(number(key), value));
      sums.fetchAddRelaxed(1, 1);
    }

    /** Of all of its words. */
    static long number(Text key) {
      long number = key.length();
      for (int i = 0; i < key.words(); i++) {
        number = MapDoor.mixed(number, key.word(i));
      }
      return number;
    }
  }

  /** Does one of {@link MapDoor.InKernel} to each key. */
  record Each(
      TextMapRef map,
      OpenItems open,
      TextColumn keys,
      DeviceLongs values,
      DeviceLongs found,
      int items,
      int what)
      implements Kernel {
    @Override
    public void run(int thread, LaunchShape shape) {
      for (int i = thread; i < items; i += shape.threads()) {
        if (open.isOpen(i)) {
          int outcome = MapCodes.PRESENT;
          if (what == InKernel.ADD) {
            outcome = map.merge(keys, i, values.get(i), MapCodes.ADD);
          } else if (what == InKernel.FOLD) {
            outcome = map.merge(keys, i, values.get(i), new LargerUnsigned());
          } else if (what == InKernel.INSERT) {
            outcome = map.insert(keys, i, values.get(i));
          } else {
            var there = map.find(keys, i);
            int both = map.contains(keys, i) == MapCodes.FOUND ? 1 : 0;
            found.set(i, there.isFound() ? there.value() + both : -both);
          }
          open.note(i, outcome);
        }
      }
    }
  }

  /** Made by the builder. */
  static final class Kind implements MapDoor.Kind {

    /** More than the texts of a small map need. */
    private static final long FOR_TEXTS = 1 << 18;

    @Override
    public String name() {
      return "TextLongMap";
    }

    @Override
    public long key(long number) {
      return number;
    }

    @Override
    public int mostKeys() {
      return 10_000;
    }

    @Override
    public TextDoor create(long seed, FuzzSetting setting, @Nullable Long fixedCapacity) {
      return new TextDoor(
          MapDoor.Kind.build(
              fixedCapacity == null
                  ? TextLongMap.builder()
                  : TextLongMap.builder().textBytes(FOR_TEXTS),
              seed,
              setting,
              fixedCapacity));
    }

    @Override
    public TextDoor load(Path file) {
      return new TextDoor(TextLongMap.builder().load(file));
    }

    @Override
    public TextDoor load(MemorySegment saved) {
      return new TextDoor(TextLongMap.builder().load(saved));
    }
  }

  private static List<String> texts(long[] keys) {
    return LongStream.of(keys).mapToObj(FuzzTexts::text).toList();
  }

  private static byte[] bytes(long key) {
    return FuzzTexts.text(key).getBytes(StandardCharsets.UTF_8);
  }

  private static boolean asBytes(long key) {
    return (key & 1) != 0;
  }

  @Override
  public InsertCounts insert(long[] keys, long[] values, BulkOptions options) {
    if (options == BulkOptions.NONE) {
      return map.insert(texts(keys), values);
    }
    try (TextKeys texts = TextKeys.of(texts(keys))) {
      return map.insert(texts, Longs.of(values), options);
    }
  }

  @Override
  public InsertCounts insertOrAssign(long[] keys, long[] values, BulkOptions options) {
    if (options == BulkOptions.NONE) {
      return map.insertOrAssign(texts(keys), values);
    }
    try (TextKeys texts = TextKeys.of(texts(keys))) {
      return map.insertOrAssign(texts, Longs.of(values), options);
    }
  }

  @Override
  public InsertCounts insertAndFind(long[] keys, long[] values, long[] found, BulkOptions options) {
    if (options == BulkOptions.NONE) {
      return map.insertAndFind(texts(keys), values, found);
    }
    try (TextKeys texts = TextKeys.of(texts(keys))) {
      return map.insertAndFind(texts, Longs.of(values), Longs.of(found), options);
    }
  }

  @Override
  public InsertCounts insertOrApply(long[] keys, long[] values, Apply change, BulkOptions options) {
    if (options == BulkOptions.NONE) {
      return map.insertOrApply(texts(keys), values, change);
    }
    try (TextKeys texts = TextKeys.of(texts(keys))) {
      return map.insertOrApply(texts, Longs.of(values), change, options);
    }
  }

  @Override
  public InsertCounts insertOrFold(long[] keys, long[] values) {
    return map.insertOrApply(texts(keys), values, new LargerUnsigned());
  }

  @Override
  public InsertCounts insertLarger(long[] keys, long[] values, long than) {
    return map.insertIf(texts(keys), values, new Larger(than));
  }

  @Override
  public FindCounts find(long[] keys, long[] found, BulkOptions options) {
    if (options == BulkOptions.NONE) {
      return map.find(texts(keys), found);
    }
    try (TextKeys texts = TextKeys.of(texts(keys))) {
      return map.find(texts, Longs.of(found), options);
    }
  }

  @Override
  public FindCounts contains(long[] keys, BulkOptions options) {
    if (options == BulkOptions.NONE) {
      return map.contains(texts(keys));
    }
    try (TextKeys texts = TextKeys.of(texts(keys))) {
      return map.contains(texts, options);
    }
  }

  @Override
  public FindCounts findLarger(long[] keys, long[] found, long than) {
    return map.findIf(texts(keys), found, new Larger(than));
  }

  @Override
  public OptionalLong get(long key) {
    return asBytes(key) ? map.get(bytes(key)) : map.get(FuzzTexts.text(key));
  }

  @Override
  public long getOrDefault(long key, long otherwise) {
    return asBytes(key)
        ? map.getOrDefault(bytes(key), otherwise)
        : map.getOrDefault(FuzzTexts.text(key), otherwise);
  }

  @Override
  public boolean containsKey(long key) {
    return asBytes(key) ? map.containsKey(bytes(key)) : map.containsKey(FuzzTexts.text(key));
  }

  @Override
  public OptionalLong put(long key, long value) {
    return asBytes(key) ? map.put(bytes(key), value) : map.put(FuzzTexts.text(key), value);
  }

  @Override
  public OptionalLong putIfAbsent(long key, long value) {
    return asBytes(key)
        ? map.putIfAbsent(bytes(key), value)
        : map.putIfAbsent(FuzzTexts.text(key), value);
  }

  @Override
  public OptionalLong replace(long key, long value) {
    return asBytes(key) ? map.replace(bytes(key), value) : map.replace(FuzzTexts.text(key), value);
  }

  @Override
  public boolean replace(long key, long expected, long value) {
    return asBytes(key)
        ? map.replace(bytes(key), expected, value)
        : map.replace(FuzzTexts.text(key), expected, value);
  }

  @Override
  public long merge(long key, long value, Apply change) {
    return asBytes(key)
        ? map.merge(bytes(key), value, change)
        : map.merge(FuzzTexts.text(key), value, change);
  }

  @Override
  public long fold(long key, long value) {
    return asBytes(key)
        ? map.merge(bytes(key), value, new LargerUnsigned())
        : map.merge(FuzzTexts.text(key), value, new LargerUnsigned());
  }

  @Override
  public long retrieve(long[] keys, long[] values) {
    try (TextKeys texts = new TextKeys()) {
      return numbers(texts, keys, map.retrieveAll(texts, Longs.of(values)));
    }
  }

  @Override
  public long retrieveLarger(long[] keys, long[] values, long than) {
    try (TextKeys texts = new TextKeys()) {
      return numbers(texts, keys, map.retrieveIf(texts, Longs.of(values), new Larger(than)));
    }
  }

  private static long numbers(TextKeys texts, long[] keys, long count) {
    for (int i = 0; i < count; i++) {
      keys[i] = FuzzTexts.number(texts.text(i));
    }
    return count;
  }

  @Override
  public void forEach(LongLongConsumer action) {
    map.forEach((key, value) -> action.accept(FuzzTexts.number(key), value));
  }

  @Override
  public FuzzView<String, Long> view() {
    return new FuzzView<>(
        map.asMap(), FuzzTexts::text, number -> number, FuzzTexts::number, Long::longValue);
  }

  @Override
  public void visit(DeviceLongs sums) {
    map.visit(new AddUp(sums));
  }

  @Override
  public long visited(long key, long value) {
    return MapDoor.mixed(AddUp.number(Text.of(FuzzTexts.text(key))), value);
  }

  @Override
  public BulkOptions where(BulkOptions options, long than) {
    return options.whereText(new Larger(than));
  }

  @Override
  public long[] launch(FuzzSources with, long[] keys, long[] values, int what) {
    OpenItems open = with.open(keys.length);
    DeviceLongs v = with.kernelLongs(values);
    DeviceLongs found = with.kernelLongs(new long[keys.length]);
    try (TextKeys texts = TextKeys.of(texts(keys));
        JvmLauncher here = JvmLauncher.ofWorkers(1)) {
      TextColumn column = texts.column(with.launcher(here));
      map.launchUntilDone(
          ref -> new Each(ref, open, column, v, found, keys.length, what), with.shape(keys.length));
      return with.read(found);
    }
  }

  @Override
  public Table table() {
    return new Table(
        map::size,
        map::capacity,
        map::byteSize,
        map::clear,
        map::rehash,
        map::save,
        map::save,
        map::runOn,
        operation -> map.async(Table.doing(operation)),
        map::close);
  }
}
