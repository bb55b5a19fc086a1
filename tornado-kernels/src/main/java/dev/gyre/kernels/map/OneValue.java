package dev.gyre.kernels.map;

/**
 * One value for all keys of a batch.
 *
 * @since 0.1.0
 */
public record OneValue(long value) implements Numbers {
  @Override
  public long get(long index) {
    return value;
  }

  /** Ignores the old value. */
  @Override
  public void set(long index, long ignored) {}

  @Override
  public Numbers copy() {
    return new OneValue(value);
  }
}
