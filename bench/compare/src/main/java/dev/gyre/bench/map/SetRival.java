package dev.gyre.bench.map;

import dev.gyre.bench.map.MapRival.Setup;

/** The sets of numbers whose memory and speed are compared. */
public enum SetRival {
  GYRE("gyre-set"),
  FASTUTIL("fastutil"),
  HPPC("HPPC");

  private final String label;

  SetRival(String label) {
    this.label = label;
  }

  /** The name in results. */
  public String label() {
    return label;
  }

  /** Makes the set for longs. */
  public NumberSet<long[]> ofLongs(Setup setup) {
    return switch (this) {
      case GYRE -> new RivalLongSets.OfGyre(setup);
      case FASTUTIL -> new RivalLongSets.OfFastutil(setup);
      case HPPC -> new RivalLongSets.OfHppc(setup);
    };
  }

  /** Makes the set for ints. */
  public NumberSet<int[]> ofInts(Setup setup) {
    return switch (this) {
      case GYRE -> new RivalIntSets.OfGyre(setup);
      case FASTUTIL -> new RivalIntSets.OfFastutil(setup);
      case HPPC -> new RivalIntSets.OfHppc(setup);
    };
  }
}
