package dev.gyre.structures.map.table;

import dev.gyre.kernels.map.Hashing;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Draws the seed of a table: the map's seed, mixed with a salt that no other table has.
 *
 * <p>A reader of a map sees its keys in the order of their hashes. If a growing table hashed them
 * by the same seed, they would fill its slots from one end and make one cluster. So two maps never
 * share a seed, not even if both were built with one {@code seed(42)}. A map keeps its table's seed
 * when it grows or moves: all keys in its order are in it then. It draws another seed when it is
 * cleared, and a loaded map draws its own. The reasons are in {@code
 * docs/decisions/0001-a-seed-for-each-table.md}.
 */
public final class TableSeed {

  /** Begins anywhere, so that no table of another process has the same salt, either. */
  private static final AtomicLong SALT = new AtomicLong(ThreadLocalRandom.current().nextLong());

  private TableSeed() {}

  /**
   * Another seed at each call; the hash is a bijection, so that equal seeds have different ones.
   */
  public static long next(long seed) {
    return Hashing.hash(SALT.getAndIncrement(), seed);
  }
}
