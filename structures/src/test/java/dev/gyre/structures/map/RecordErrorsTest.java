package dev.gyre.structures.map;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gyre.atomics.Memory;
import dev.gyre.kernels.KernelException;
import dev.gyre.kernels.map.EntryPredicate;
import dev.gyre.kernels.map.Fold;
import dev.gyre.kernels.map.Hash;
import dev.gyre.kernels.map.KeyParts;
import dev.gyre.kernels.map.RealFold;
import dev.gyre.kernels.map.RecordHash;
import dev.gyre.structures.SavedFileException;
import dev.gyre.structures.map.Columns.ColumnType;
import dev.gyre.structures.map.RecordKinds.Count;
import dev.gyre.structures.map.RecordKinds.Edge;
import dev.gyre.structures.map.RecordKinds.EitherWay;
import dev.gyre.structures.map.RecordKinds.FewHashes;
import dev.gyre.structures.map.RecordKinds.Numbered;
import dev.gyre.structures.map.RecordKinds.Pair;
import dev.gyre.structures.map.RecordKinds.Traffic;
import dev.gyre.structures.map.RecordKinds.Weight;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What maps of records refuse, and how they say it. */
class RecordErrorsTest {

  record Five(int a, int b, int c, int d, int e) {}

  record None() {}

  record Named(int number, String name) {}

  record Exact(double number) {}

  record Least(long number) implements Fold {
    @Override
    public long apply(long present, long given) {
      return Math.min(present, given);
    }
  }

  record Half() implements RealFold {
    @Override
    public double apply(double present, double given) {
      return (present + given) / 2;
    }
  }

  record Other() implements Hash {
    @Override
    public long hash(long key, long seed) {
      return key;
    }
  }

  private static final Columns EDGES = Columns.ints(new int[] {1, 2}, new int[] {3, 4});
  private static final Columns COUNTS = Columns.longs(new long[] {5, 6});

  @Test
  void recordsOfOtherComponentsAreRefused() {
    assertThatThrownBy(() -> RecordMap.create(Five.class, Count.class))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(
            "the key " + Five.class.getName() + " has 5 components; it needs 1 to 4");
    assertThatThrownBy(() -> RecordMap.create(Edge.class, None.class))
        .hasMessageContaining("the value " + None.class.getName() + " has 0 components");
    assertThatThrownBy(() -> RecordMap.create(Named.class, Count.class))
        .hasMessageContaining("has the component name, a String; it may have int, long");
    assertThatThrownBy(() -> RecordMap.create(Exact.class, Count.class))
        .hasMessageContaining("has the component number, a double; it may have int, long");
    assertThatThrownBy(() -> RecordMap.create(Record.class, Count.class))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("the key java.lang.Record is not a record class");
    assertThatThrownBy(() -> RecordMap.create(Edge.class, Named.class))
        .hasMessageContaining("name, a String; it may have int, long, float, double");
  }

  @Test
  void strategiesAreRecordsAndAnEqualityNeedsAHash() {
    RecordSchema<Edge, Count> schema = RecordSchema.of(Edge.class, Count.class);
    RecordHash none = (KeyParts key, long seed) -> key.first() ^ seed;
    assertThatThrownBy(() -> schema.hash(none)).isInstanceOf(KernelException.class);
    assertThatThrownBy(() -> schema.equality(new EitherWay()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("an equality needs a hash");
    assertThatThrownBy(() -> RecordMap.builder(schema).hash(new Other()).build())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("give its schema a RecordHash");
  }

  @Test
  void columnsAreThoseOfTheRecords() {
    try (var map = RecordMap.create(Edge.class, Count.class)) {
      assertThatThrownBy(() -> map.insert(COUNTS, COUNTS))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage("keys are columns of (from int, to int), not of (long)");
      assertThatThrownBy(() -> map.insert(EDGES, EDGES))
          .hasMessage("values are columns of (count long), not of (int, int)");
      assertThatThrownBy(() -> map.insert(EDGES, Columns.longs(new long[1])))
          .hasMessage("2 keys need as many values, not 1");
      assertThatThrownBy(() -> map.find(EDGES, Columns.longs(new long[1])))
          .hasMessageContaining("2 keys need as many elements to write values to, not 1");
      MemorySegment readOnly = MemorySegment.ofArray(new long[2]).asReadOnly();
      assertThatThrownBy(() -> map.find(EDGES, Columns.of(ColumnType.LONG, readOnly)))
          .hasMessageContaining("to write values to");
      assertThatThrownBy(() -> map.insert(EDGES, COUNTS, BulkOptions.NONE.where(new boolean[3])))
          .hasMessageContaining("2 keys need a mask");
      var predicate = BulkOptions.NONE.where(new Any());
      assertThatThrownBy(() -> map.insert(EDGES, COUNTS, predicate))
          .hasMessage("the keys are records: use a RecordPredicate");
      assertThatThrownBy(() -> map.retrieveAll(EDGES, Columns.longs(new long[1])))
          .hasMessageContaining("columns of one length");
    }
    try (var map = RecordMap.create(Edge.class, Pair.class)) {
      assertThat(map.insert(EDGES, COUNTS.and(COUNTS)).inserted()).isEqualTo(2);
      assertThatThrownBy(
              () ->
                  map.retrieveAll(
                      Columns.ints(new int[1], new int[1]),
                      Columns.longs(new long[1], new long[1])))
          .hasMessage("2 entries do not fit in 1 elements");
    }
  }

  record Any() implements EntryPredicate {
    @Override
    public boolean test(long key, long value) {
      return true;
    }
  }

  @Test
  void columnsAreOfOneLength() {
    assertThatThrownBy(() -> Columns.ints(new int[2], new int[3]))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("columns are of one length; one has 2 elements, another 3");
    assertThatThrownBy(() -> COUNTS.and(Columns.longs(new long[3])))
        .hasMessageContaining("columns are of one length");
    assertThatThrownBy(() -> Columns.ints()).hasMessage("no column was given");
    assertThatThrownBy(() -> Columns.of(ColumnType.LONG, MemorySegment.ofArray(new int[3])))
        .hasMessage("a segment of 12 bytes does not hold whole elements of 8 bytes");
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment own = arena.allocate(8);
      assertThatThrownBy(() -> Columns.of(ColumnType.LONG, own))
          .hasMessageContaining("belongs to one thread");
    }
    try (var memory = Memory.ofLongs(1)) {
      assertThatThrownBy(() -> Columns.of(ColumnType.INT, memory, 3))
          .hasMessage("a memory of 8 bytes does not hold 3 elements of 4 bytes");
    }
  }

  @Test
  void changesAreOfColumnsThatThereAre() {
    try (var map = RecordMap.create(Edge.class, Traffic.class)) {
      Edge edge = new Edge(1, 2);
      Traffic traffic = new Traffic(1, 2, 3, 4);
      assertThatThrownBy(() -> map.merge(edge, traffic, Changes.of("weight", Apply.ADD)))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage(
              "no column weight: values are columns of"
                  + " (bytes double, latest long, hits int, least float)");
      assertThatThrownBy(() -> map.merge(edge, traffic, Changes.of("bytes", Apply.XOR)))
          .hasMessage(
              "the column bytes, a double, cannot be changed by XOR;"
                  + " take ADD, MIN, MAX, ASSIGN or a RealFold");
      assertThatThrownBy(() -> map.merge(edge, traffic, Changes.of("least", new Least(0))))
          .hasMessageContaining("least, a float, cannot be changed by a Fold");
      assertThatThrownBy(() -> map.merge(edge, traffic, Changes.ofReal("hits", new Half())))
          .hasMessage(
              "the column hits, a int, cannot be changed by a RealFold; take an Apply or a Fold");
      assertThat(map.size()).isZero();
    }
    assertThatThrownBy(() -> Changes.of("a", Apply.ADD).and("a", Apply.MIN))
        .hasMessageContaining("two changes of the column a");
    Fold lambda = (present, _) -> present;
    assertThatThrownBy(() -> Changes.of("a", lambda)).isInstanceOf(KernelException.class);
  }

  @Test
  void aFileIsLoadedByItsSchemaOnly(@TempDir Path folder) {
    Path packed = folder.resolve("packed");
    Path rows = folder.resolve("rows");
    Path other = folder.resolve("longs");
    try (var edges = RecordMap.create(Edge.class, Count.class);
        var weights = RecordMap.create(Edge.class, Weight.class);
        var longs = LongLongMap.create()) {
      edges.save(packed);
      weights.save(rows);
      longs.save(other);
    }
    String ours = "the hash of this library, equal by components";
    requireRefused(
        RecordSchema.of(Numbered.class, Count.class),
        packed,
        "holds keys (from int, to int), values (count long), " + ours,
        "asked for are keys (number long), values (count long), " + ours);
    requireRefused(
        RecordSchema.of(Edge.class, Count.class),
        rows,
        "values (weight double)",
        "asked for are keys (from int, to int), values (count long)");
    requireRefused(
        RecordSchema.of(Edge.class, Count.class).hash(new FewHashes(3)),
        packed,
        ours,
        "the hash " + FewHashes.class.getName() + ", which makes ");
    requireRefused(
        RecordSchema.of(Edge.class, Weight.class).hash(new EitherWay()).equality(new EitherWay()),
        rows,
        ours,
        "the equality " + EitherWay.class.getName());
    requireRefused(
        RecordSchema.of(Edge.class, Count.class),
        other,
        "holds a map from long to long, not a map of records",
        "");
    assertThatThrownBy(() -> LongLongMap.load(packed))
        .isInstanceOf(SavedFileException.class)
        .hasMessageContaining("holds a map of records, not a map from long to long");
  }

  /** Rows lie as they do, whatever is asked for. */
  @Test
  void theLayoutOfABuilderIsThatOfNoRows(@TempDir Path folder) {
    Path file = folder.resolve("map");
    var builder =
        RecordMap.builder(RecordSchema.of(Edge.class, Weight.class)).layout(Layout.REFERENCE);
    try (var map = builder.build()) {
      map.save(file);
    }
    try (var map = builder.load(file)) {
      assertThat(map.size()).isZero();
    }
  }

  @Test
  void aHashOfOtherNumbersIsAnother(@TempDir Path folder) {
    Path file = folder.resolve("map");
    RecordSchema<Edge, Count> schema = RecordSchema.of(Edge.class, Count.class);
    try (var map = RecordMap.builder(schema.hash(new FewHashes(3))).build()) {
      map.save(file);
    }
    requireRefused(schema.hash(new FewHashes(7)), file, "which makes ", "which makes ");
    try (var map = RecordMap.builder(schema.hash(new FewHashes(3))).load(file)) {
      assertThat(map.size()).isZero();
    }
  }

  private static void requireRefused(
      RecordSchema<?, ?> schema, Path file, String held, String asked) {
    assertThatThrownBy(() -> RecordMap.builder(schema).load(file))
        .isInstanceOfSatisfying(
            SavedFileException.class,
            e -> assertThat(e.kind()).isEqualTo(SavedFileException.Kind.OTHER_TYPE))
        .hasMessageContaining(held)
        .hasMessageContaining(asked);
  }
}
