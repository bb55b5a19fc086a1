package dev.gyre.bench.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the command says to names that it does not know, and to none. */
class TypoTest {

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  private int run(String line) {
    String[] args = line.isEmpty() ? new String[0] : line.split(" ");
    return Gyre.run(new PrintWriter(out, true), new PrintWriter(err, true), args);
  }

  @ParameterizedTest
  @CsvSource({
    "wordcont a, no such command: 'wordcont'; did you mean wordcount?",
    "wordcount --tpo 5, no such option: '--tpo'; did you mean --top?",
    "wordcount --alfabet=unicode a, no such option: '--alfabet'; did you mean --alphabet?",
    "map --helpp, no such option: '--helpp'; did you mean --help?",
    "map a.csv --lokup b.csv --out c.csv, no such option: '--lokup'; did you mean --lookup?",
    "--versoin, no such option: '--versoin'; did you mean --version?",
    "devices --quite, no such option: '--quite'; did you mean --quiet?",
  })
  void theNearestNameIsTold(String line, String problem) {
    assertThat(run(line)).isEqualTo(Gyre.BAD_USAGE);
    assertThat(out.toString()).isEmpty();
    assertThat(err.toString().lines()).singleElement().asString().contains(problem, "--help)");
  }

  @ParameterizedTest
  @CsvSource({
    "xyzzy, no such command: 'xyzzy' (",
    "wordcount --xyzzy, no such option: '--xyzzy' (",
    "devices --no-heade, no such option: '--no-heade' (",
    "map a b --lookup c --out d, Unmatched argument at index 2: 'b' (",
    "map a, Missing required options: ",
  })
  void whatIsNearNothingIsToldAlone(String line, String problem) {
    assertThat(run(line)).isEqualTo(Gyre.BAD_USAGE);
    assertThat(err.toString().lines()).singleElement().asString().contains(problem);
  }

  @Test
  void withoutACommandThereIsTheHelp() {
    assertThat(run("")).isEqualTo(Gyre.OK);
    String help = out.toString();
    assertThat(err.toString()).isEmpty();
    assertThat(help).startsWith("Usage: gyre").contains("wordcount");
    out.getBuffer().setLength(0);
    assertThat(run("--help")).isEqualTo(Gyre.OK);
    assertThat(out.toString()).isEqualTo(help);
  }
}
