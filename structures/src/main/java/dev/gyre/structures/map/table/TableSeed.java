package dev.gyre.structures.map.table;

import dev.gyre.kernels.map.Hashing;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Draws the seed of a table: the map's seed, mixed with a unique salt.
 *
 * <p>A reader of a map sees its keys in the order of their hashes. If a growing table hashed them
 * by the same seed, they would fill its slots from one end and form one cluster. Therefore two maps
 * never share a seed, not even if both were built with {@code seed(42)}. A map keeps its table's
 * seed when it grows or moves, because then all keys in its order are already in it. It draws
 * another seed when it is cleared, and a loaded map draws its own. {@code
 * docs/decisions/0001-a-seed-for-each-table.md} has the reasons.
 */
public final class TableSeed {

  /** Salt with a random start, so that no table of another process has the same. */
  private static final AtomicLong SALT = new AtomicLong(ThreadLocalRandom.current().nextLong());

  private TableSeed() {}

  /**
   * Returns another seed at each call; the hash is a bijection, so that different salts give
   * different seeds.
   */
  public static long next(long seed) {
    return Hashing.hash(SALT.getAndIncrement(), seed);
  }
}
