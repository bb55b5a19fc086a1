package dev.gyre.kernels.events;

import jdk.jfr.DataAmount;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.Timespan;

/**
 * A way was chosen to insert keys on a device, by what either takes with the rates measured there.
 */
@Name("dev.gyre.Choice")
@Label("Choice")
final class ChoiceEvent extends GyreEvent {

  @Label("Keys")
  long keys;

  @Label("Table")
  @DataAmount
  long table;

  @Label("Time one by one")
  @Timespan(Timespan.NANOSECONDS)
  long oneByOne;

  @Label("Time by regions")
  @Timespan(Timespan.NANOSECONDS)
  long byRegions;

  /** See {@link Span#chose}. */
  void chose(String way, long keys, long table, long oneByOne, long byRegions) {
    end();
    if (shouldCommit()) {
      this.keys = keys;
      this.table = table;
      this.oneByOne = oneByOne;
      this.byRegions = byRegions;
      finish(way);
    }
  }
}
