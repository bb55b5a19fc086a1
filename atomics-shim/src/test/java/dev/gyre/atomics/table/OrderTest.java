package dev.gyre.atomics.table;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gyre.atomics.OrderNames;
import org.junit.jupiter.api.Test;

final class OrderTest {

  @Test
  void generatedNamesFollowTheTable() {
    assertThat(OrderNames.ACQ_REL).isEqualTo(Order.ACQ_REL.suffix());
  }

  @Test
  void testsRunOnTheProjectsJdk() {
    assertThat(Runtime.version().feature()).isGreaterThanOrEqualTo(25);
  }
}
