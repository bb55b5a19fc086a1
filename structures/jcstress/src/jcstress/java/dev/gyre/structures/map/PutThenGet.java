package dev.gyre.structures.map;

import dev.gyre.kernels.JvmLauncher;
import dev.gyre.kernels.map.exclusive.KeyReader;
import dev.gyre.structures.Waiting;
import dev.gyre.structures.map.access.LongAccess;
import dev.gyre.structures.map.file.SavedMap;
import dev.gyre.structures.map.store.LongStore;
import dev.gyre.structures.map.table.MapSettings;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.JJ_Result;

/**
 * Two threads insert a key each, and then look for the other's: not both miss it. A key is
 * published by a plain store; that whoever inserted leaves the gate by a full fence orders it.
 */
public final class PutThenGet {

  private PutThenGet() {}

  /** An empty map. */
  @State
  public static class Empty {
    /** Maps are used again; there are more than jcstress keeps states alive. */
    private static final int PLACES = 1 << 14;

    private static final JvmLauncher LAUNCHER = JvmLauncher.ofWorkers(1);
    private static final AtomicLong TAKEN = new AtomicLong();
    private static final LongStore[] STORES = new LongStore[PLACES];

    final LongAccess access;
    private final LongStore store;

    public Empty() {
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
      }
      store = STORES[place];
      store.clear();
      access = new LongAccess(store);
    }

    /** Inserts a key by address, without the gate. */
    void putUngated(long key, long value) {
      KeyReader.Writer writer = (KeyReader.Writer) Objects.requireNonNull(store.reader());
      long slot = writer.find(key);
      while (slot < 0 && !writer.insert(~slot, key, value)) {
        // Another one has the slot, and is about to publish it.
        slot = writer.find(key);
      }
    }
  }

  @JCStressTest
  @Outcome(
      id = {"0, 10", "20, 0", "20, 10"},
      expect = Expect.ACCEPTABLE,
      desc = "Who inserted last sees the other's")
  @Outcome(expect = Expect.FORBIDDEN, desc = "What was there before a call ended was not seen")
  public static class Locked {
    @Actor
    public void first(Empty map, JJ_Result result) {
      var _ = map.access.putIfAbsent(1, 10);
      result.r1 = map.access.get(2).orElse(0);
    }

    @Actor
    public void second(Empty map, JJ_Result result) {
      var _ = map.access.putIfAbsent(2, 20);
      result.r2 = map.access.get(1).orElse(0);
    }
  }

  /** What inserts does not leave by a fence. */
  @JCStressTest
  @Outcome(
      id = {"0, 10", "20, 0", "20, 10"},
      expect = Expect.ACCEPTABLE,
      desc = "By luck")
  @Outcome(
      id = {"0, 0"},
      expect = Expect.ACCEPTABLE_INTERESTING,
      desc = "Neither was there for the other")
  @Outcome(expect = Expect.FORBIDDEN, desc = "Not there, or another value")
  public static class UnfencedMutant {
    @Actor
    public void first(Empty map, JJ_Result result) {
      map.putUngated(1, 10);
      result.r1 = map.access.get(2).orElse(0);
    }

    @Actor
    public void second(Empty map, JJ_Result result) {
      map.putUngated(2, 20);
      result.r2 = map.access.get(1).orElse(0);
    }
  }
}
