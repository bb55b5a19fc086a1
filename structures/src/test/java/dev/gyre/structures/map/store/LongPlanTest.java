package dev.gyre.structures.map.store;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** What a key is reckoned to take, by which one worker does a bulk operation, or several. */
class LongPlanTest {

  /** That of 65,536 ints in a set, which two workers look up in less time than one. */
  @Test
  void aTableOfHalfAMebibyteIsNotOneOfTheNearest() {
    assertThat(LongPlan.nanos(1 << 19)).isGreaterThan(2 * LongPlan.nanos(1 << 15));
  }

  @Test
  void aKeyTakesLongerTheLargerTheTable() {
    assertThat(LongPlan.nanos(1 << 26)).isGreaterThan(LongPlan.nanos(1 << 19));
  }
}
