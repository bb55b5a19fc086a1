package dev.gyre.structures.map;

import dev.gyre.kernels.JvmLauncher;
import dev.gyre.kernels.Kernel;
import dev.gyre.kernels.LaunchShape;
import dev.gyre.kernels.map.OpenItems;
import dev.gyre.kernels.map.TextColumn;
import dev.gyre.structures.Checks;
import dev.gyre.structures.launch.TextSetRef;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.LongConsumer;
import java.util.stream.LongStream;

/**
 * A set of {@linkplain Texts#text texts of numbers}; half of the single keys are given as bytes.
 */
record TextSetAdapter(TextSet set) implements SetAdapter {

  static final TableType<TextSet, SetAdapter> TYPE =
      new TableType<>("TextSet", n -> n, n -> n, TextSet::builder, TextSetAdapter::new);

  /** Adds keys. */
  record Add(TextSetRef set, OpenItems open, TextColumn keys, int items) implements Kernel {
    @Override
    public void run(int thread, LaunchShape shape) {
      for (int i = thread; i < items; i += shape.threads()) {
        if (open.isOpen(i)) {
          open.note(i, set.add(keys, i));
        }
      }
    }
  }

  private static byte[] bytes(String key) {
    return key.getBytes(StandardCharsets.UTF_8);
  }

  @Override
  public boolean add(long number) {
    String key = Texts.text(number);
    return (key.length() & 1) == 0 ? set.add(key) : set.add(bytes(key));
  }

  @Override
  public boolean contains(long number) {
    String key = Texts.text(number);
    return (key.length() & 1) == 0 ? set.contains(bytes(key)) : set.contains(key);
  }

  private static List<String> texts(long[] keys) {
    return LongStream.of(keys).mapToObj(Texts::text).toList();
  }

  private static <C> C withTexts(long[] keys, Function<TextKeys, C> call) {
    try (TextKeys texts = TextKeys.of(texts(keys))) {
      return call.apply(texts);
    }
  }

  @Override
  public InsertCounts addAll(long[] keys, BulkOptions options) {
    return options == BulkOptions.NONE
        ? set.addAll(texts(keys))
        : withTexts(keys, texts -> set.addAll(texts, options));
  }

  @Override
  public FindCounts containsAll(long[] keys, BulkOptions options) {
    return options == BulkOptions.NONE
        ? set.containsAll(texts(keys))
        : withTexts(keys, texts -> set.containsAll(texts, options));
  }

  @Override
  public boolean remove(long number) {
    String key = Texts.text(number);
    return (key.length() & 1) == 0 ? set.remove(key) : set.remove(bytes(key));
  }

  @Override
  public FindCounts removeAll(long[] keys, BulkOptions options) {
    return options == BulkOptions.NONE
        ? set.removeAll(texts(keys))
        : withTexts(keys, texts -> set.removeAll(texts, options));
  }

  @Override
  public Set<Long> retrieved() {
    try (TextKeys keys = new TextKeys()) {
      long count = set.retrieveAll(keys);
      long[] numbers = new long[(int) count];
      for (int i = 0; i < count; i++) {
        numbers[i] = Texts.number(keys.text(i));
      }
      return SetAdapter.keys(numbers, count);
    }
  }

  @Override
  public void forEach(LongConsumer action) {
    set.forEach(text -> action.accept(Texts.number(text)));
  }

  @Override
  public void walkBytes(Set<Long> expected) {
    Set<Long> keys = ConcurrentHashMap.newKeySet();
    set.forEachBytes(key -> keys.add(Texts.number(new String(key, StandardCharsets.UTF_8))));
    Checks.same("forEachBytes", expected, keys);
  }

  @Override
  public void launch(Sources sources, long[] keys) {
    OpenItems open = sources.open(keys.length);
    try (TextKeys all = TextKeys.of(texts(keys));
        JvmLauncher here = JvmLauncher.ofWorkers(1)) {
      set.launchUntilDone(
          ref -> new Add(ref, open, all.column(sources.launcher(here)), keys.length),
          sources.shape(keys.length));
    }
  }
}
