package dev.gyre.kernels.map;

/**
 * The components of a key that is a record, in their order, as a hash or an equality of the user's
 * sees them. Ints are widened; what the record does not have is 0.
 */
public record KeyParts(long first, long second, long third, long fourth) {

  /** The parts of a key that is packed in a long: of two ints, if they are paired, or itself. */
  static KeyParts ofPacked(long key, boolean paired) {
    return new KeyParts(paired ? key >> 32 : key, paired ? (int) key : 0, 0, 0);
  }
}
