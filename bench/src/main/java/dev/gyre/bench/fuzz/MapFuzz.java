package dev.gyre.bench.fuzz;

import java.util.List;

/**
 * Maps against a {@code HashMap}. Where several keys of one operation are equal and their order
 * would count, their values are equal, too.
 *
 * @param <K> their keys
 */
record MapFuzz<K>(MapDoor.Kind<K> kind) implements FuzzSubject {

  private static final List<String> OPERATIONS =
      List.of(
          "insert",
          "insert",
          "insertOrAssign",
          "insertAndFind",
          "insertIf",
          "insertLarger",
          "insertOrApply",
          "insertOrApply",
          "find",
          "contains",
          "findLarger",
          "single",
          "single",
          "beside",
          "view",
          "entries",
          "clear",
          "rehash",
          "runOn",
          "saveAndLoad",
          "interrupted",
          "scarce",
          "closed");

  @Override
  public String name() {
    return kind.name();
  }

  @Override
  public List<String> operations() {
    return OPERATIONS;
  }

  @Override
  public Run start(long seed, FuzzSetting setting) {
    return new MapRun<>(kind, seed, setting);
  }
}
