package dev.gyre.structures.fuzz;

import dev.gyre.atomics.BlockInts;
import dev.gyre.atomics.DeviceInts;
import dev.gyre.atomics.SystemInts;
import dev.gyre.structures.map.IntLongMapAdapter;
import dev.gyre.structures.map.IntMapAdapter;
import dev.gyre.structures.map.Layout;
import dev.gyre.structures.map.LongIntMapAdapter;
import dev.gyre.structures.map.LongMapAdapter;
import dev.gyre.structures.map.RecordMapAdapter;
import dev.gyre.structures.map.RecordNumbers;
import dev.gyre.structures.map.SetAdapter;
import dev.gyre.structures.map.TextMapAdapter;
import java.util.List;

/** All that there is to fuzz. */
public final class FuzzTargets {

  /** Keys of a step, at most. */
  private static final int MANY = 100_000;

  /** In the order in which they take turns. */
  public static final List<FuzzTarget> ALL =
      List.of(
          new MapFuzz(LongMapAdapter.TYPE, MANY, List.of(Layout.REFERENCE, Layout.LINE)),
          new MapFuzz(IntMapAdapter.TYPE, MANY, List.of(Layout.REFERENCE, Layout.PACKED)),
          new MapFuzz(IntLongMapAdapter.TYPE, MANY, List.of(Layout.REFERENCE)),
          new MapFuzz(LongIntMapAdapter.TYPE, MANY, List.of(Layout.REFERENCE)),
          new MapFuzz(TextMapAdapter.TYPE, MANY / 10, List.of()),
          records(0),
          records(1),
          records(2),
          new SetFuzz(SetAdapter.Kind.LONGS.type()),
          new SetFuzz(SetAdapter.Kind.INTS.type()),
          new SetFuzz(SetAdapter.Kind.TEXTS.type()),
          new TrieFuzz(false),
          new TrieFuzz(true),
          new WordsFuzz(),
          new LaunchesFuzz(),
          new SyncFuzz<>("sync-host", SyncHost::new),
          new SyncFuzz<>("sync-block", () -> new SyncWords("Block", BlockInts::of)),
          new SyncFuzz<>("sync-device", () -> new SyncWords("Device", DeviceInts::of)),
          new SyncFuzz<>("sync-system", () -> new SyncWords("System", SystemInts::of)),
          new CsvFuzz());

  private FuzzTargets() {}

  private static FuzzTarget records(int kind) {
    return new MapFuzz(RecordMapAdapter.type(RecordNumbers.all().get(kind)), MANY, List.of());
  }
}
