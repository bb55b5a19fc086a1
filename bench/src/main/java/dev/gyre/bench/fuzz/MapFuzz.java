package dev.gyre.bench.fuzz;

import java.util.List;

/**
 * Maps against a {@code HashMap}. Where several keys of one operation are equal and their order
 * would count, their values are equal, too.
 *
 * @param ways in which the doors of the kind hand keys over
 */
record MapFuzz(MapDoor.Kind kind, FuzzWays ways) implements FuzzSubject {

  private static final List<String> OPERATIONS =
      List.of(
          "insert",
          "insert",
          "insert",
          "insertOrAssign",
          "insertOrAssign",
          "insertAndFind",
          "insertAndFind",
          "insertLarger",
          "insertOrApply",
          "insertOrApply",
          "insertOrApply",
          "fold",
          "find",
          "find",
          "contains",
          "findLarger",
          "single",
          "single",
          "beside",
          "crowd",
          "async",
          "view",
          "larger",
          "visit",
          "launch",
          "clear",
          "rehash",
          "runOn",
          "saveAndLoad",
          "damaged",
          "interrupted",
          "scarce",
          "full",
          "closed");

  /** Of a kind whose keys go as they are. */
  static MapFuzz of(MapDoor.Kind kind) {
    return new MapFuzz(kind, new FuzzWays());
  }

  @Override
  public String name() {
    return kind.name();
  }

  @Override
  public List<String> operations() {
    return OPERATIONS;
  }

  @Override
  public int mostKeys() {
    return kind.mostKeys();
  }

  @Override
  public Run start(long seed, FuzzSetting setting) {
    return new MapRun(kind, ways, seed, setting);
  }
}
