package dev.gyre.structures.map;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Calls with functions, and views, change and remove the same keys from several threads. */
@Timeout(120)
class RemovalByViewsTest {

  private static final int ROUNDS = 4_000;
  private static final int KEYS = 4;

  private static ComputingMap open(ComputingMap.Kind kind) {
    return kind.open(builder -> builder.capacity(4).workers(1).removable());
  }

  @SuppressWarnings("unchecked")
  private static ConcurrentMap<Object, Object> view(ComputingMap map) {
    return (ConcurrentMap<Object, Object>) map.view();
  }

  /** The keys of a view, which are those of the numbers from 0 on. */
  private static Object[] keys(ComputingMap.Kind kind) {
    Object[] keys = new Object[KEYS];
    for (int i = 0; i < KEYS; i++) {
      try (ComputingMap map = open(kind)) {
        var _ = map.put(i, 1);
        keys[i] = view(map).keySet().iterator().next();
      }
    }
    return keys;
  }

  /** The value of a view that is a number. */
  private static Object value(ComputingMap.Kind kind, long number) {
    try (ComputingMap map = open(kind)) {
      var _ = map.put(0, number);
      return view(map).values().iterator().next();
    }
  }

  /**
   * Each change adds 1 to one key, and each removal takes all that was added: together they account
   * for each addition, whichever call made it.
   */
  @ParameterizedTest
  @EnumSource
  void eachAdditionIsRemovedOnceOrStays(ComputingMap.Kind kind) {
    AtomicLong added = new AtomicLong();
    AtomicLong removed = new AtomicLong();
    Object[] keys = keys(kind);
    try (ComputingMap map = open(kind)) {
      ConcurrentMap<Object, Object> view = view(map);
      RemovalRacesTest.inThreads(
          thread -> {
            SplittableRandom random = new SplittableRandom(thread);
            for (int i = 0; i < ROUNDS; i++) {
              int key = random.nextInt(KEYS);
              switch (random.nextInt(10)) {
                case 0 -> {
                  var _ = map.compute(key, before -> OptionalLong.of(before.orElse(0) + 1));
                  added.incrementAndGet();
                }
                case 1 -> {
                  long _ = map.increment(key);
                  added.incrementAndGet();
                }
                case 2 -> added.addAndGet(map.computeIfPresent(key, v -> v + 1).isEmpty() ? 0 : 1);
                case 3 -> added.addAndGet(map.putIfAbsent(key, 1).isEmpty() ? 1 : 0);
                case 4 -> {
                  // The result tells whether this call inserted the key.
                  long token = 1 + 1_000L * (1 + i * 10L + thread);
                  if (map.computeIfAbsent(key, _ -> token) == token) {
                    added.addAndGet(token);
                  }
                }
                case 5 -> {
                  OptionalLong before = map.get(key);
                  if (before.isPresent()
                      && map.replace(key, before.getAsLong(), before.getAsLong() + 1)) {
                    added.incrementAndGet();
                  }
                }
                case 6 -> {
                  OptionalLong before = map.replace(key, 7);
                  if (before.isPresent()) {
                    removed.addAndGet(before.getAsLong());
                    added.addAndGet(7);
                  }
                }
                case 7 -> {
                  OptionalLong[] last = new OptionalLong[1];
                  var _ =
                      map.compute(
                          key,
                          before -> {
                            last[0] = before;
                            return OptionalLong.empty();
                          });
                  removed.addAndGet(last[0].orElse(0));
                }
                case 8 -> {
                  Object[] last = new Object[1];
                  var _ =
                      view.compute(
                          keys[key],
                          (_, before) -> {
                            last[0] = before;
                            return null;
                          });
                  removed.addAndGet(last[0] == null ? 0 : number(kind, last[0]));
                }
                default -> {
                  Object last = view.remove(keys[key]);
                  removed.addAndGet(last == null ? 0 : number(kind, last));
                }
              }
            }
          });
      long left = map.values().sum();
      assertThat(removed.get() + left).isEqualTo(added.get());
      assertThat(map.table().size()).isEqualTo(map.entries().size());
    }
  }

  private static long number(ComputingMap.Kind kind, Object value) {
    return switch (value) {
      case Number number -> number.longValue();
      case ComputingMap.One(long number) -> number;
      case ComputingMap.Two(_, long number) -> number;
      default -> throw new AssertionError(kind + " " + value);
    };
  }

  /** Iterators, streams of entries and setValue never show or write a value of another key. */
  @ParameterizedTest
  @EnumSource
  void entriesAreThoseOfTheirKeys(ComputingMap.Kind kind) {
    Object[] keys = keys(kind);
    Map<Object, Set<Object>> values = new ConcurrentHashMap<>();
    for (int i = 0; i < KEYS; i++) {
      values.put(keys[i], Set.of(value(kind, 2L * i), value(kind, 2L * i + 1)));
    }
    try (ComputingMap map = open(kind)) {
      ConcurrentMap<Object, Object> view = view(map);
      RemovalRacesTest.inThreads(
          thread -> {
            SplittableRandom random = new SplittableRandom(thread);
            for (int i = 0; i < ROUNDS / 4; i++) {
              int at = random.nextInt(KEYS);
              if (thread < 2) {
                var _ = map.put(at, 2L * at + random.nextInt(2));
              } else {
                Iterator<Map.Entry<Object, Object>> all = view.entrySet().iterator();
                while (all.hasNext()) {
                  Map.Entry<Object, Object> entry = all.next();
                  Set<Object> its = Objects.requireNonNull(values.get(entry.getKey()));
                  assertThat(its).contains(entry.getValue());
                  if (thread == 2) {
                    all.remove();
                  } else {
                    Object _ = entry.setValue(its.iterator().next());
                  }
                }
              }
            }
          });
      view.forEach((key, value) -> assertThat(values.get(key)).contains(value));
      boolean _ = view.values().removeIf(_ -> true);
      assertThat(map.table().isEmpty()).isTrue();
    }
  }

  /** A set under test as a set of the Java library. */
  record View<E>(String name, HashTable<?, ?, ?> owner, Set<E> set, List<E> elements) {
    @Override
    public String toString() {
      return name;
    }
  }

  static Stream<View<?>> sets() {
    LongSet longs = LongSet.builder().capacity(1).workers(1).removable().build();
    IntSet ints = IntSet.builder().capacity(1).workers(1).removable().build();
    TextSet texts = TextSet.builder().capacity(1).workers(1).removable().build();
    return Stream.of(
        new View<>(
            "longs", longs, longs.asSet(), List.of(0L, Long.MIN_VALUE, Long.MIN_VALUE + 1, 5L)),
        new View<>(
            "ints", ints, ints.asSet(), List.of(0, Integer.MIN_VALUE, Integer.MIN_VALUE + 1, 5)),
        new View<>(
            "texts", texts, texts.asSet(), List.of("", "a", "x".repeat(40), "y".repeat(200))));
  }

  /** Of several removals of an element, by whatever call, exactly one removes it. */
  @ParameterizedTest
  @MethodSource("sets")
  <E> void oneRemovalRemovesAnElement(View<E> view) {
    AtomicLong present = new AtomicLong();
    Set<E> set = view.set;
    try (var _ = view.owner) {
      RemovalRacesTest.inThreads(
          thread -> {
            SplittableRandom random = new SplittableRandom(thread);
            for (int i = 0; i < ROUNDS; i++) {
              E element = view.elements.get(random.nextInt(view.elements.size()));
              if (random.nextBoolean()) {
                present.addAndGet(set.add(element) ? 1 : 0);
              } else {
                present.addAndGet(set.remove(element) ? -1 : 0);
              }
            }
          });
      assertThat(set).hasSize((int) present.get()).isEqualTo(new HashSet<>(set));
      assertThat(set.addAll(view.elements)).isEqualTo(present.get() < view.elements.size());
      Iterator<E> all = set.iterator();
      for (int left = view.elements.size() - 1; all.hasNext(); left--) {
        E element = all.next();
        all.remove();
        assertThat(set).doesNotContain(element);
        assertThat(set.size()).isEqualTo(left);
      }
      assertThat(set).isEmpty();
    }
  }
}
