package dev.gyre.structures.map;

import dev.gyre.structures.Checks;
import java.util.Map;
import java.util.concurrent.ConcurrentMap;
import java.util.function.LongFunction;
import java.util.function.LongUnaryOperator;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * A map as one of the Java library, and its keys and values as numbers.
 *
 * @param <K> its keys
 * @param <V> its values
 */
public record MapView<K, V>(
    ConcurrentMap<K, V> map,
    LongFunction<K> key,
    LongFunction<V> value,
    ToLongFunction<K> ofKey,
    ToLongFunction<V> ofValue) {

  private static final int WAYS = 9;

  /** Does one thing to it and to the model, which must answer the same. */
  public void single(long number, long given, long bits, Map<Long, Long> model) {
    K k = key.apply(number);
    V v = value.apply(given);
    // The map first: what it refuses, on a device, the model does not do either.
    same("get", map.get(k), model.get(number));
    Checks.same("containsKey", model.containsKey(number), map.containsKey(k));
    switch ((int) Math.floorMod(bits, (long) WAYS)) {
      case 0 -> same("put", map.put(k, v), model.put(number, given));
      case 1 -> same("putIfAbsent", map.putIfAbsent(k, v), model.putIfAbsent(number, given));
      case 2 -> same("replace", map.replace(k, v), model.replace(number, given));
      case 3 -> {
        V other = value.apply(given + 1);
        boolean is = map.replace(k, v, other);
        Checks.same("replace", model.replace(number, given, ofValue.applyAsLong(other)), is);
      }
      case 4 ->
          same("merge", map.merge(k, v, (_, b) -> b), model.merge(number, given, (_, b) -> b));
      case 5 ->
          same(
              "computeIfAbsent",
              map.computeIfAbsent(k, _ -> v),
              model.computeIfAbsent(number, _ -> given));
      case 6 ->
          same(
              "computeIfPresent",
              map.computeIfPresent(k, (_, _) -> v),
              model.computeIfPresent(number, (_, _) -> given));
      case 7 -> {
        boolean there = v.equals(map.get(k));
        Checks.same("entry", there, map.entrySet().contains(Map.entry(k, v)));
      }
      default -> {
        try {
          same("remove", map.remove(k), model.remove(number));
        } catch (UnsupportedOperationException _) {
          // Keys stay.
        }
      }
    }
  }

  private void same(String what, @Nullable V actual, @Nullable Long expected) {
    String number = actual == null ? "null" : String.valueOf(ofValue.applyAsLong(actual));
    Checks.same(what, String.valueOf(expected), number);
  }

  /** Computes the value of a key from the one that it has, or from 0. */
  void compute(long number, LongUnaryOperator change) {
    map.compute(
        key.apply(number),
        (_, v) -> value.apply(change.applyAsLong(v == null ? 0 : ofValue.applyAsLong(v))));
  }

  /** All entries. */
  public void forEach(LongLongConsumer action) {
    map.forEach((k, v) -> action.accept(ofKey.applyAsLong(k), ofValue.applyAsLong(v)));
  }
}
