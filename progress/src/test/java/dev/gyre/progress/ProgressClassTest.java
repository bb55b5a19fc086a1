package dev.gyre.progress;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** The table of Herlihy and Shavit, as the talk shows it. */
class ProgressClassTest {

  @Test
  void everyCellOfTheTableHasOneClass() {
    assertThat(Arrays.stream(ProgressClass.values()).map(c -> c.everyThread() + row(c)).distinct())
        .hasSize(ProgressClass.values().length);
  }

  private static String row(ProgressClass c) {
    return " " + c.blocking() + " " + c.dependsOnScheduler();
  }

  @Test
  void onlyBlockingClassesNeedParallelProgress() {
    for (ProgressClass c : ProgressClass.values()) {
      assertThat(Guarantee.WEAKLY_PARALLEL.suffices(c)).isEqualTo(!c.blocking());
      assertThat(Guarantee.PARALLEL.suffices(c)).isTrue();
      assertThat(Guarantee.CONCURRENT.suffices(c)).isTrue();
    }
    assertThat(ProgressClass.STARVATION_FREE.blocking()).isTrue();
    assertThat(ProgressClass.OBSTRUCTION_FREE.blocking()).isFalse();
  }

  @Test
  void labelsAreReadBack() {
    for (Guarantee g : Guarantee.values()) {
      assertThat(Guarantee.ofLabel(g.label())).isEqualTo(g);
    }
    assertThat(ProgressClass.LOCK_FREE.label()).isEqualTo("lock-free");
  }
}
