package dev.gyre.bench.fuzz;

import dev.gyre.structures.map.IntSet;
import dev.gyre.structures.map.LongSet;
import dev.gyre.structures.map.TextSet;
import java.util.List;

/** All that there is to fuzz. */
public final class FuzzSubjects {

  /** In the order in which they take turns. */
  public static final List<FuzzSubject> ALL =
      List.of(
          longs(),
          ints(),
          MapFuzz.of(new TextDoor.Kind()),
          MapFuzz.of(new RecordDoor.Kind<>(new FuzzRecords.OfPairs())),
          MapFuzz.of(new RecordDoor.Kind<>(new FuzzRecords.OfWide())),
          MapFuzz.of(new RecordDoor.Kind<>(new FuzzRecords.OfEither())),
          new SetFuzz<>("LongSet", LongSet::builder, LongSetDoor::new),
          new SetFuzz<>("IntSet", IntSet::builder, IntSetDoor::new),
          new SetFuzz<>("TextSet", TextSet::builder, TextSetDoor::new),
          new TrieFuzz(false),
          new TrieFuzz(true),
          new WordsFuzz(),
          new LaunchesFuzz(),
          new SyncFuzz<>("sync-host", SyncHost::new),
          new SyncFuzz<>("sync-block", SyncWords::ofBlock),
          new SyncFuzz<>("sync-device", SyncWords::ofDevice),
          new SyncFuzz<>("sync-system", SyncWords::ofSystem),
          new CsvFuzz());

  private FuzzSubjects() {}

  private static FuzzSubject longs() {
    FuzzWays ways = new FuzzWays();
    return new MapFuzz(new LongDoor.Kind(ways), ways);
  }

  private static FuzzSubject ints() {
    FuzzWays ways = new FuzzWays();
    return new MapFuzz(new IntDoor.Kind(ways), ways);
  }
}
