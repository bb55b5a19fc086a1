package dev.gyre.kernels.map;

/** One value that is to be inserted, in place of those of a batch. */
public record OneValue(long value) implements Numbers {
  @Override
  public long get(long index) {
    return value;
  }

  /** What was there is not asked for. */
  @Override
  public void set(long index, long ignored) {}

  @Override
  public Numbers copy() {
    return new OneValue(value);
  }
}
