package dev.gyre.bench.fuzz;

import dev.gyre.atomics.ClosedException;
import dev.gyre.kernels.Launcher;
import dev.gyre.kernels.Stage;
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
import org.jspecify.annotations.Nullable;

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
        "addAll",
        "addAll",
        "addAll",
        "containsAll",
        "containsAll",
        "single",
        "async",
        "launch",
        "runOn",
        "clear",
        "rehash",
        "saveAndLoad",
        "damaged",
        "closed");
  }

  @Override
  public Run start(long seed, FuzzSetting setting) {
    return new SetRun<>(() -> create(seed, setting), setting);
  }

  private SetDoor<K> create(long seed, FuzzSetting setting) {
    MapBuilder<S> settings = builder.get().workers(setting.threads()).capacity(1 + (seed & 0xff));
    if (setting.launcher() != null) {
      settings = settings.launcher(setting.launcher());
    }
    return door.apply(settings.build());
  }

  private static final class SetRun<K> implements Run {

    private static final int MOST = 50;

    private final Supplier<SetDoor<K>> create;
    private final FuzzSetting setting;
    private final FuzzMoves moves;
    private final Set<K> model = new HashSet<>();
    private SetDoor<K> set;
    private @Nullable Launcher device;
    private boolean grouped;

    SetRun(Supplier<SetDoor<K>> create, FuzzSetting setting) {
      this.create = create;
      this.setting = setting;
      this.moves = new FuzzMoves(setting);
      this.device = setting.launcher();
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
        case "async" -> async(keys);
        case "launch" -> launch(keys);
        case "runOn" -> {
          FuzzMoves.Place place = moves.choose(step.first());
          set.runOn(place.launcher());
          device = place.device();
          grouped = place.isGroup();
        }
        case "saveAndLoad" -> saveAndLoad(step.first(), false);
        case "damaged" -> saveAndLoad(step.first(), true);
        default -> closed();
      }
      FuzzSubject.same("size after " + step.operation(), (long) model.size(), set.size());
    }

    @Override
    public void compare() {
      FuzzSubject.same("retrieveAll", model, set.retrieved());
      FuzzSubject.same("forEach", model, set.walked());
    }

    private void addAll(List<K> keys) {
      long before = model.size();
      model.addAll(keys);
      long inserted = model.size() - before;
      FuzzSubject.same(
          "addAll", new InsertCounts(inserted, keys.size() - inserted, 0), set.addAll(keys));
    }

    private void single(List<K> keys) {
      for (K key : keys.subList(0, Math.min(MOST, keys.size()))) {
        FuzzSubject.same("contains " + key, model.contains(key), set.contains(key));
        FuzzSubject.same("add " + key, model.add(key), set.add(key));
      }
    }

    /** Stages that overtake each other in nothing. */
    private void async(List<K> keys) {
      int half = keys.size() / 2;
      Stage<?> one = set.async(() -> set.addAll(keys.subList(0, half)));
      Stage<?> other = set.async(() -> set.addAll(keys.subList(half, keys.size())));
      model.addAll(keys);
      var _ = other.join();
      FuzzSubject.same("the first has ended before the second", true, one.isDone());
    }

    private void launch(List<K> keys) {
      if (grouped || keys.isEmpty()) {
        return;
      }
      try (FuzzSources sources = new FuzzSources(device, 0)) {
        set.launch(sources, keys);
      }
      model.addAll(keys);
    }

    private void saveAndLoad(long bits, boolean damaged) throws IOException {
      Path file = setting.folder().resolve("saved");
      set.save(file);
      if (damaged) {
        FuzzFiles.damage(file, bits, set::load);
      }
      device = null;
      grouped = false;
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
        device = setting.launcher();
        grouped = false;
      }
    }

    @Override
    public void close() {
      set.close();
      moves.close();
    }
  }
}
