package dev.gyre.kernels.map;

import dev.gyre.atomics.Internal;

/**
 * Equality of record keys: a user's record, which is compiled into the operation on every target.
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
 * <p>It is a device function, and must be reflexive, symmetric and transitive. The map keeps the
 * key that was inserted first among equal ones.
 *
 * @since 0.1.0
 */
public interface RecordEquality {
  boolean same(KeyParts one, KeyParts other);

  /** All components are equal. */
  @Internal
  record OfParts() implements RecordEquality {
    @Override
    public boolean same(KeyParts one, KeyParts other) {
      // One comparison, because device compilers may mistranslate a chain of them.
      long differing =
          (one.first() ^ other.first())
              | (one.second() ^ other.second())
              | (one.third() ^ other.third())
              | (one.fourth() ^ other.fourth());
      return differing == 0;
    }
  }
}
