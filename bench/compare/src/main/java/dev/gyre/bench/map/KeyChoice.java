package dev.gyre.bench.map;

import dev.gyre.datasets.generators.Keys;
import java.util.Locale;

/** How the keys of a benchmark are distributed. */
public enum KeyChoice {
  /** No two are equal. */
  UNIQUE,
  /** Each of half as many keys is as likely. */
  UNIFORM,
  /** Of half as many keys the r-th is drawn in proportion to 1/r. */
  ZIPF;

  /** The same keys as in the rivals in C++. */
  static final long SEED = 42;

  /** The name in results. */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Returns the sequence whose first n keys are distributed in this way. */
  public Keys keys(int n) {
    return switch (this) {
      case UNIQUE -> Keys.unique(SEED);
      case UNIFORM -> Keys.uniform(SEED, Math.max(1, n / 2));
      case ZIPF -> Keys.zipf(SEED, Math.max(1, n / 2), 1.0);
    };
  }

  /**
   * Key {@code index}, from n on, of the keys that are not among the first n, for lookups of absent
   * keys.
   */
  long absentLong(long index) {
    return this == UNIFORM ? -index : Keys.unique(SEED).longAt(index);
  }

  /** {@link #absentLong} for ints. */
  long absentInt(long index) {
    return this == UNIFORM ? -index : Keys.unique(SEED).intAt(index);
  }
}
