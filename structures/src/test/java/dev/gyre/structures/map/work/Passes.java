package dev.gyre.structures.map.work;

/** Has tests of other packages pass a turnstile that is not barred. */
public final class Passes {

  private Passes() {}

  /** Enters; returns the pass. */
  public static int enter(Turnstile singles) {
    return singles.enter();
  }

  public static void leave(Turnstile singles, int pass) {
    boolean _ = singles.leave(pass);
  }
}
