package dev.gyre.structures.map;

import dev.gyre.kernels.Launcher;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongUnaryOperator;
import java.util.function.Supplier;

/**
 * A type of map or set, and how tests make one. Keys and values are told as numbers.
 *
 * @param <T> the map or set
 * @param <A> its adapter
 * @param key the number that stands for all numbers that are the same key
 * @param value the number that a value becomes
 */
public record TableType<T, A extends TableAdapter>(
    String name,
    LongUnaryOperator key,
    LongUnaryOperator value,
    Supplier<MapBuilder<T>> builder,
    Function<T, A> adapter) {

  /** Makes an empty one. */
  public A build(Consumer<MapBuilder<?>> settings) {
    return adapter.apply(set(settings).build());
  }

  /**
   * Makes an empty one whose table has a given seed, so that its slots have the same order again.
   */
  public A build(long tableSeed, Consumer<MapBuilder<?>> settings) {
    return build(
        builder -> {
          builder.tableSeed(tableSeed);
          settings.accept(builder);
        });
  }

  /** Loads a saved one. */
  public A load(Path file, Consumer<MapBuilder<?>> settings) {
    return adapter.apply(set(settings).load(file));
  }

  /** Loads a saved one, with the settings that a builder begins with. */
  public A load(Path file) {
    return adapter.apply(builder.get().load(file));
  }

  /** Loads one from the bytes that it was saved as. */
  public A load(MemorySegment saved) {
    return adapter.apply(builder.get().load(saved));
  }

  /** A copy of one of this type. */
  @SuppressWarnings("unchecked") // The caller says so.
  public A copy(TableAdapter of, Launcher launcher) {
    return adapter.apply((T) of.table().copyTo(launcher));
  }

  @Override
  public String toString() {
    return name;
  }

  private MapBuilder<T> set(Consumer<MapBuilder<?>> settings) {
    MapBuilder<T> fresh = builder.get();
    settings.accept(fresh);
    return fresh;
  }
}
