package dev.gyre.atomics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.OptionalLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SettingsTest {

  private static final String PROPERTY = "gyre.test.setting";

  @AfterEach
  void clear() {
    System.clearProperty(PROPERTY);
    System.clearProperty(MemoryBudget.PROPERTY);
  }

  @Test
  void whatIsNotSetIsNone() {
    assertThat(Settings.bytes(PROPERTY)).isEqualTo(OptionalLong.empty());
    assertThat(Settings.time(PROPERTY)).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "1, 1",
    "50000000, 50000000",
    "7b, 7",
    "3k, 3072",
    "3K, 3072",
    "3kb, 3072",
    "3KiB, 3072",
    "5m, 5242880",
    "5 MB, 5242880",
    "5MiB, 5242880",
    "2g, 2147483648",
    "2GB, 2147483648",
    "2GiB, 2147483648",
    "1t, 1099511627776",
    "1TiB, 1099511627776",
    "8388607t, 9223370937343148032",
    "999999999999999999, 999999999999999999",
  })
  void sizesHaveUnits(String value, long bytes) {
    System.setProperty(PROPERTY, value);
    assertThat(Settings.bytes(PROPERTY)).hasValue(bytes);
  }

  @ParameterizedTest
  @CsvSource({
    "1, 1000000",
    "120s, 120000000",
    "250ms, 250000",
    "10us, 10",
    "2m, 120000000",
    "2 min, 120000000",
    "3H, 10800000000",
  })
  void timesHaveUnits(String value, long micros) {
    System.setProperty(PROPERTY, value);
    assertThat(Settings.time(PROPERTY)).contains(Duration.of(micros, ChronoUnit.MICROS));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " ",
        "0",
        "0g",
        "-1",
        "-5m",
        "+5m",
        "2x",
        "g",
        "1.5g",
        "1e9",
        "0x10",
        "2gg",
        "1g2",
        "٣m",
        "8388608t",
        "9999999999999999999",
        "99999999999999999999999"
      })
  void whatIsNotUnderstoodIsSaidToBeSo(String value) {
    System.setProperty(PROPERTY, value);
    assertThatThrownBy(() -> Settings.bytes(PROPERTY))
        .isInstanceOf(SettingException.class)
        .hasMessageContaining("-D" + PROPERTY + "=" + value)
        .hasMessageContaining("k, m, g or t");
    assertThatThrownBy(() -> Settings.time(PROPERTY))
        .isInstanceOf(SettingException.class)
        .hasMessageContaining("us, ms, s, min or h");
  }

  @Test
  void aLimitOfMemoryIsKeptHoweverSmallItIs() {
    System.setProperty(MemoryBudget.PROPERTY, "100k");
    MemoryBudget budget = new MemoryBudget();
    budget.take(60 << 10);
    assertThatThrownBy(() -> budget.take((40 << 10) + 1))
        .isInstanceOf(MemoryExhaustedException.class)
        .hasMessageContaining("61440 of 102400 bytes are in use")
        .hasMessageContaining(MemoryBudget.PROPERTY);
    budget.take(40 << 10);
    assertThatThrownBy(() -> budget.take(1)).isInstanceOf(MemoryExhaustedException.class);
    assertThatThrownBy(() -> budget.take(Long.MAX_VALUE))
        .isInstanceOf(MemoryExhaustedException.class);
    budget.giveBack(100 << 10);
    budget.take(100 << 10);
  }

  @Test
  void aLimitOfMemoryThatIsNotUnderstoodIsAnErrorOfEveryAllocation() {
    System.setProperty(MemoryBudget.PROPERTY, "plenty");
    MemoryBudget budget = new MemoryBudget();
    for (int i = 0; i < 2; i++) {
      assertThatThrownBy(() -> budget.take(1))
          .isInstanceOf(SettingException.class)
          .hasMessageContaining("-Dgyre.memory.limit=plenty");
    }
  }

  @Test
  void withoutALimitTheMachineSaysIt() {
    MemoryBudget budget = new MemoryBudget();
    budget.take(64 << 20);
    budget.take(1);
    assertThatThrownBy(() -> budget.take(1L << 60)).isInstanceOf(MemoryExhaustedException.class);
    budget.giveBack((64 << 20) + 1);
  }
}
