package dev.gyre.structures.map.work;

/** Makes gates for tests of other packages. */
public final class Gates {

  private Gates() {}

  /** A gate that updates of single keys enter by a turnstile. */
  public static Gate by(Turnstile singles) {
    return new Gate("map", singles);
  }
}
