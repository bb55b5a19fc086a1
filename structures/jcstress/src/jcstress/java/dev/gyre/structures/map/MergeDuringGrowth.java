package dev.gyre.structures.map;

import dev.gyre.kernels.JvmLauncher;
import dev.gyre.kernels.map.MapCodes;
import dev.gyre.kernels.map.NumberCode;
import dev.gyre.kernels.map.SingleKeys;
import dev.gyre.kernels.stress.Window;
import dev.gyre.structures.Waiting;
import dev.gyre.structures.map.access.LongAccess;
import dev.gyre.structures.map.file.SavedMap;
import dev.gyre.structures.map.store.LongStore;
import dev.gyre.structures.map.table.MapSettings;
import java.util.concurrent.atomic.AtomicLong;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.JJ_Result;

/**
 * One thread merges 1 into the value of a key while another has the map grow: the addition is not
 * lost, and a reader sees the value before or after, and neither waits nor misses the key.
 */
public final class MergeDuringGrowth {

  private MergeDuringGrowth() {}

  /** A map with one key, whose value is 1. */
  @State
  public static class Grown {
    /** Maps are used again; there are more than jcstress keeps states alive. */
    private static final int PLACES = 1 << 14;

    private static final JvmLauncher LAUNCHER = JvmLauncher.ofWorkers(1);

    private static final AtomicLong TAKEN = new AtomicLong();
    private static final LongStore[] STORES = new LongStore[PLACES];

    final LongStore store;
    final LongAccess access;
    private final long before;

    public Grown() {
      int place = (int) (TAKEN.getAndIncrement() % PLACES);
      if (STORES[place] == null) {
        MapSettings settings =
            new MapSettings(
                new MapSettings.Options(Layout.LINE, false, 0.5, Waiting.AUTO, 1, false),
                4,
                1,
                null,
                1 << 20,
                LAUNCHER,
                false,
                null,
                "");
        STORES[place] = new LongStore("map", SavedMap.Kind.LONGS, settings);
        new LongAccess(STORES[place]).putIfAbsent(1, 0);
      }
      this.store = STORES[place];
      this.access = new LongAccess(store);
      this.before = access.get(1).orElseThrow();
    }

    long value() {
      return access.get(1).orElse(-1_000_000) - before;
    }

    void grow() {
      store.rehash(4);
    }

    /** Adds to the table at hand, without the gate. */
    void mergeUngated() {
      NumberCode entries = store.table().entries();
      try {
        SingleKeys.Place place = entries.find(1);
        Window.open();
        entries.update(place, 1, MapCodes.ADD);
      } catch (IllegalStateException e) {
        // The table was freed: this addition is lost, too.
      }
    }
  }

  @JCStressTest
  @Outcome(
      id = {"0, 1"},
      expect = Expect.ACCEPTABLE,
      desc = "Added")
  @Outcome(expect = Expect.FORBIDDEN, desc = "Lost")
  public static class Locked {
    @Actor
    public void merge(Grown map) {
      var _ = map.access.merge(1, 1, Apply.ADD.change());
    }

    @Actor
    public void grow(Grown map) {
      map.grow();
    }

    @Arbiter
    public void after(Grown map, JJ_Result result) {
      result.r2 = map.value();
    }
  }

  /** Of three threads, so that two cores do not run it. */
  @JCStressTest
  @Outcome(
      id = {"0, 1", "1, 1"},
      expect = Expect.ACCEPTABLE,
      desc = "Read before or after, and added")
  @Outcome(expect = Expect.FORBIDDEN, desc = "Lost")
  public static class LockedWithReader {
    @Actor
    public void merge(Grown map) {
      var _ = map.access.merge(1, 1, Apply.ADD.change());
    }

    @Actor
    public void grow(Grown map) {
      map.grow();
    }

    @Actor
    public void read(Grown map, JJ_Result result) {
      result.r1 = map.value();
    }

    @Arbiter
    public void after(Grown map, JJ_Result result) {
      result.r2 = map.value();
    }
  }

  /** What merges does not enter the gate. */
  @JCStressTest
  @Outcome(
      id = {"0, 1"},
      expect = Expect.ACCEPTABLE,
      desc = "By luck")
  @Outcome(expect = Expect.ACCEPTABLE_INTERESTING, desc = "Lost")
  public static class UnlockedMutant {
    @Actor
    public void merge(Grown map) {
      map.mergeUngated();
    }

    @Actor
    public void grow(Grown map) {
      map.grow();
    }

    @Arbiter
    public void after(Grown map, JJ_Result result) {
      result.r2 = map.value();
    }
  }
}
