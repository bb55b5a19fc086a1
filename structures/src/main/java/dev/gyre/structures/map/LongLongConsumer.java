package dev.gyre.structures.map;

/** Takes the entries of an {@link LongLongMap}. */
@FunctionalInterface
public interface LongLongConsumer {
  void accept(/* int */ long key, /* int */ long value);
}
