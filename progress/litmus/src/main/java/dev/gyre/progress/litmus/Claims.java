package dev.gyre.progress.litmus;

/**
 * Programs with claims: a word that the winner of a compare-and-exchange publishes, and a flag that
 * is tested and set. Each thread stores whether it won in the register of its role.
 */
public final class Claims {

  private static final int FREE = 0;
  private static final int CLAIMED = 1;
  private static final int PUBLISHED = 2;

  private Claims() {}

  /**
   * Two threads claim x by compare-and-exchange; the winner writes y and publishes it through x.
   */
  public record Publication() implements Litmus {
    @Override
    public void play(Cells cells, Order order, int role, long instance) {
      Words words = cells.words();
      long x = cells.x(instance);
      long y = cells.y(instance);
      int outcome = LitmusCodes.LOST;
      if (order.compareAndExchange(words, x, FREE, CLAIMED) == FREE) {
        outcome = LitmusCodes.WON;
        words.storeRelaxed(y, 1);
        // release: publishes y to a thread that acquires x.
        order.store(words, x, PUBLISHED);
      } else {
        int state = order.load(words, x);
        int word = words.loadRelaxed(y);
        if (state == PUBLISHED) {
          outcome = word == 1 ? LitmusCodes.LOST_AND_READ : 0;
        }
      }
      cells.keep(instance, role, outcome);
    }
  }

  /** Two threads test and set one flag. */
  public record TestAndSet() implements Litmus {
    @Override
    public void play(Cells cells, Order order, int role, long instance) {
      boolean set = order.testAndSet(cells.words(), cells.x(instance));
      cells.keep(instance, role, set ? LitmusCodes.LOST : LitmusCodes.WON);
    }
  }

  /** The steps are wrong: two threads read x, then claim it. */
  public record CheckThenAct() implements Litmus {
    @Override
    public void play(Cells cells, Order order, int role, long instance) {
      Words words = cells.words();
      long x = cells.x(instance);
      int outcome = LitmusCodes.LOST;
      if (order.load(words, x) == FREE) {
        // Both may be here.
        order.store(words, x, CLAIMED);
        outcome = LitmusCodes.WON;
      }
      cells.keep(instance, role, outcome);
    }
  }
}
