package dev.gyre.structures.map;

import dev.gyre.atomics.DeviceLongs;
import dev.gyre.kernels.JvmLauncher;
import dev.gyre.kernels.Kernel;
import dev.gyre.kernels.LaunchShape;
import dev.gyre.kernels.map.Fold;
import dev.gyre.kernels.map.MapCodes;
import dev.gyre.kernels.map.OpenItems;
import dev.gyre.kernels.map.Text;
import dev.gyre.kernels.map.TextColumn;
import dev.gyre.kernels.map.TextPredicate;
import dev.gyre.kernels.map.TextVisitor;
import dev.gyre.structures.launch.TextMapRef;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.Function;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/** A map of texts; half of the single keys are given as bytes. */
public record TextMapAdapter(TextLongMap map) implements MapAdapter {

  /** Chooses entries by their value. */
  record Larger(long than) implements TextPredicate {
    @Override
    public boolean test(Text key, long value) {
      return value > than;
    }
  }

  /** Adds up as {@link MapAdapter.AddUp} does, with a number of each text. */
  record AddUp(DeviceLongs sums) implements TextVisitor {
    @Override
    public void visit(Text key, long value) {
      sums.fetchAddRelaxed(0, MapAdapter.mixed(number(key), value));
      sums.fetchAddRelaxed(1, 1);
    }

    /** Of all of its words. */
    static long number(Text key) {
      long number = key.length();
      for (int i = 0; i < key.words(); i++) {
        number = MapAdapter.mixed(number, key.word(i));
      }
      return number;
    }
  }

  /** Does one of {@link MapAdapter.InKernel} to each key. */
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

  public static final TableType<TextLongMap, MapAdapter> TYPE =
      new TableType<>("TextLongMap", n -> n, n -> n, TextLongMap::builder, TextMapAdapter::new);

  @Override
  public TableType<TextLongMap, MapAdapter> type() {
    return TYPE;
  }

  private static List<String> texts(long[] keys) {
    return LongStream.of(keys).mapToObj(Texts::text).toList();
  }

  /** Calls an operation on a single key, with the bytes of every other text. */
  private static <R> R single(long key, Function<String, R> text, Function<byte[], R> bytes) {
    String all = Texts.text(key);
    return (key & 1) == 0 ? text.apply(all) : bytes.apply(all.getBytes(StandardCharsets.UTF_8));
  }

  private static <C> C withTexts(long[] keys, Function<TextKeys, C> call) {
    try (TextKeys texts = TextKeys.of(texts(keys))) {
      return call.apply(texts);
    }
  }

  @Override
  public InsertCounts insert(long[] keys, long[] values, BulkOptions options) {
    return options == BulkOptions.NONE
        ? map.insert(texts(keys), values)
        : withTexts(keys, texts -> map.insert(texts, Longs.of(values), options));
  }

  @Override
  public InsertCounts insertOrAssign(long[] keys, long[] values, BulkOptions options) {
    return options == BulkOptions.NONE
        ? map.insertOrAssign(texts(keys), values)
        : withTexts(keys, texts -> map.insertOrAssign(texts, Longs.of(values), options));
  }

  @Override
  public InsertCounts insertAndFind(long[] keys, long[] values, long[] found, BulkOptions options) {
    return options == BulkOptions.NONE
        ? map.insertAndFind(texts(keys), values, found)
        : withTexts(
            keys, texts -> map.insertAndFind(texts, Longs.of(values), Longs.of(found), options));
  }

  @Override
  public InsertCounts insertOrApply(long[] keys, long[] values, Apply change, BulkOptions options) {
    return options == BulkOptions.NONE
        ? map.insertOrApply(texts(keys), values, change)
        : withTexts(keys, texts -> map.insertOrApply(texts, Longs.of(values), change, options));
  }

  @Override
  public InsertCounts insertOrApply(long[] keys, long[] values, Fold change, BulkOptions options) {
    return options == BulkOptions.NONE
        ? map.insertOrApply(texts(keys), values, change)
        : withTexts(keys, texts -> map.insertOrApply(texts, Longs.of(values), change, options));
  }

  @Override
  public FindCounts find(long[] keys, long @Nullable [] found, BulkOptions options) {
    boolean plain = options == BulkOptions.NONE;
    if (found == null) {
      return plain
          ? map.contains(texts(keys))
          : withTexts(keys, texts -> map.contains(texts, options));
    }
    return plain
        ? map.find(texts(keys), found)
        : withTexts(keys, texts -> map.find(texts, Longs.of(found), options));
  }

  @Override
  public OptionalLong get(long key) {
    return single(key, t -> map.get(t), b -> map.get(b));
  }

  @Override
  public long getOrDefault(long key, long otherwise) {
    return single(key, t -> map.getOrDefault(t, otherwise), b -> map.getOrDefault(b, otherwise));
  }

  @Override
  public boolean containsKey(long key) {
    return single(key, t -> map.containsKey(t), b -> map.containsKey(b));
  }

  @Override
  public OptionalLong put(long key, long value) {
    return single(key, t -> map.put(t, value), b -> map.put(b, value));
  }

  @Override
  public OptionalLong putIfAbsent(long key, long value) {
    return single(key, t -> map.putIfAbsent(t, value), b -> map.putIfAbsent(b, value));
  }

  @Override
  public OptionalLong replace(long key, long value) {
    return single(key, t -> map.replace(t, value), b -> map.replace(b, value));
  }

  @Override
  public boolean replace(long key, long expected, long value) {
    return single(key, t -> map.replace(t, expected, value), b -> map.replace(b, expected, value));
  }

  @Override
  public long merge(long key, long value, Apply change) {
    return single(key, t -> map.merge(t, value, change), b -> map.merge(b, value, change));
  }

  @Override
  public long merge(long key, long value, Fold change) {
    return single(key, t -> map.merge(t, value, change), b -> map.merge(b, value, change));
  }

  @Override
  public OptionalLong remove(long key) {
    return single(key, t -> map.remove(t), b -> map.remove(b));
  }

  @Override
  public boolean remove(long key, long value) {
    return single(key, t -> map.remove(t, value), b -> map.remove(b, value));
  }

  @Override
  public FindCounts removeAll(long[] keys, long @Nullable [] found, BulkOptions options) {
    if (options == BulkOptions.NONE && found == null) {
      return map.removeAll(texts(keys));
    }
    return withTexts(
        keys,
        texts ->
            found == null
                ? map.removeAll(texts, options)
                : map.removeAndFind(texts, Longs.of(found), options));
  }

  @Override
  public long removeLarger(long than) {
    return map.removeIf(new Larger(than));
  }

  /** Removes each key. */
  record RemoveEach(TextMapRef map, OpenItems open, TextColumn keys, DeviceLongs found, int items)
      implements Kernel {
    @Override
    public void run(int thread, LaunchShape shape) {
      for (int i = thread; i < items; i += shape.threads()) {
        if (open.isOpen(i)) {
          var gone = map.remove(keys, i);
          if (gone.isFound()) {
            found.set(i, gone.value() + 1);
          }
          open.note(i, gone.outcome());
        }
      }
    }
  }

  @Override
  public long[] launchRemoval(Sources with, long[] keys) {
    OpenItems open = with.open(keys.length);
    DeviceLongs found = with.kernelLongs(new long[keys.length]);
    try (TextKeys texts = TextKeys.of(texts(keys));
        JvmLauncher here = JvmLauncher.ofWorkers(1)) {
      TextColumn column = texts.column(with.launcher(here));
      map.launchUntilDone(
          ref -> new RemoveEach(ref, open, column, found, keys.length), with.shape(keys.length));
      return with.read(found);
    }
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
      keys[i] = Texts.number(texts.text(i));
    }
    return count;
  }

  @Override
  public void forEach(LongLongConsumer action) {
    map.forEach((key, value) -> action.accept(Texts.number(key), value));
  }

  @Override
  public MapView<String, Long> view() {
    return new MapView<>(
        map.asMap(), Texts::text, number -> number, Texts::number, Long::longValue);
  }

  @Override
  public void visit(DeviceLongs sums) {
    map.visit(new AddUp(sums));
  }

  @Override
  public long visited(long key, long value) {
    return MapAdapter.mixed(AddUp.number(Text.of(Texts.text(key))), value);
  }

  @Override
  public BulkOptions where(BulkOptions options, long than) {
    return options.whereText(new Larger(than));
  }

  @Override
  public long[] launch(Sources with, long[] keys, long[] values, int what) {
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
}
