package dev.gyre.kernels.stress;

import dev.gyre.atomics.DeviceLongs;
import dev.gyre.atomics.Fences;
import dev.gyre.atomics.table.ElementType;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.JJL_Result;

/**
 * Each of two threads raises a flag of its own and then looks at the other's. Sequentially
 * consistent, at least one sees the other; release and acquire promise nothing of the kind, and
 * every processor with a store buffer shows it.
 */
public final class StoreBuffering {

  private static final DeviceLongs WORDS = DeviceLongs.of(Cells.MEMORY);

  /** By how a flag is raised and looked at. */
  private static final String[] ROWS = {"store and load", "exchange and load", "fences"};

  private StoreBuffering() {}

  @State
  public static class Flags {
    final long taken = Cells.take();
    final long first = Cells.first(ElementType.LONG, taken);
    final long second = Cells.second(ElementType.LONG, taken);
    final int row = (int) (taken % ROWS.length);
  }

  private static long raiseAndLook(int row, long mine, long other) {
    return switch (row) {
      case 0 -> {
        WORDS.storeSeqCst(mine, 1);
        yield WORDS.loadSeqCst(other);
      }
      case 1 -> {
        long _ = WORDS.exchangeSeqCst(mine, 1);
        yield WORDS.loadSeqCst(other);
      }
      default -> {
        WORDS.storeRelaxed(mine, 1);
        Fences.deviceSeqCst();
        yield WORDS.loadRelaxed(other);
      }
    };
  }

  @JCStressTest
  @Outcome(id = "0, 0, .*", expect = Expect.FORBIDDEN, desc = "Neither saw the other")
  @Outcome(expect = Expect.ACCEPTABLE, desc = "At least one saw the other")
  public static class SeqCst {
    @Actor
    public void first(Flags flags, JJL_Result result) {
      result.r1 = raiseAndLook(flags.row, flags.first, flags.second);
      result.r3 = ROWS[flags.row];
    }

    @Actor
    public void second(Flags flags, JJL_Result result) {
      result.r2 = raiseAndLook(flags.row, flags.second, flags.first);
    }
  }

  @JCStressTest
  @Outcome(id = "0, 0, .*", expect = Expect.ACCEPTABLE_INTERESTING, desc = "Neither saw the other")
  @Outcome(expect = Expect.ACCEPTABLE, desc = "At least one saw the other")
  public static class ReleaseAcquireMutant {
    @Actor
    public void first(Flags flags, JJL_Result result) {
      WORDS.storeRelease(flags.first, 1);
      result.r1 = WORDS.loadAcquire(flags.second);
      result.r3 = "release and acquire";
    }

    @Actor
    public void second(Flags flags, JJL_Result result) {
      WORDS.storeRelease(flags.second, 1);
      result.r2 = WORDS.loadAcquire(flags.first);
    }
  }
}
