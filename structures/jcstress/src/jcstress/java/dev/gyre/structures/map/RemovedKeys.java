package dev.gyre.structures.map;

import dev.gyre.kernels.JvmLauncher;
import dev.gyre.kernels.map.Hashing;
import dev.gyre.kernels.map.LongSlots;
import dev.gyre.kernels.map.MapCodes;
import dev.gyre.kernels.map.exclusive.KeyReader;
import dev.gyre.kernels.stress.Window;
import dev.gyre.structures.Waiting;
import dev.gyre.structures.map.access.LongAccess;
import dev.gyre.structures.map.file.SavedMap;
import dev.gyre.structures.map.store.LongStore;
import dev.gyre.structures.map.table.MapSettings;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.JJJ_Result;
import org.openjdk.jcstress.infra.results.JJ_Result;

/**
 * A thread removes a key and inserts one of the same home slot, beside a thread that looks the
 * first one up or changes its value.
 */
public final class RemovedKeys {

  private static final long SEED = 1;
  private static final long KEY = 1;
  private static final long OTHER = colliding();

  private RemovedKeys() {}

  /** Another key whose home is the same slot of eight. */
  private static long colliding() {
    long other = KEY + 1;
    while (Hashing.home(other, SEED, 8) != Hashing.home(KEY, SEED, 8)) {
      other++;
    }
    return other;
  }

  /** A map with one key, of value 10. */
  @State
  public static class One {
    /** Maps are used again; there are more than jcstress keeps states alive. */
    private static final int PLACES = 1 << 14;

    private static final JvmLauncher LAUNCHER = JvmLauncher.ofWorkers(1);
    private static final AtomicLong TAKEN = new AtomicLong();
    private static final LongStore[] STORES = new LongStore[PLACES];

    final LongStore store;
    final LongAccess access;

    public One() {
      int place = (int) (TAKEN.getAndIncrement() % PLACES);
      if (STORES[place] == null) {
        MapSettings settings =
            new MapSettings(
                new MapSettings.Options(Layout.LINE, false, 0.5, Waiting.AUTO, 1, true),
                4,
                SEED,
                null,
                1 << 20,
                LAUNCHER,
                false,
                null,
                "");
        STORES[place] = new LongStore("map", SavedMap.Kind.LONGS, settings);
      }
      store = STORES[place];
      store.clear();
      access = new LongAccess(store);
      var _ = access.putIfAbsent(KEY, 10);
    }

    KeyReader.Writer writer() {
      return (KeyReader.Writer) Objects.requireNonNull(store.reader());
    }

    /** Removes the key and gives its slot to another key at once. */
    void removeAndReuse() {
      KeyReader.Writer writer = writer();
      long slot = writer.find(KEY);
      LongSlots.Line line = (LongSlots.Line) store.table().inKernels();
      line.states().storeRelease(line.stateAt(slot), MapCodes.EMPTY);
      boolean _ = writer.insert(slot, OTHER, 20);
    }
  }

  @JCStressTest
  @Outcome(
      id = {"10, 1", "0, 1"},
      expect = Expect.ACCEPTABLE,
      desc = "The value of the key, or absent")
  @Outcome(expect = Expect.FORBIDDEN, desc = "The value of another key")
  public static class RemoveThenPut {
    @Actor
    public void change(One map, JJ_Result result) {
      var _ = map.access.remove(KEY);
      result.r2 = map.access.putIfAbsent(OTHER, 20).isEmpty() ? 1 : 0;
    }

    @Actor
    public void read(One map, JJ_Result result) {
      result.r1 = map.access.get(KEY).orElse(0);
    }
  }

  /** The slot is used again. */
  @JCStressTest
  @Outcome(
      id = {"10, 1", "0, 1"},
      expect = Expect.ACCEPTABLE,
      desc = "By luck")
  @Outcome(
      id = {"20, 1"},
      expect = Expect.ACCEPTABLE_INTERESTING,
      desc = "The value of another key")
  @Outcome(expect = Expect.FORBIDDEN, desc = "Another value")
  public static class ReusedSlotMutant {
    @Actor
    public void change(One map, JJ_Result result) {
      map.removeAndReuse();
      result.r2 = 1;
    }

    @Actor
    public void read(One map, JJ_Result result) {
      KeyReader.Writer writer = map.writer();
      long slot = writer.find(KEY);
      Window.open();
      result.r1 = slot < 0 ? 0 : writer.value(slot);
    }
  }

  @JCStressTest
  @Outcome(
      id = {"11, 11, 0", "1, 10, 1"},
      expect = Expect.ACCEPTABLE,
      desc = "Added before or after the removal")
  @Outcome(expect = Expect.FORBIDDEN, desc = "Lost, or added twice")
  public static class RemoveDuringMerge {
    @Actor
    public void merge(One map, JJJ_Result result) {
      result.r1 = map.access.merge(KEY, 1, Apply.ADD.change());
    }

    @Actor
    public void remove(One map, JJJ_Result result) {
      result.r2 = map.access.remove(KEY).orElse(0);
    }

    @Arbiter
    public void after(One map, JJJ_Result result) {
      result.r3 = map.access.get(KEY).orElse(0);
    }
  }

  /** A merge does not hold the slot. */
  @JCStressTest
  @Outcome(
      id = {"11, 11, 0", "1, 10, 1"},
      expect = Expect.ACCEPTABLE,
      desc = "By luck")
  @Outcome(
      id = {"11, 10, 0"},
      expect = Expect.ACCEPTABLE_INTERESTING,
      desc = "Lost")
  @Outcome(expect = Expect.FORBIDDEN, desc = "Another value")
  public static class UnheldMutant {
    @Actor
    public void merge(One map, JJJ_Result result) {
      KeyReader.Writer writer = map.writer();
      long slot = writer.find(KEY);
      Window.open();
      result.r1 =
          slot < 0
              ? map.access.merge(KEY, 1, Apply.ADD.change())
              : writer.update(slot, 1, MapCodes.ADD) + 1;
    }

    @Actor
    public void remove(One map, JJJ_Result result) {
      result.r2 = map.access.remove(KEY).orElse(0);
    }

    @Arbiter
    public void after(One map, JJJ_Result result) {
      result.r3 = map.access.get(KEY).orElse(0);
    }
  }
}
