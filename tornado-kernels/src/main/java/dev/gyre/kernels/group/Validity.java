package dev.gyre.kernels.group;

import dev.gyre.atomics.ThreadLongs;

/**
 * Which rows of a column are not null. Device functions.
 *
 * @param bits a bit per row, which is set if the row is not null
 * @param first the bit of row 0
 */
public record Validity(ThreadLongs bits, long first) {

  /** Returns -1 if a row is null, otherwise 0: without a branch. */
  int ifNull(long row) {
    long at = first + row;
    return (int) ((bits.get(at >> 6) >> (at & 63)) & 1) - 1;
  }
}
