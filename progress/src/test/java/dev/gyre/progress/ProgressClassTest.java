package dev.gyre.progress;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Progress classes, and the guarantees that they need. */
class ProgressClassTest {

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
