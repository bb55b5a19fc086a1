package dev.gyre.kernels.trie;

/** Nodes with an edge for each step. */
public record LargeNodes() implements NodeLayout {

  /** With room for as many edges as a step may have numbers, and the count. */
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
