package dev.gyre.structures.map;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;

/** Updates of single keys beside operations that want none of them. */
class GateTest {

  /** Keeps what it was told. */
  private static final class Told extends Turnstile {
    private final List<Boolean> barred = new ArrayList<>();

    @Override
    void bar(boolean shut) {
      barred.add(shut);
      super.bar(shut);
    }
  }

  /**
   * One who found nobody inside must not let anybody in before it is inside itself: who enters in
   * between would be there beside it.
   */
  @ParameterizedTest
  @EnumSource(
      value = Gate.Mode.class,
      mode = Mode.INCLUDE,
      names = {"EXCLUSIVE", "QUIESCENT_READ"})
  void singleKeysStayBarredFromTheFirstLookOn(Gate.Mode mode) {
    Told singles = new Told();
    Gate gate = new Gate("map", singles);
    Consumer<Gate> enter =
        mode == Gate.Mode.EXCLUSIVE ? Gate::enterExclusive : Gate::enterQuiescentRead;
    enter.accept(gate);
    assertThat(singles.barred).isNotEmpty().doesNotContain(false);
    assertThat(singles.enter()).isEqualTo(Turnstile.BARRED);
    gate.leave(mode);
    assertThat(singles.barred.getLast()).isFalse();
    assertThat(singles.enter()).isNotEqualTo(Turnstile.BARRED);
  }
}
