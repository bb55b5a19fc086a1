package dev.gyre.structures.map;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import dev.gyre.structures.ConformanceSuite;
import dev.gyre.structures.map.MapAdapter.Change;
import dev.gyre.structures.map.MapAdapter.Kind;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Random operations on a map and on a {@code HashMap}; a sequence that fails is made smaller before
 * it is reported. Property {@code gyre.rounds} says how many sequences each kind of map gets.
 */
@ConformanceSuite
class RandomOperationsTest {

  private static final int ROUNDS = Integer.getInteger("gyre.rounds", 6);
  private static final int SHRINKINGS = 2_000;
  private static final List<Change> CHANGES = List.of(Change.values());
  private static final List<String> OTHERS = List.of("find", "contains", "clear", "rehash");

  /** An operation with its keys; {@code change} is null for operations other than inserts. */
  @SuppressWarnings("ArrayRecordComponent") // Compared with nothing.
  record Operation(
      String name, @Nullable Change change, long[] keys, long[] values, boolean @Nullable [] mask) {

    void run(MapModel model) {
      if (change != null) {
        model.insert(keys, values, change, mask);
      } else {
        switch (name) {
          case "find" -> model.find(keys, mask, true);
          case "contains" -> model.find(keys, mask, false);
          case "clear" -> model.clear();
          default -> model.rehash();
        }
      }
    }

    /** The same with some of the keys only. */
    Operation part(int from, int to) {
      return new Operation(
          name,
          change,
          Arrays.copyOfRange(keys, from, to),
          Arrays.copyOfRange(values, from, to),
          mask == null ? null : Arrays.copyOfRange(mask, from, to));
    }

    @Override
    public String toString() {
      return "%s keys=%s values=%s mask=%s"
          .formatted(name, Arrays.toString(keys), Arrays.toString(values), Arrays.toString(mask));
    }
  }

  static Stream<Kind> kinds() {
    return Kind.all().stream();
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void behavesAsAHashMap(Kind kind) {
    for (int round = 0; round < ROUNDS; round++) {
      long seed = 1_000L * round + kind.hashCode() % 1000;
      SplittableRandom random = new SplittableRandom(seed);
      long capacity = random.nextInt(1, 300);
      boolean fixed = random.nextInt(3) == 0;
      double loadFactor = random.nextInt(4) == 0 ? 1.0 : random.nextDouble(0.1, 1.0);
      List<Operation> operations = operations(kind, random);
      Predicate<List<Operation>> fails =
          list -> failure(kind, capacity, fixed, loadFactor, seed, list) != null;
      if (fails.test(operations)) {
        List<Operation> smallest = shrink(operations, fails);
        fail(
            "%s, capacity %d, fixed %s, load factor %s, seed %d: %s%n%s",
            kind,
            capacity,
            fixed,
            loadFactor,
            seed,
            failure(kind, capacity, fixed, loadFactor, seed, smallest),
            smallest);
      }
    }
  }

  private static @Nullable Throwable failure(
      Kind kind, long capacity, boolean fixed, double loadFactor, long seed, List<Operation> list) {
    try (MapModel model = new MapModel(kind, capacity, fixed, loadFactor, seed)) {
      list.forEach(operation -> operation.run(model));
      return null;
    } catch (AssertionError | RuntimeException e) {
      return e;
    }
  }

  private static List<Operation> operations(Kind kind, SplittableRandom random) {
    List<Operation> operations = new ArrayList<>();
    int count = random.nextInt(5, 25);
    long domain = List.of(3L, 100L, 2_000L, Long.MAX_VALUE).get(random.nextInt(4));
    for (int i = 0; i < count; i++) {
      int length = random.nextInt(8) == 0 ? random.nextInt(20_000) : random.nextInt(200);
      long[] keys = random.longs(length).map(bits -> kind.key(number(bits, domain))).toArray();
      long[] values = random.longs(length).map(bits -> kind.wrap(number(bits, domain))).toArray();
      boolean[] mask = random.nextInt(3) == 0 ? mask(random, length) : null;
      boolean inserts = random.nextInt(10) < 6;
      Change change = inserts ? CHANGES.get(random.nextInt(CHANGES.size())) : null;
      String name = change != null ? change.name() : OTHERS.get(random.nextInt(OTHERS.size()));
      operations.add(new Operation(name, change, keys, values, mask));
    }
    return operations;
  }

  /** A number of a domain, or now and then an extreme of a type. */
  private static long number(long bits, long domain) {
    long min = (bits & 64) == 0 ? Integer.MIN_VALUE : Long.MIN_VALUE;
    return switch ((int) (bits & 63)) {
      case 0 -> min;
      case 1 -> ~min;
      case 2 -> 0;
      case 3 -> -1;
      case 4 -> 1;
      case 5 -> min + 1;
      default -> domain == Long.MAX_VALUE ? bits : Math.floorMod(bits >> 7, domain);
    };
  }

  private static boolean[] mask(SplittableRandom random, int length) {
    boolean[] mask = new boolean[length];
    for (int i = 0; i < length; i++) {
      mask[i] = random.nextBoolean();
    }
    return mask;
  }

  /** Leaves out operations, then keys, for as long as what is left still fails. */
  static List<Operation> shrink(List<Operation> operations, Predicate<List<Operation>> fails) {
    List<Operation> smallest = operations;
    int tries = 0;
    boolean smaller = true;
    while (smaller && tries < SHRINKINGS) {
      smaller = false;
      for (List<Operation> candidate : candidates(smallest)) {
        tries++;
        if (fails.test(candidate)) {
          smallest = candidate;
          smaller = true;
          break;
        }
      }
    }
    return smallest;
  }

  private static List<List<Operation>> candidates(List<Operation> operations) {
    List<List<Operation>> candidates = new ArrayList<>();
    for (int i = 0; i < operations.size(); i++) {
      List<Operation> without = new ArrayList<>(operations);
      without.remove(i);
      candidates.add(without);
    }
    for (int i = 0; i < operations.size(); i++) {
      Operation whole = operations.get(i);
      int length = whole.keys().length;
      for (Operation part :
          List.of(
              whole.part(0, length / 2),
              whole.part(length / 2, length),
              whole.part(0, Math.max(0, length - 1)))) {
        if (part.keys().length < length) {
          List<Operation> with = new ArrayList<>(operations);
          with.set(i, part);
          candidates.add(with);
        }
      }
    }
    return candidates;
  }

  @Test
  void shrinkingFindsTheOneKeyThatMatters() {
    Kind kind = new Kind(true, Layout.LINE, 1);
    List<Operation> operations = new ArrayList<>(operations(kind, new SplittableRandom(1)));
    operations.add(new Operation("find", null, new long[] {1, 4711, 2}, new long[3], null));
    Predicate<List<Operation>> fails =
        list -> list.stream().anyMatch(o -> Arrays.stream(o.keys()).anyMatch(key -> key == 4711));
    List<Operation> smallest = shrink(operations, fails);
    assertThat(smallest).hasSize(1);
    assertThat(smallest.getFirst().keys()).contains(4711).hasSizeLessThanOrEqualTo(2);
  }
}
