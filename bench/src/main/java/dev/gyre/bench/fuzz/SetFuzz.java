package dev.gyre.bench.fuzz;

import dev.gyre.atomics.ClosedException;
import dev.gyre.structures.map.FindCounts;
import dev.gyre.structures.map.InsertCounts;
import dev.gyre.structures.map.MapBuilder;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Sets against a {@code HashSet}.
 *
 * @param builder new ones
 * @param door to what a builder makes
 */
record SetFuzz<S, K>(
    String name, Supplier<MapBuilder<S>> builder, Function<? super S, ? extends SetDoor<K>> door)
    implements FuzzSubject {

  @Override
  public List<String> operations() {
    return List.of(
        "addAll", "addAll", "containsAll", "single", "clear", "rehash", "saveAndLoad", "closed");
  }

  @Override
  public Run start(long seed, FuzzSetting setting) {
    return new SetRun<>(() -> create(seed, setting), setting.folder());
  }

  private SetDoor<K> create(long seed, FuzzSetting setting) {
    MapBuilder<S> settings = builder.get().workers(setting.threads()).capacity(1 + (seed & 0xff));
    if (setting.launcher() != null) {
      settings = settings.launcher(setting.launcher());
    }
    return door.apply(settings.build());
  }

  private static final class SetRun<K> implements Run {

    private final Supplier<SetDoor<K>> create;
    private final Path folder;
    private final Set<K> model = new HashSet<>();
    private SetDoor<K> set;

    SetRun(Supplier<SetDoor<K>> create, Path folder) {
      this.create = create;
      this.folder = folder;
      this.set = create.get();
    }

    @Override
    public void step(FuzzStep step) throws IOException {
      List<K> keys = new ArrayList<>();
      for (long key : step.keys()) {
        keys.add(set.key(key));
      }
      switch (step.operation()) {
        case "addAll" -> addAll(keys);
        case "containsAll" -> {
          long found = keys.stream().filter(model::contains).count();
          FuzzSubject.same(
              "containsAll", new FindCounts(found, keys.size() - found), set.containsAll(keys));
        }
        case "single" -> single(keys);
        case "clear" -> {
          set.clear();
          model.clear();
        }
        case "rehash" -> FuzzSubject.rehash(1 + (step.first() & 0x3ff), model.size(), set::rehash);
        case "saveAndLoad" -> saveAndLoad(step.first());
        default -> closed();
      }
      FuzzSubject.same("size after " + step.operation(), (long) model.size(), set.size());
      FuzzSubject.same("retrieveAll after " + step.operation(), model, set.retrieved());
      FuzzSubject.same("forEach after " + step.operation(), model, set.walked());
    }

    private void addAll(List<K> keys) {
      long before = model.size();
      model.addAll(keys);
      long inserted = model.size() - before;
      FuzzSubject.same(
          "addAll", new InsertCounts(inserted, keys.size() - inserted, 0), set.addAll(keys));
    }

    private void single(List<K> keys) {
      for (K key : keys) {
        FuzzSubject.same("contains " + key, model.contains(key), set.contains(key));
        FuzzSubject.same("add " + key, model.add(key), set.add(key));
      }
    }

    private void saveAndLoad(long bits) throws IOException {
      Path file = folder.resolve("saved");
      set.save(file);
      FuzzFiles.damage(file, bits, set::load);
      SetDoor<K> loaded = set.load(file);
      set.close();
      set = loaded;
    }

    private void closed() {
      set.close();
      try {
        set.size();
        throw new AssertionError("a closed set has a size");
      } catch (ClosedException _) {
        model.clear();
        set = create.get();
      }
    }

    @Override
    public void close() {
      set.close();
    }
  }
}
