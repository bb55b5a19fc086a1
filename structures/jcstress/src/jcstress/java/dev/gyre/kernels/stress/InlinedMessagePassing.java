package dev.gyre.kernels.stress;

import dev.gyre.atomics.DeviceInts;
import dev.gyre.atomics.Fences;
import dev.gyre.atomics.table.ElementType;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.L_Result;

/**
 * Message passing by the pairs that structures use most, called directly: here the compiler sees
 * both accesses, and may reorder them where their orders allow it. {@link MessagePassing} has all
 * pairs, but calls them through method handles that the compiler does not see into.
 */
public final class InlinedMessagePassing {

  private static final int PAIRS = 6;
  private static final int WEAK_PAIRS = 2;
  private static final String UNSEEN = "flag not seen";
  private static final String READ = "message read";
  private static final DeviceInts INTS = DeviceInts.of(Cells.MEMORY);

  private InlinedMessagePassing() {}

  @State
  public static class Place {
    final long taken = Cells.take();
    final long flag = Cells.first(ElementType.INT, taken);
    final long word = Cells.second(ElementType.INT, taken);
    final int pair = (int) (taken % PAIRS);
    final int weakPair = (int) (taken % WEAK_PAIRS);
  }

  private static void raise(int pair, long flag) {
    switch (pair) {
      case 0, 1 -> INTS.storeRelease(flag, 1);
      case 2 -> {
        int _ = INTS.compareAndExchangeRelease(flag, 0, 1);
      }
      case 3 -> {
        int _ = INTS.exchangeRelease(flag, 1);
      }
      case 4 -> {
        int _ = INTS.fetchAddRelease(flag, 1);
      }
      default -> {
        Fences.deviceRelease();
        INTS.storeRelaxed(flag, 1);
      }
    }
  }

  private static int look(int pair, long flag) {
    return switch (pair) {
      case 0, 2 -> INTS.loadAcquire(flag);
      case 1 -> INTS.waitWhileEqualAcquire(flag, 0, 2);
      case 3 -> INTS.exchangeAcquire(flag, 0);
      case 4 -> INTS.fetchAddAcquire(flag, 0);
      default -> {
        int seen = INTS.loadRelaxed(flag);
        Fences.deviceAcquire();
        yield seen;
      }
    };
  }

  private static String read(int seen, int pair, int word) {
    if (seen == 0) {
      return UNSEEN;
    }
    return word == 1 ? READ : "message not written, pair " + pair;
  }

  @JCStressTest
  @Outcome(id = UNSEEN, expect = Expect.ACCEPTABLE, desc = "Too early")
  @Outcome(id = READ, expect = Expect.ACCEPTABLE, desc = "The message came with the flag")
  @Outcome(expect = Expect.FORBIDDEN, desc = "The flag came without the message")
  public static class Ordered {
    @Actor
    public void write(Place place) {
      INTS.set(place.word, 1);
      raise(place.pair, place.flag);
    }

    @Actor
    public void read(Place place, L_Result result) {
      int seen = look(place.pair, place.flag);
      result.r1 = InlinedMessagePassing.read(seen, place.pair, INTS.get(place.word));
    }
  }

  /** The flag is raised before the message is written. */
  @JCStressTest
  @Outcome(id = UNSEEN, expect = Expect.ACCEPTABLE, desc = "Too early")
  @Outcome(id = READ, expect = Expect.ACCEPTABLE, desc = "By luck")
  @Outcome(expect = Expect.ACCEPTABLE_INTERESTING, desc = "The flag came without the message")
  public static class RaisedFirstMutant {
    @Actor
    public void write(Place place) {
      raise(place.pair, place.flag);
      Window.open();
      INTS.set(place.word, 1);
    }

    @Actor
    public void read(Place place, L_Result result) {
      int seen = look(place.pair, place.flag);
      result.r1 = InlinedMessagePassing.read(seen, place.pair, INTS.get(place.word));
    }
  }

  /** Pair 0: relaxed store and load. Pair 1: plain ones. */
  @JCStressTest
  @Outcome(id = UNSEEN, expect = Expect.ACCEPTABLE, desc = "Too early")
  @Outcome(id = READ, expect = Expect.ACCEPTABLE, desc = "By luck")
  @Outcome(expect = Expect.ACCEPTABLE_INTERESTING, desc = "The flag came without the message")
  public static class RelaxedWeakMutant {
    @Actor
    public void write(Place place) {
      INTS.set(place.word, 1);
      if (place.weakPair == 0) {
        INTS.storeRelaxed(place.flag, 1);
      } else {
        INTS.set(place.flag, 1);
      }
    }

    @Actor
    public void read(Place place, L_Result result) {
      int seen = place.weakPair == 0 ? INTS.loadRelaxed(place.flag) : INTS.get(place.flag);
      result.r1 = InlinedMessagePassing.read(seen, place.weakPair, INTS.get(place.word));
    }
  }
}
