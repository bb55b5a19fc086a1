package dev.gyre.atomics.tornadovm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gyre.atomics.GyreException;
import dev.gyre.atomics.Memory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PayloadAlignmentTest {

  @ParameterizedTest
  @CsvSource({"16, 1, 64", "24, 1, 64", "32, 1, 64", "16, 32, 16", "24, 32, 8", "32, 32, 32"})
  void followsFromTheHeaderAndWhatIsAlignedBehindIt(long header, long aligned, long payload) {
    assertThat(PayloadAlignment.of(header, aligned)).isEqualTo(payload);
  }

  @ParameterizedTest
  @CsvSource({"16, 32", "24, 32", "32, 32", "16, 128", "24, 8"})
  void dividesEveryAddressThatSuchAnArrayMayHave(long header, long aligned) {
    long alignment = PayloadAlignment.of(header, aligned);
    for (long behind = aligned; behind < 64 * aligned; behind += aligned) {
      assertThat((behind - header + Memory.HEADER_BYTES) % alignment).isZero();
    }
  }

  @Test
  void aHeaderThatDoesNotFitIsRefused() {
    assertThatThrownBy(() -> PayloadAlignment.of(72, 1))
        .isInstanceOf(GyreException.class)
        .hasMessageContaining("72");
    assertThatThrownBy(() -> PayloadAlignment.of(20, 1)).isInstanceOf(GyreException.class);
  }
}
