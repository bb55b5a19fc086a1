package dev.gyre.bench.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;

/** What {@code --help} prints fits on a terminal of 80 columns. */
class HelpTest {

  private static CommandLine all() {
    return new CommandLine(new Gyre());
  }

  static Stream<CommandLine> commands() {
    CommandLine gyre = all();
    return Stream.concat(Stream.of(gyre), gyre.getSubcommands().values().stream());
  }

  /** Lines are broken where they are full, so each paragraph is one text, and ends as one. */
  @ParameterizedTest
  @MethodSource("commands")
  void linesOfFootersAreWholeParagraphs(CommandLine command) {
    assertThat(command.getCommandSpec().usageMessage().footer())
        .allMatch(paragraph -> paragraph.isEmpty() || paragraph.matches("(gyre |[-A-Z]).*\\."));
  }

  @ParameterizedTest
  @MethodSource("commands")
  void exitCodesAreAllThatThereAre(CommandLine command) {
    assertThat(command.getCommandSpec().usageMessage().footer())
        .filteredOn(paragraph -> paragraph.startsWith("Exit codes:"))
        .allSatisfy(
            codes ->
                assertThat(codes)
                    .contains(" " + Gyre.OK + " ", " " + Gyre.FAILED + " ")
                    .contains(" " + Gyre.BAD_USAGE + " ", " " + Gyre.BROKEN_PIPE + " "));
  }

  @ParameterizedTest
  @MethodSource("commands")
  void noLineIsWider(CommandLine command) {
    assertThat(command.getUsageMessage().lines()).allMatch(line -> line.length() <= 80);
  }

  @ParameterizedTest
  @MethodSource("commands")
  void versionIsThatOfGyre(CommandLine command) {
    assertThat(command.getCommandSpec().version()).containsExactly(new Gyre.Version().getVersion());
  }

  @Test
  void theMapsFooterIsBrokenWhereItIsFull() {
    CommandLine map = Objects.requireNonNull(all().getSubcommands().get("map"));
    assertThat(map.getUsageMessage())
        .contains(
            "Files are CSV in UTF-8, or gzip of it, and - is standard input. Their first row\n"
                + "names the columns; columns other than");
  }
}
