package dev.gyre.kernels.map;

/**
 * Which keys that are records are one key: a record itself, which is compiled into the kernels, on
 * every target.
 *
 * <pre>{@code
 * record EitherWay() implements RecordEquality {
 *   public boolean same(KeyParts one, KeyParts other) {
 *     long same = (one.first() ^ other.first()) | (one.second() ^ other.second());
 *     long turned = (one.first() ^ other.second()) | (one.second() ^ other.first());
 *     return same == 0 || turned == 0;
 *   }
 * }
 * }</pre>
 *
 * <p>It is a device function, and an equivalence: reflexive, symmetric and transitive. A key stays
 * as it was when it was inserted, whichever of its equals is looked for.
 */
public interface RecordEquality {
  boolean same(KeyParts one, KeyParts other);

  /** All components are equal. */
  record OfParts() implements RecordEquality {
    @Override
    public boolean same(KeyParts one, KeyParts other) {
      // One comparison, since what hangs on several may come out wrong on devices.
      long differing =
          (one.first() ^ other.first())
              | (one.second() ^ other.second())
              | (one.third() ^ other.third())
              | (one.fourth() ^ other.fourth());
      return differing == 0;
    }
  }
}
