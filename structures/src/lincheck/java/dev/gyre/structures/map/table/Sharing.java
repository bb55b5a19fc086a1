package dev.gyre.structures.map.table;

/** Has threads take room of a table ahead, as they do once two have met there. */
public final class Sharing {

  private Sharing() {}

  /** From now on, until the table is replaced. */
  public static void begin(FixedTable table) {
    var _ = table.share();
  }
}
