package dev.gyre.progress.litmus;

/** Programs whose threads read and write two words in opposite orders. */
public final class Buffering {

  private Buffering() {}

  /** Each thread writes one word, then reads the other's. */
  public record StoreBuffering() implements Litmus {
    @Override
    public void play(Cells cells, Order order, int role, long instance) {
      Words words = cells.words();
      long own = role == 0 ? cells.x(instance) : cells.y(instance);
      long other = role == 0 ? cells.y(instance) : cells.x(instance);
      order.store(words, own, 1);
      order.between(words);
      cells.keep(instance, role, order.load(words, other));
    }
  }

  /** Each thread reads one word, then writes the other's. */
  public record LoadBuffering() implements Litmus {
    @Override
    public void play(Cells cells, Order order, int role, long instance) {
      Words words = cells.words();
      long own = role == 0 ? cells.x(instance) : cells.y(instance);
      long other = role == 0 ? cells.y(instance) : cells.x(instance);
      int seen = order.load(words, own);
      order.store(words, other, 1);
      cells.keep(instance, role, seen);
    }
  }

  /** Independent reads of independent writes: two write a word each, two read both. */
  public record IndependentReads() implements Litmus {
    @Override
    public void play(Cells cells, Order order, int role, long instance) {
      Words words = cells.words();
      boolean even = (role & 1) == 0;
      long one = even ? cells.x(instance) : cells.y(instance);
      long other = even ? cells.y(instance) : cells.x(instance);
      if (role < 2) {
        order.store(words, one, 1);
      } else {
        int first = order.load(words, one);
        order.between(words);
        int second = order.load(words, other);
        cells.keep(instance, 2 * (role - 2), first);
        cells.keep(instance, 2 * (role - 2) + 1, second);
      }
    }
  }

  /** 2+2W: both threads write both words, 1 first and 2 then, in opposite orders. */
  public record TwoPlusTwoWrites() implements Litmus {
    @Override
    public void play(Cells cells, Order order, int role, long instance) {
      Words words = cells.words();
      long one = role == 0 ? cells.x(instance) : cells.y(instance);
      long other = role == 0 ? cells.y(instance) : cells.x(instance);
      order.store(words, one, 1);
      order.between(words);
      order.store(words, other, 2);
    }
  }

  /** The steps of {@link TwoPlusTwoWrites} are wrong: one thread writes its words the other way. */
  public record SwappedWrites() implements Litmus {
    @Override
    public void play(Cells cells, Order order, int role, long instance) {
      Words words = cells.words();
      long x = cells.x(instance);
      long y = cells.y(instance);
      if (role == 0) {
        order.store(words, x, 1);
        order.between(words);
        order.store(words, y, 2);
      }
      if (role == 1) {
        order.store(words, x, 2);
        Messages.window(words, order, x);
        order.store(words, y, 1);
      }
    }
  }
}
