package dev.gyre.bench.fuzz;

import dev.gyre.atomics.ClosedException;
import dev.gyre.kernels.Launcher;
import dev.gyre.kernels.Stage;
import dev.gyre.structures.map.BulkOptions;
import dev.gyre.structures.map.FindCounts;
import dev.gyre.structures.map.InsertCounts;
import dev.gyre.structures.map.MapBuilder;
import dev.gyre.structures.map.Outcome;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.IntStream;
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
        case "addAll" -> addAll(keys, step.first());
        case "containsAll" -> containsAll(keys, step.first());
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
      FuzzSubject.room(set, grouped);
    }

    @Override
    public void compare() {
      FuzzSubject.same("retrieveAll", model, set.retrieved());
      FuzzSubject.same("forEach", model, set.walked());
    }

    /** A mask leaves out one key in three, and outcomes are told; or there are no options. */
    private static BulkOptions options(byte[] outcomes, long bits) {
      if ((bits & 2) == 0) {
        return BulkOptions.NONE;
      }
      boolean[] mask = new boolean[outcomes.length];
      for (int i = 0; i < mask.length; i++) {
        mask[i] = i % 3 != 0;
      }
      return BulkOptions.NONE.where(mask).outcomes(outcomes);
    }

    private static <K> List<K> taken(List<K> keys, long bits) {
      return IntStream.range(0, keys.size())
          .filter(i -> (bits & 2) == 0 || i % 3 != 0)
          .mapToObj(keys::get)
          .toList();
    }

    private static long count(byte[] outcomes, Outcome outcome) {
      return IntStream.range(0, outcomes.length).filter(i -> outcomes[i] == outcome.code()).count();
    }

    private void addAll(List<K> keys, long bits) {
      List<K> taken = taken(keys, bits);
      long before = model.size();
      model.addAll(taken);
      long inserted = model.size() - before;
      byte[] outcomes = new byte[keys.size()];
      FuzzSubject.same(
          "addAll",
          new InsertCounts(inserted, taken.size() - inserted, 0),
          set.addAll(keys, options(outcomes, bits)));
      if ((bits & 2) != 0) {
        FuzzSubject.same("told new", inserted, count(outcomes, Outcome.INSERTED));
        FuzzSubject.same(
            "told left out", (long) keys.size() - taken.size(), count(outcomes, Outcome.SKIPPED));
      }
    }

    private void containsAll(List<K> keys, long bits) {
      List<K> taken = taken(keys, bits);
      long found = taken.stream().filter(model::contains).count();
      byte[] outcomes = new byte[keys.size()];
      FuzzSubject.same(
          "containsAll",
          new FindCounts(found, taken.size() - found),
          set.containsAll(keys, options(outcomes, bits)));
      for (int i = 0; (bits & 2) != 0 && i < outcomes.length; i++) {
        boolean there = model.contains(keys.get(i));
        Outcome outcome = i % 3 == 0 ? Outcome.SKIPPED : there ? Outcome.FOUND : Outcome.ABSENT;
        FuzzSubject.same("outcome of", i, outcome.code(), outcomes[i]);
      }
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
      Stage<?> one = set.async(() -> set.addAll(keys.subList(0, half), BulkOptions.NONE));
      Stage<?> other =
          set.async(() -> set.addAll(keys.subList(half, keys.size()), BulkOptions.NONE));
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
      SetDoor<K> loaded;
      if ((bits & 1) == 0 || damaged) {
        Path file = setting.folder().resolve("saved");
        set.save(file);
        if (damaged) {
          FuzzFiles.damage(file, bits, set::load);
        }
        loaded = set.load(file);
      } else {
        loaded = set.load(set.saved());
      }
      device = null;
      grouped = false;
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
