package dev.gyre.progress.litmus;

/** Programs that pass a message x by a flag. */
public final class Messages {

  private Messages() {}

  /** One thread writes x, then a flag y; the other reads y, then x. */
  public record MessagePassing() implements Litmus {
    @Override
    public void play(Cells cells, Order order, int role, long instance) {
      if (role == 0) {
        announce(cells, order, instance, 1);
      }
      if (role == 1) {
        look(cells, order, instance, cells.y(instance), 0);
      }
    }
  }

  /** Plain accesses to x, which is read only if the flag was seen. */
  public record PlainMessage() implements Litmus {
    @Override
    public void play(Cells cells, Order order, int role, long instance) {
      Words words = cells.words();
      long x = cells.x(instance);
      long y = cells.y(instance);
      if (role == 0) {
        words.set(x, 1);
        order.store(words, y, 1);
      }
      if (role == 1) {
        int flag = order.load(words, y);
        int word = 1;
        if (flag == 1) {
          word = words.get(x);
        }
        cells.keep(instance, 0, flag);
        cells.keep(instance, 1, word);
      }
    }
  }

  /** The steps are wrong: the flag is raised before the message is written. */
  public record RaisedFirst() implements Litmus {
    @Override
    public void play(Cells cells, Order order, int role, long instance) {
      if (role == 0) {
        announceTooEarly(cells, order, instance, cells.y(instance), 1);
      }
      if (role == 1) {
        look(cells, order, instance, cells.y(instance), 0);
      }
    }
  }

  /** One thread writes x; the other reads it twice. */
  public record CoherentReads() implements Litmus {
    @Override
    public void play(Cells cells, Order order, int role, long instance) {
      Words words = cells.words();
      long x = cells.x(instance);
      if (role == 0) {
        order.store(words, x, 1);
      }
      if (role == 1) {
        int first = order.load(words, x);
        int second = order.load(words, x);
        cells.keep(instance, 0, first);
        cells.keep(instance, 1, second);
      }
    }
  }

  /**
   * WRC, write-to-read causality: one thread writes x; the next reads x, then writes a flag y; the
   * last reads y, then x.
   */
  public record WriteToReadCausality() implements Litmus {
    @Override
    public void play(Cells cells, Order order, int role, long instance) {
      long x = cells.x(instance);
      if (role == 0) {
        cells.words().storeRelaxed(x, 1);
      }
      afterTheFirst(cells, order, role, instance, x);
    }

    /** Runs the other two threads. The first one reads x from a given flag. */
    static void afterTheFirst(Cells cells, Order order, int role, long instance, long announced) {
      Words words = cells.words();
      long y = cells.y(instance);
      if (role == 1) {
        int word = words.loadRelaxed(announced);
        // release: publishes the x that was read.
        order.store(words, y, 1);
        cells.keep(instance, 0, word);
      }
      if (role == 2) {
        look(cells, order, instance, y, 1);
      }
    }
  }

  /**
   * ISA2: one thread writes x, then a flag y; the next reads y, then writes a flag z; the last
   * reads z, then x.
   */
  public record Isa2() implements Litmus {
    @Override
    public void play(Cells cells, Order order, int role, long instance) {
      if (role == 0) {
        announce(cells, order, instance, 1);
      }
      afterTheFirst(cells, order, role, instance);
    }

    /** Runs the other two threads. */
    static void afterTheFirst(Cells cells, Order order, int role, long instance) {
      Words words = cells.words();
      long z = cells.z(instance);
      if (role == 1) {
        int flag = order.load(words, cells.y(instance));
        // release: publishes what was acquired.
        order.store(words, z, 1);
        cells.keep(instance, 0, flag);
      }
      if (role == 2) {
        look(cells, order, instance, z, 1);
      }
    }
  }

  /**
   * Message passing in which another thread adds 1 to the flag, relaxed: an update continues the
   * release sequence. A raised flag is 2.
   */
  public record ReleaseSequence() implements Litmus {
    @Override
    public void play(Cells cells, Order order, int role, long instance) {
      ends(cells, order, role, instance);
      if (role == 1) {
        int _ = cells.words().fetchAddRelaxed(cells.y(instance), 1);
      }
    }
  }

  /** {@link ReleaseSequence} without the thread in the middle, which runs elsewhere. */
  public record SequenceEnds() implements Litmus {
    @Override
    public void play(Cells cells, Order order, int role, long instance) {
      ends(cells, order, role, instance);
    }
  }

  /**
   * {@link ReleaseSequence} with a load and a store in place of the update: the sequence ends
   * there.
   */
  public record EndedSequence() implements Litmus {
    @Override
    public void play(Cells cells, Order order, int role, long instance) {
      ends(cells, order, role, instance);
      if (role == 1) {
        Words words = cells.words();
        long y = cells.y(instance);
        words.storeRelaxed(y, words.loadRelaxed(y) + 1);
      }
    }
  }

  /** Runs the first and the last thread of a release sequence. */
  private static void ends(Cells cells, Order order, int role, long instance) {
    if (role == 0) {
      announce(cells, order, instance, 2);
    }
    if (role == 2) {
      look(cells, order, instance, cells.y(instance), 0);
    }
  }

  /** The steps of {@link ReleaseSequence} are wrong: the flag is raised before the message. */
  public record SequenceRaisedFirst() implements Litmus {
    @Override
    public void play(Cells cells, Order order, int role, long instance) {
      long y = cells.y(instance);
      if (role == 0) {
        announceTooEarly(cells, order, instance, y, 2);
      }
      if (role == 1) {
        int _ = cells.words().fetchAddRelaxed(y, 1);
      }
      if (role == 2) {
        look(cells, order, instance, y, 0);
      }
    }
  }

  /**
   * The steps of {@link WriteToReadCausality} are wrong: the first thread announces x in z before
   * it writes x, and the next one relies on it.
   */
  public record AnnouncedTooEarly() implements Litmus {
    @Override
    public void play(Cells cells, Order order, int role, long instance) {
      long z = cells.z(instance);
      if (role == 0) {
        announceTooEarly(cells, order, instance, z, 1);
      }
      WriteToReadCausality.afterTheFirst(cells, order, role, instance, z);
    }
  }

  /**
   * The steps of {@link Isa2} are wrong: the first flag is raised before the message is written.
   */
  public record PassedOnTooEarly() implements Litmus {
    @Override
    public void play(Cells cells, Order order, int role, long instance) {
      if (role == 0) {
        announceTooEarly(cells, order, instance, cells.y(instance), 1);
      }
      Isa2.afterTheFirst(cells, order, role, instance);
    }
  }

  /** Writes x, then raises the flag y. */
  private static void announce(Cells cells, Order order, long instance, int raised) {
    Words words = cells.words();
    words.storeRelaxed(cells.x(instance), 1);
    // release: publishes x to a thread that acquires y, or an update of it.
    order.store(words, cells.y(instance), raised);
  }

  /** Raises a flag, then writes x. */
  private static void announceTooEarly(
      Cells cells, Order order, long instance, long flag, int raised) {
    Words words = cells.words();
    order.store(words, flag, raised);
    window(words, order, flag);
    words.storeRelaxed(cells.x(instance), 1);
  }

  /** Reads a flag, then x, and stores both, from a register on. */
  private static void look(Cells cells, Order order, long instance, long flag, int register) {
    Words words = cells.words();
    int seen = order.load(words, flag);
    int word = words.loadRelaxed(cells.x(instance));
    cells.keep(instance, register, seen);
    cells.keep(instance, register + 1, word);
  }

  /** Delay between two steps in the wrong order, so that other threads may observe it. */
  static void window(Words words, Order order, long at) {
    for (int spin = 0; spin < 64; spin++) {
      int _ = order.load(words, at);
    }
  }
}
