package dev.gyre.structures.fuzz;

import dev.gyre.structures.map.Layout;
import dev.gyre.structures.map.MapAdapter;
import dev.gyre.structures.map.TableType;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Maps against a {@code HashMap}. Where several keys of one operation are equal and their order
 * would count, their values are equal, too.
 *
 * @param mostKeys how many keys a step has at most
 * @param layouts of which the seed chooses one; if there are none, the type has its own
 */
record MapFuzz(TableType<?, ? extends MapAdapter> type, int mostKeys, List<Layout> layouts)
    implements FuzzTarget {

  /** Bytes of texts of a map of fixed capacity: more than the texts of a small map need. */
  private static final long FOR_TEXTS = 1 << 18;

  private static final List<String> OPERATIONS =
      FuzzTarget.words(
          """
          insert insert insert insertOrAssign insertOrAssign insertAndFind insertAndFind
          insertLarger insertOrApply insertOrApply insertOrApply fold find find contains
          findLarger removeAll removal removeLarger launchRemoval single single beside crowd async view larger visit launch clear
          rehash copyTo saveAndLoad damaged interrupted scarce full closed
          """);

  @Override
  public String name() {
    return type.name();
  }

  @Override
  public List<String> operations() {
    return OPERATIONS;
  }

  long key(long number) {
    return type.key().applyAsLong(number);
  }

  long value(long number) {
    return type.value().applyAsLong(number);
  }

  /** Whether keys can be removed from the map of a seed. */
  static boolean isRemovable(long seed) {
    return (seed & 1) == 0;
  }

  /** An empty map, with settings that the seed chooses. */
  MapAdapter create(long seed, FuzzSetting setting, @Nullable Long fixedCapacity) {
    return type.build(
        seed * 7,
        builder -> {
          builder.workers(setting.threads());
          if (!layouts.isEmpty()) {
            builder.layout(layouts.get((int) Long.remainderUnsigned(seed, layouts.size())));
          }
          if (setting.launcher() != null) {
            builder.launcher(setting.launcher());
          }
          if (isRemovable(seed)) {
            builder.removable();
          }
          if (fixedCapacity == null) {
            builder.capacity(1 + (seed & 0xff));
          } else {
            builder.fixedCapacity(fixedCapacity).textBytes(FOR_TEXTS);
          }
        });
  }

  @Override
  public Run start(long seed, FuzzSetting setting) {
    return new MapRun(this, seed, setting);
  }
}
