package dev.gyre.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Linear probes of tables, as hand-written sources have them: a new layout or operation shares the
 * loops that are there. If a loop goes, its number here goes down.
 */
class ProbeLoopsTest {

  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

  private static final List<String> SOURCES =
      List.of(
          "tornado-kernels/src/main/java/dev/gyre/kernels/map",
          "structures/src/main/java/dev/gyre/structures/map");

  /** How a probe goes to the next slot, from the last one to the first. */
  private static final Pattern NEXT =
      Pattern.compile(
          "slot \\+ 1 == slots \\?|\\bplace = (?:first|begin);|= after\\(place,|slot \\+= other");

  @Test
  void eachLayoutHasItsOwnAndNoMore() throws IOException {
    Map<String, Integer> loops = new TreeMap<>();
    for (String folder : SOURCES) {
      try (Stream<Path> files = Files.walk(ROOT.resolve(folder))) {
        for (Path file : files.filter(path -> path.toString().endsWith(".java")).toList()) {
          int found = (int) NEXT.matcher(Files.readString(file)).results().count();
          if (found > 0) {
            loops.put(file.getFileName().toString().replace(".java", ""), found);
          }
        }
      }
    }
    assertThat(loops)
        .containsExactlyInAnyOrderEntriesOf(
            Map.ofEntries(
                // On devices and in workers: batches and single keys.
                Map.entry("Insert", 1),
                Map.entry("Probe", 2),
                Map.entry("SingleKeys", 1),
                Map.entry("Move", 1),
                Map.entry("PartitionSlots", 1),
                // By address: single keys, and blocks with and without values.
                Map.entry("StateReader", 4),
                Map.entry("WordReader", 3),
                Map.entry("SetReader", 3),
                // By address, exclusively: blocks with and without outcomes.
                Map.entry("ExclusiveStateTable", 6),
                Map.entry("ExclusivePackedTable", 4),
                Map.entry("ExclusiveKeyTable", 4),
                // Texts: single keys.
                Map.entry("TextKey", 1),
                Map.entry("TextReader", 2)));
  }
}
