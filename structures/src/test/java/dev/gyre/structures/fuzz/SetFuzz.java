package dev.gyre.structures.fuzz;

import dev.gyre.atomics.ClosedException;
import dev.gyre.kernels.Launcher;
import dev.gyre.kernels.Stage;
import dev.gyre.structures.Checks;
import dev.gyre.structures.map.BulkOptions;
import dev.gyre.structures.map.FindCounts;
import dev.gyre.structures.map.InsertCounts;
import dev.gyre.structures.map.Outcome;
import dev.gyre.structures.map.SetAdapter;
import dev.gyre.structures.map.Sources;
import dev.gyre.structures.map.TableType;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/** Sets against a {@code HashSet}. */
record SetFuzz(TableType<?, SetAdapter> type) implements FuzzTarget {

  @Override
  public String name() {
    return type.name();
  }

  @Override
  public List<String> operations() {
    return FuzzTarget.words(
        """
        addAll addAll addAll containsAll containsAll removeAll single async launch copyTo clear
        rehash saveAndLoad damaged closed
        """);
  }

  @Override
  public Run start(long seed, FuzzSetting setting) {
    return new SetRun(type, seed, setting);
  }

  private static final class SetRun implements Run {

    private static final int MOST = 50;

    private final TableType<?, SetAdapter> type;
    private final long seed;
    private final FuzzSetting setting;
    private final FuzzMoves moves;
    private final Set<Long> model = new HashSet<>();
    private SetAdapter set;
    private @Nullable Launcher device;

    SetRun(TableType<?, SetAdapter> type, long seed, FuzzSetting setting) {
      this.type = type;
      this.seed = seed;
      this.setting = setting;
      this.moves = new FuzzMoves(setting);
      this.device = setting.launcher();
      this.set = create();
    }

    private SetAdapter create() {
      return type.build(
          builder -> {
            builder.workers(setting.threads()).capacity(1 + (seed & 0xff));
            if (MapFuzz.isRemovable(seed)) {
              builder.removable();
            }
            if (setting.launcher() != null) {
              builder.launcher(setting.launcher());
            }
          });
    }

    @Override
    public void step(FuzzStep step) throws IOException {
      long[] keys = LongStream.of(step.keys()).map(type.key()).toArray();
      switch (step.operation()) {
        case "addAll" -> addAll(keys, step.first());
        case "containsAll" -> containsAll(keys, step.first());
        case "removeAll" -> removeAll(keys, step.first());
        case "single" -> single(keys);
        case "clear" -> {
          set.clear();
          model.clear();
        }
        case "rehash" -> FuzzTarget.rehash(1 + (step.first() & 0x3ff), model.size(), set::rehash);
        case "async" -> async(keys);
        case "launch" -> launch(keys);
        case "copyTo" -> {
          FuzzMoves.Place place = moves.alone(step.first());
          SetAdapter copy = type.copy(set, place.launcher());
          set.close();
          set = copy;
          device = place.device();
        }
        case "saveAndLoad" -> saveAndLoad(step.first(), false);
        case "damaged" -> saveAndLoad(step.first(), true);
        default -> closed();
      }
      Checks.same("size after " + step.operation(), (long) model.size(), set.size());
      FuzzTarget.room(set);
    }

    @Override
    public void compare() {
      Checks.same("retrieveAll", model, set.retrieved());
      Set<Long> walked = ConcurrentHashMap.newKeySet();
      set.forEach(walked::add);
      Checks.same("forEach", model, walked);
      set.walkBytes(model);
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

    private static List<Long> taken(long[] keys, long bits) {
      return IntStream.range(0, keys.length)
          .filter(i -> (bits & 2) == 0 || i % 3 != 0)
          .mapToObj(i -> keys[i])
          .toList();
    }

    private static long count(byte[] outcomes, Outcome outcome) {
      return IntStream.range(0, outcomes.length).filter(i -> outcomes[i] == outcome.code()).count();
    }

    private void addAll(long[] keys, long bits) {
      List<Long> taken = taken(keys, bits);
      long before = model.size();
      model.addAll(taken);
      long inserted = model.size() - before;
      byte[] outcomes = new byte[keys.length];
      Checks.same(
          "addAll",
          new InsertCounts(inserted, taken.size() - inserted, 0),
          set.addAll(keys, options(outcomes, bits)));
      if ((bits & 2) != 0) {
        Checks.same("told new", inserted, count(outcomes, Outcome.INSERTED));
        Checks.same(
            "told left out", (long) keys.length - taken.size(), count(outcomes, Outcome.SKIPPED));
      }
    }

    private void containsAll(long[] keys, long bits) {
      List<Long> taken = taken(keys, bits);
      long found = taken.stream().filter(model::contains).count();
      byte[] outcomes = new byte[keys.length];
      Checks.same(
          "containsAll",
          new FindCounts(found, taken.size() - found),
          set.containsAll(keys, options(outcomes, bits)));
      for (int i = 0; (bits & 2) != 0 && i < outcomes.length; i++) {
        boolean there = model.contains(keys[i]);
        Outcome outcome = i % 3 == 0 ? Outcome.SKIPPED : there ? Outcome.FOUND : Outcome.ABSENT;
        Checks.same("outcome of", i, outcome.code(), outcomes[i]);
      }
    }

    private void removeAll(long[] keys, long bits) {
      if (!MapFuzz.isRemovable(seed)) {
        try {
          boolean _ = set.remove(1);
          throw new AssertionError("a key could be removed");
        } catch (UnsupportedOperationException e) {
          return;
        }
      }
      List<Long> taken = taken(keys, bits);
      long before = model.size();
      taken.forEach(model::remove);
      long removed = before - model.size();
      byte[] outcomes = new byte[keys.length];
      Checks.same(
          "removeAll",
          new FindCounts(removed, taken.size() - removed),
          set.removeAll(keys, options(outcomes, bits)));
      if ((bits & 2) != 0) {
        Checks.same("told removed", removed, count(outcomes, Outcome.REMOVED));
      }
      for (long key : Arrays.copyOf(keys, Math.min(MOST, keys.length))) {
        Checks.same("add again " + key, model.add(key), set.add(key));
        Checks.same("remove " + key, model.remove(key), set.remove(key));
        Checks.same("gone " + key, false, set.contains(key) || set.remove(key));
      }
    }

    private void single(long[] keys) {
      for (long key : Arrays.copyOf(keys, Math.min(MOST, keys.length))) {
        Checks.same("contains " + key, model.contains(key), set.contains(key));
        Checks.same("add " + key, model.add(key), set.add(key));
      }
    }

    /** Stages that overtake each other in nothing. */
    private void async(long[] keys) {
      long[] some = Arrays.copyOf(keys, keys.length / 2);
      long[] others = Arrays.copyOfRange(keys, some.length, keys.length);
      Stage<?> one = set.async(() -> set.addAll(some, BulkOptions.NONE));
      Stage<?> other = set.async(() -> set.addAll(others, BulkOptions.NONE));
      LongStream.of(keys).forEach(model::add);
      var _ = other.join();
      Checks.same("the first has ended before the second", true, one.isDone());
    }

    private void launch(long[] keys) {
      if (keys.length == 0) {
        return;
      }
      try (Sources sources = new Sources(device, Sources.Way.ARRAYS)) {
        set.launch(sources, keys);
      }
      LongStream.of(keys).forEach(model::add);
    }

    private void saveAndLoad(long bits, boolean damaged) throws IOException {
      SetAdapter loaded;
      if ((bits & 1) == 0 || damaged) {
        Path file = setting.folder().resolve("saved");
        set.save(file);
        if (damaged) {
          FuzzFiles.damage(file, bits, type::load);
        }
        loaded = type.load(file);
      } else {
        loaded = type.load(set.saved());
      }
      device = null;
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
        set = create();
        device = setting.launcher();
      }
    }

    @Override
    public void close() {
      set.close();
      moves.close();
    }
  }
}
