package dev.gyre.structures.map;

import dev.gyre.atomics.IntSpecialized;

/**
 * Action for the entries of an {@link LongLongMap}.
 *
 * @since 0.1.0
 */
@FunctionalInterface
@IntSpecialized(mixed = true)
public interface LongLongConsumer {
  void accept(/* int */ long key, /* int */ long value);
}
