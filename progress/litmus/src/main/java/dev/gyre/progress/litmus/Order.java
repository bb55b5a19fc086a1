package dev.gyre.progress.litmus;

/** Memory order of a litmus program: of the accesses to its flags; data is relaxed. */
public interface Order {

  /** Stores a flag. */
  void store(Words words, long at, int value);

  /** Loads a flag. */
  int load(Words words, long at);

  /** Fence between two accesses of one thread, if the order has one. */
  default void between(Words words) {}

  /** Claims a word; with acquire and release unless the order is relaxed. */
  default int compareAndExchange(Words words, long at, int expected, int value) {
    return words.compareAndExchangeAcqRel(at, expected, value);
  }

  /** Sets a flag; with acquire and release unless the order is relaxed. */
  default boolean testAndSet(Words words, long at) {
    return words.testAndSetAcqRel(at);
  }

  /** Accesses that are not atomic. */
  record Plain() implements Order {
    @Override
    public void store(Words words, long at, int value) {
      words.set(at, value);
    }

    @Override
    public int load(Words words, long at) {
      return words.get(at);
    }
  }

  /** Atomic, and nothing else. */
  record Relaxed() implements Order {
    @Override
    public void store(Words words, long at, int value) {
      words.storeRelaxed(at, value);
    }

    @Override
    public int load(Words words, long at) {
      return words.loadRelaxed(at);
    }

    @Override
    public int compareAndExchange(Words words, long at, int expected, int value) {
      return words.compareAndExchangeRelaxed(at, expected, value);
    }

    @Override
    public boolean testAndSet(Words words, long at) {
      return words.testAndSetRelaxed(at);
    }
  }

  /** Stores release, loads acquire. */
  record ReleaseAcquire() implements Order {
    @Override
    public void store(Words words, long at, int value) {
      words.storeRelease(at, value);
    }

    @Override
    public int load(Words words, long at) {
      return words.loadAcquire(at);
    }
  }

  /** Sequentially consistent. */
  record SeqCst() implements Order {
    @Override
    public void store(Words words, long at, int value) {
      words.storeSeqCst(at, value);
    }

    @Override
    public int load(Words words, long at) {
      return words.loadSeqCst(at);
    }
  }

  /** Relaxed, with a release fence before a store and an acquire fence after a load. */
  record Fences() implements Order {
    @Override
    public void store(Words words, long at, int value) {
      words.releaseFence();
      words.storeRelaxed(at, value);
    }

    @Override
    public int load(Words words, long at) {
      int value = words.loadRelaxed(at);
      words.acquireFence();
      return value;
    }
  }

  /** Relaxed, with a sequentially consistent fence between two accesses. */
  record SeqCstFences() implements Order {
    @Override
    public void store(Words words, long at, int value) {
      words.storeRelaxed(at, value);
    }

    @Override
    public int load(Words words, long at) {
      return words.loadRelaxed(at);
    }

    @Override
    public void between(Words words) {
      words.seqCstFence();
    }
  }
}
