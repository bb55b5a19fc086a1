package dev.gyre.kernels.map;

/**
 * The components of a key that is a record, in their order, as a hash or an equality of the user's
 * sees them. Ints are widened; what the record does not have is 0.
 */
public record KeyParts(long first, long second, long third, long fourth) {}
