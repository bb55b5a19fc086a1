package dev.gyre.structures.map.work;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gyre.structures.OperationLock;
import dev.gyre.structures.OperationLock.Entry;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Short updates that meet others enter as shared ones for a while. */
class ShortUpdatesTest {

  private final OperationLock lock = new OperationLock("map");
  private final ShortUpdates updates = new ShortUpdates(lock);

  private boolean entersAlone() {
    Entry entry = updates.tryEnterExclusiveUpdate();
    if (entry != null) {
      entry.close();
    }
    return entry != null;
  }

  private void meet() {
    try (Entry _ = lock.enterUpdate()) {
      assertThat(entersAlone()).isFalse();
    }
  }

  /** How many short updates go beside others before one is alone, though no other is there. */
  private int besideOthers() {
    int beside = 0;
    while (!entersAlone()) {
      beside++;
    }
    return beside;
  }

  /** Otherwise threads whose updates are short would wait for each other again and again. */
  @Test
  void ofShortUpdatesNoneIsExclusiveForAWhileAfterTheyMet() {
    assertThat(entersAlone()).isTrue();
    meet();
    assertThat(entersAlone()).isFalse();
    Objects.requireNonNull(lock.tryEnterExclusiveUpdate(), "a long one").close();
    assertThat(besideOthers()).isBetween(2, 1000);
    assertThat(entersAlone()).isTrue();
  }

  /** Each time they meet again costs all of them a wait. */
  @Test
  void theMoreOftenShortUpdatesMeetTheLongerNoneIsExclusive() {
    meet();
    int first = besideOthers();
    meet();
    assertThat(besideOthers()).isEqualTo(2 * first);
    for (int i = 0; i < 100; i++) {
      meet();
      assertThat(besideOthers()).isLessThan(10_000);
    }
    for (int i = 0; i < 1000; i++) {
      assertThat(entersAlone()).isTrue();
    }
    meet();
    assertThat(besideOthers()).as("after it was alone for long").isLessThanOrEqualTo(first);
  }
}
