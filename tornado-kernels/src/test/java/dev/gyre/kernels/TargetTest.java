package dev.gyre.kernels;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class TargetTest {

  @Test
  void labelsAreFound() {
    for (Target target : Target.values()) {
      assertThat(Target.ofLabel(target.label())).isEqualTo(target);
    }
    assertThat(Target.PTX.label()).isEqualTo("ptx");
  }

  @Test
  void anUnknownLabelNamesTheKnownOnes() {
    assertThatThrownBy(() -> Target.ofLabel("metal"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("'metal'")
        .hasMessageContaining("jvm, opencl, ptx, cuda");
  }
}
