package dev.gyre.bench.fuzz;

import dev.gyre.kernels.JvmLauncher;
import dev.gyre.kernels.Kernel;
import dev.gyre.kernels.LaunchShape;
import dev.gyre.kernels.map.OpenItems;
import dev.gyre.kernels.map.TextColumn;
import dev.gyre.structures.launch.TextSetRef;
import dev.gyre.structures.map.BulkOptions;
import dev.gyre.structures.map.FindCounts;
import dev.gyre.structures.map.InsertCounts;
import dev.gyre.structures.map.TextKeys;
import dev.gyre.structures.map.TextSet;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** A set of texts. */
record TextSetDoor(TextSet set) implements SetDoor<String> {

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

  @Override
  public String key(long number) {
    return FuzzTexts.text(number);
  }

  @Override
  public boolean add(String key) {
    return isEven(key) ? set.add(key) : set.add(key.getBytes(StandardCharsets.UTF_8));
  }

  private static boolean isEven(String key) {
    return (key.length() & 1) == 0;
  }

  @Override
  public boolean contains(String key) {
    return isEven(key) ? set.contains(key.getBytes(StandardCharsets.UTF_8)) : set.contains(key);
  }

  @Override
  public InsertCounts addAll(List<String> keys, BulkOptions options) {
    if (options == BulkOptions.NONE) {
      return set.addAll(keys);
    }
    try (TextKeys all = TextKeys.of(keys)) {
      return set.addAll(all, options);
    }
  }

  @Override
  public FindCounts containsAll(List<String> keys, BulkOptions options) {
    if (options == BulkOptions.NONE) {
      return set.containsAll(keys);
    }
    try (TextKeys all = TextKeys.of(keys)) {
      return set.containsAll(all, options);
    }
  }

  @Override
  public Set<String> retrieved() {
    try (TextKeys keys = new TextKeys()) {
      long count = set.retrieveAll(keys);
      return IntStream.range(0, (int) count).mapToObj(keys::text).collect(Collectors.toSet());
    }
  }

  @Override
  public Set<String> walked() {
    Set<String> keys = ConcurrentHashMap.newKeySet();
    set.forEach(keys::add);
    set.forEachBytes(
        key ->
            FuzzSubject.same(
                "forEachBytes", true, keys.contains(new String(key, StandardCharsets.UTF_8))));
    return keys;
  }

  @Override
  public TextSetDoor load(Path file) {
    return new TextSetDoor(TextSet.load(file));
  }

  @Override
  public TextSetDoor load(MemorySegment saved) {
    return new TextSetDoor(TextSet.load(saved));
  }

  @Override
  public void launch(FuzzSources sources, List<String> keys) {
    OpenItems open = sources.open(keys.size());
    try (TextKeys all = TextKeys.of(keys);
        JvmLauncher here = JvmLauncher.ofWorkers(1)) {
      set.launchUntilDone(
          ref -> new Add(ref, open, all.column(sources.launcher(here)), keys.size()),
          sources.shape(keys.size()));
    }
  }

  @Override
  public Table table() {
    return new Table(
        set::size,
        set::capacity,
        set::byteSize,
        set::clear,
        set::rehash,
        set::save,
        set::save,
        set::runOn,
        operation -> set.async(Table.doing(operation)),
        set::close);
  }
}
