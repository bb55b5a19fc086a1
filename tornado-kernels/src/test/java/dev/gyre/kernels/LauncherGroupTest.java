package dev.gyre.kernels;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gyre.atomics.ClosedException;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A group says what it consists of, and runs nothing by itself. */
class LauncherGroupTest {

  private static final LaunchShape ONE = LaunchShape.ofThreads(1);

  @Test
  void aGroupHasThePartsOfItsLaunchers() {
    JvmLauncher one = JvmLauncher.ofWorkers(1);
    JvmLauncher two = JvmLauncher.ofWorkers(2);
    JvmLauncher three = JvmLauncher.ofWorkers(3);
    try (Launcher all = LauncherGroup.of(List.of(one, LauncherGroup.of(List.of(two, three))))) {
      assertThat(all.parts()).containsExactly(one, two, three);
      assertThat(all.device().units()).isEqualTo(6);
      assertThat(all.device().name()).isEqualTo("3 devices: " + one.device().name());
    }
    for (Launcher part : List.of(one, two, three)) {
      assertThatThrownBy(() -> part.run((_, _) -> {}, ONE)).isInstanceOf(ClosedException.class);
    }
  }

  @Test
  void oneLauncherIsNoGroup() {
    try (JvmLauncher one = JvmLauncher.ofWorkers(1)) {
      assertThat(LauncherGroup.of(List.of(one))).isSameAs(one);
      assertThatThrownBy(() -> LauncherGroup.of(List.of(one, one)))
          .isInstanceOf(IllegalArgumentException.class);
    }
    assertThatThrownBy(() -> LauncherGroup.of(List.of()))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void aKernelIsRefused() {
    try (Launcher all =
        LauncherGroup.of(List.of(JvmLauncher.ofWorkers(1), JvmLauncher.ofWorkers(1)))) {
      assertThatThrownBy(() -> all.run((_, _) -> {}, ONE))
          .isInstanceOf(LaunchException.class)
          .hasMessageContaining("parts()");
    }
  }
}
