package dev.gyre.structures.map;

/** Takes the entries of an {@link IntIntMap}. */
@FunctionalInterface
public interface IntIntConsumer {
  void accept(int key, int value);
}
