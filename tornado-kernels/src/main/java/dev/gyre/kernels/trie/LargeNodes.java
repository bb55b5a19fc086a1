package dev.gyre.kernels.trie;

/**
 * Nodes with an edge per step.
 *
 * @since 0.1.0
 */
public record LargeNodes() implements NodeLayout {

  /** Shift of the size: as many edges as steps have numbers, and the count. */
  private static final int SHIFT = Letter.STEP_BITS;

  @Override
  public int shift() {
    return SHIFT;
  }

  @Override
  public boolean isSplit() {
    return false;
  }

  @Override
  public int first(int step) {
    return step;
  }

  @Override
  public int second(int step) {
    return 0;
  }

  @Override
  public int step(int first, int second) {
    return first;
  }
}
