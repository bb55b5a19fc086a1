package dev.gyre.bench.group;

/** How often keys repeat. */
public enum Spread {
  UNIFORM(0),
  ZIPF_1(1),
  ZIPF_1_5(1.5);

  /** The exponent of Zipf's law. */
  final double exponent;

  Spread(double exponent) {
    this.exponent = exponent;
  }
}
