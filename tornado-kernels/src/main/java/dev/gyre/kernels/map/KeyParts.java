package dev.gyre.kernels.map;

/**
 * Components of a record key, in order, for hashes and equalities of the user. Ints are widened;
 * missing components are 0.
 *
 * @since 0.1.0
 */
public record KeyParts(long first, long second, long third, long fourth) {

  /**
   * Returns the components of a key that is packed in a long: two ints if {@code paired}, otherwise
   * the long.
   */
  static KeyParts ofPacked(long key, boolean paired) {
    return new KeyParts(paired ? key >> 32 : key, paired ? (int) key : 0, 0, 0);
  }
}
