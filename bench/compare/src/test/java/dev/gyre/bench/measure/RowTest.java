package dev.gyre.bench.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.junit.jupiter.api.Test;

class RowTest {

  private static final Row.Work WORK = new Row.Work("a processor", 1000, 8000, 2, "keys/s");

  @Test
  void takesTheMedianAndTheSpread() {
    Row odd = Row.of("map-insert", "gyre", "jvm", WORK, "x=1", List.of(5_000L, 1_000L, 4_000L));
    assertThat(odd.median()).isEqualTo(4e-6);
    assertThat(odd.min()).isEqualTo(1e-6);
    assertThat(odd.max()).isEqualTo(5e-6);
    assertThat(odd.throughput()).isCloseTo(1000 / 4e-6, within(1.0));
    assertThat(odd.param("runs")).isEqualTo("3");
    Row even = Row.of("map-insert", "gyre", "jvm", WORK, "x=1", List.of(2_000L, 1_000L));
    assertThat(even.median()).isEqualTo(1.5e-6);
  }

  @Test
  void isReadFromTheLineThatItPrints() {
    Row row = Row.of("word-count", "gyre", "jvm", WORK, "a=1 b=2", List.of(100_000L)).at("abc");
    assertThat(Row.parseLine(row.line())).contains(row);
    Row silent = row.withoutThroughput();
    assertThat(Row.parseLine(silent.line()).orElseThrow().throughput()).isNaN();
  }

  @Test
  void otherOutputIsNoRow() {
    assertThat(Row.parseLine("")).isEmpty();
    assertThat(Row.parseLine(String.join(",", Row.COLUMNS))).isEmpty();
    assertThat(Row.parseLine("a,b,c,d,e,f,g,h,i,j,k,l,m")).isEmpty();
  }

  /** Programs in C++ print a row without a commit, and units in words of their own. */
  @Test
  void readsRowsOfOtherPrograms() {
    Row row =
        Row.parseLine("map-insert,talk-map (C++),cpu,X,10,80,1,load=0.5,1e-3,1e-3,2e-3,1e4,op/s")
            .orElseThrow()
            .at("abc");
    assertThat(row.unit()).isEqualTo("keys/s");
    assertThat(row.commit()).isEqualTo("abc");
    assertThat(row.param("load")).isEqualTo("0.5");
  }
}
