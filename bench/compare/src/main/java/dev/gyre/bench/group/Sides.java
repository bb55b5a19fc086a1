package dev.gyre.bench.group;

/** How often keys repeat on the sides of a join. */
public enum Sides {
  /** Keys of the right side are unique, and each left row has one match. */
  ONE_MATCH(1, 1, Spread.UNIFORM, 100),
  /** As {@link #ONE_MATCH}, but the left side repeats some keys often. */
  ZIPF_1(1, 1, Spread.ZIPF_1, 100),
  /** As {@link #ONE_MATCH}, but nine of ten left rows have no match. */
  FEW_MATCH(1, 1, Spread.UNIFORM, 10),
  /** The right side has a tenth of the rows of the left side, with unique keys. */
  SMALL_RIGHT(10, 10, Spread.UNIFORM, 100),
  /** Each key is about twice on both sides. */
  REPEATED(1, 2, Spread.UNIFORM, 100);

  private final int leftPerRight;
  private final int leftPerKey;

  /** How often left keys repeat. */
  final Spread left;

  /** How many of 100 left rows have a match. */
  final int percent;

  Sides(int leftPerRight, int leftPerKey, Spread left, int percent) {
    this.leftPerRight = leftPerRight;
    this.leftPerKey = leftPerKey;
    this.left = left;
    this.percent = percent;
  }

  /** Returns the number of right rows for some left rows. */
  int rightRows(int leftRows) {
    return leftRows / leftPerRight;
  }

  /** Returns the number of different keys for some left rows. */
  int keys(int leftRows) {
    return leftRows / leftPerKey;
  }
}
