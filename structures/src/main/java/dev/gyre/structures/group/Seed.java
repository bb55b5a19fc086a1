package dev.gyre.structures.group;

import dev.gyre.kernels.map.TextHashing;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Hash of keys with random multipliers, so that no attacker can choose keys that collide: folded
 * products as in wyhash (Wang Yi). All rows of the same groups share it.
 */
record Seed(long first, long second) {

  static Seed next() {
    ThreadLocalRandom random = ThreadLocalRandom.current();
    return new Seed(random.nextLong() | 1, random.nextLong() | 1);
  }

  long hash(long key) {
    return TextHashing.fold(TextHashing.fold(key ^ first, second), first);
  }

  /** Returns the hash of a text that goes on with two words; at first the hash is its length. */
  long hash(long hash, long word, long next) {
    return TextHashing.fold(TextHashing.fold(word ^ first, next ^ second) ^ hash, first);
  }
}
