package dev.gyre.structures.map;

import dev.gyre.kernels.Launcher;
import dev.gyre.kernels.map.Hashing;
import dev.gyre.kernels.map.KeyParts;
import dev.gyre.kernels.map.RecordEquality;
import dev.gyre.kernels.map.RecordHash;
import dev.gyre.structures.map.Columns.ColumnType;
import java.lang.reflect.Array;
import java.lang.reflect.RecordComponent;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Records, schemas of them, and maps, for the suites and the fuzzer. */
final class RecordKinds {

  record Edge(int from, int to) {}

  record Numbered(long number) {}

  record Quad(long a, int b, long c, int d) {}

  record Count(long count) {}

  record Weight(double weight) {}

  record Traffic(double bytes, long latest, int hits, float least) {}

  record Pair(long one, long other) {}

  /** Of edges without a direction. */
  record EitherWay() implements RecordHash, RecordEquality {
    @Override
    public long hash(KeyParts edge, long seed) {
      long low = Math.min(edge.first(), edge.second());
      long high = Math.max(edge.first(), edge.second());
      return Hashing.hash(Hashing.hash(low, seed) ^ high, seed);
    }

    @Override
    public boolean same(KeyParts one, KeyParts other) {
      long same = (one.first() ^ other.first()) | (one.second() ^ other.second());
      long turned = (one.first() ^ other.second()) | (one.second() ^ other.first());
      return same == 0 || turned == 0;
    }
  }

  /** Many keys have the same. */
  record FewHashes(long mask) implements RecordHash {
    @Override
    public long hash(KeyParts key, long seed) {
      return Hashing.hash((key.first() + key.second()) & mask, seed);
    }
  }

  /**
   * What a suite goes over.
   *
   * @param key makes one of a number below a range
   * @param canonical the one of equal keys that models hold
   */
  record Kind<K extends Record, V extends Record>(
      String name,
      RecordSchema<K, V> schema,
      Class<K> keys,
      Class<V> values,
      Function<SplittableRandom, K> key,
      Function<Long, V> value,
      Function<K, K> canonical,
      Changes sums) {

    RecordMap<K, V> make(@Nullable Launcher launcher, int workers, long capacity, boolean fixed) {
      MapBuilder<RecordMap<K, V>> builder = builder(launcher, workers);
      return (fixed ? builder.fixedCapacity(capacity) : builder.capacity(capacity)).build();
    }

    RecordMap<K, V> load(@Nullable Launcher launcher, int workers, Path file) {
      return builder(launcher, workers).load(file);
    }

    private MapBuilder<RecordMap<K, V>> builder(@Nullable Launcher launcher, int workers) {
      MapBuilder<RecordMap<K, V>> builder = RecordMap.builder(schema);
      return launcher == null ? builder.workers(workers) : builder.launcher(launcher);
    }

    Columns keyColumns(List<K> records) {
      return columns(keys, records);
    }

    Columns valueColumns(List<V> records) {
      return columns(values, records);
    }

    Columns emptyKeys(int length) {
      return columns(keys, length);
    }

    Columns emptyValues(int length) {
      return columns(values, length);
    }

    /** What columns hold. */
    List<K> keysOf(Columns columns, int count) {
      return records(keys, columns, count);
    }

    List<V> valuesOf(Columns columns, int count) {
      return records(values, columns, count);
    }

    @Override
    public String toString() {
      return name;
    }
  }

  private RecordKinds() {}

  static Edge oneWay(Edge edge) {
    return edge.from <= edge.to ? edge : turned(edge);
  }

  static Edge turned(Edge edge) {
    return new Edge(edge.to, edge.from);
  }

  static final Changes TRAFFIC_SUMS =
      Changes.of("bytes", Apply.ADD)
          .and("latest", Apply.MAX)
          .and("hits", Apply.ADD)
          .and("least", Apply.MIN);

  private static Traffic traffic(long number) {
    return new Traffic(number * 0.5, number, (int) number * 3, -(float) number);
  }

  private static Edge edge(SplittableRandom random) {
    return new Edge(random.nextInt(-30, 30), random.nextInt(60));
  }

  static Kind<Edge, Count> countedEdges() {
    return new Kind<>(
        "edges to a long, packed",
        RecordSchema.of(Edge.class, Count.class),
        Edge.class,
        Count.class,
        RecordKinds::edge,
        Count::new,
        e -> e,
        Changes.of("count", Apply.ADD));
  }

  static Kind<Edge, Traffic> eitherEdges() {
    return new Kind<>(
        "edges either way to four columns",
        RecordSchema.of(Edge.class, Traffic.class).hash(new EitherWay()).equality(new EitherWay()),
        Edge.class,
        Traffic.class,
        RecordKinds::edge,
        RecordKinds::traffic,
        RecordKinds::oneWay,
        TRAFFIC_SUMS);
  }

  private static Quad quad(SplittableRandom r) {
    return new Quad(r.nextLong(-5, 5), r.nextInt(5), r.nextLong(7) << 40, -r.nextInt(6));
  }

  static Kind<Quad, Traffic> quads() {
    return new Kind<>(
        "four components to four columns",
        RecordSchema.of(Quad.class, Traffic.class),
        Quad.class,
        Traffic.class,
        RecordKinds::quad,
        RecordKinds::traffic,
        e -> e,
        TRAFFIC_SUMS);
  }

  static Stream<Kind<?, ?>> all() {
    return Stream.of(
        countedEdges(),
        new Kind<>(
            "a long to a long, packed, by another hash",
            RecordSchema.of(Numbered.class, Count.class).hash(new FewHashes(31)),
            Numbered.class,
            Count.class,
            r -> new Numbered(r.nextLong(-1000, 1000)),
            Count::new,
            e -> e,
            Changes.of("count", Apply.ADD)),
        new Kind<>(
            "edges to four columns",
            RecordSchema.of(Edge.class, Traffic.class),
            Edge.class,
            Traffic.class,
            RecordKinds::edge,
            RecordKinds::traffic,
            e -> e,
            TRAFFIC_SUMS),
        eitherEdges(),
        quads(),
        new Kind<>(
            "four components to a double",
            RecordSchema.of(Quad.class, Weight.class),
            Quad.class,
            Weight.class,
            RecordKinds::quad,
            n -> new Weight(n * 0.25),
            e -> e,
            Changes.of("weight", Apply.ADD)));
  }

  private static ColumnType type(RecordComponent component) {
    return Stream.of(ColumnType.values())
        .filter(t -> t.toString().equals(component.getType().getName()))
        .findFirst()
        .orElseThrow();
  }

  private static Columns column(ColumnType type, int length) {
    return switch (type) {
      case INT -> Columns.ints(new int[length]);
      case LONG -> Columns.longs(new long[length]);
      case FLOAT -> Columns.floats(new float[length]);
      case DOUBLE -> Columns.doubles(new double[length]);
    };
  }

  private static Columns columns(Class<?> record, int length) {
    Columns all = null;
    for (RecordComponent component : record.getRecordComponents()) {
      Columns one = column(type(component), length);
      all = all == null ? one : all.and(one);
    }
    return Objects.requireNonNull(all);
  }

  private static Object array(Columns columns, int column) {
    return columns.segment(column).heapBase().orElseThrow();
  }

  private static <R extends Record> Columns columns(Class<R> type, List<R> records) {
    Columns all = columns(type, records.size());
    RecordComponent[] components = type.getRecordComponents();
    for (int c = 0; c < components.length; c++) {
      for (int i = 0; i < records.size(); i++) {
        try {
          Array.set(array(all, c), i, components[c].getAccessor().invoke(records.get(i)));
        } catch (ReflectiveOperationException e) {
          throw new LinkageError(e.getMessage(), e);
        }
      }
    }
    return all;
  }

  private static <R extends Record> List<R> records(Class<R> type, Columns columns, int count) {
    List<R> records = new ArrayList<>();
    RecordComponent[] components = type.getRecordComponents();
    for (int i = 0; i < count; i++) {
      Object[] arguments = new Object[components.length];
      for (int c = 0; c < arguments.length; c++) {
        arguments[c] = Array.get(array(columns, c), i);
      }
      try {
        records.add(type.cast(type.getDeclaredConstructors()[0].newInstance(arguments)));
      } catch (ReflectiveOperationException e) {
        throw new LinkageError(e.getMessage(), e);
      }
    }
    return records;
  }
}
