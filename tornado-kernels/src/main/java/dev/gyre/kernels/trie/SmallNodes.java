package dev.gyre.kernels.trie;

/**
 * Nodes with six edges: a step leads along the edge of its group, and then along its own.
 *
 * @since 0.1.0
 */
public record SmallNodes() implements NodeLayout {

  /** Number of steps of a group. */
  private static final int GROUP = 6;

  private static final int SHIFT = 3;

  @Override
  public int shift() {
    return SHIFT;
  }

  @Override
  public boolean isSplit() {
    return true;
  }

  @Override
  public int first(int step) {
    return step / GROUP;
  }

  @Override
  public int second(int step) {
    return step % GROUP;
  }

  @Override
  public int step(int first, int second) {
    return first * GROUP + second;
  }
}
