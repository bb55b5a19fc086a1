package dev.gyre.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Lists what must stay few: the linear probes of tables in hand-written sources, and the public
 * types that users of maps and words meet. A new layout or operation shares the loops that exist.
 * If a loop or type goes, it goes here, too.
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
          "slot \\+ 1 == (?:freshSlots|of\\.slots\\(\\)|slots) \\?"
              + "|\\bplace = (?:first|begin);|= after\\(place,|slot \\+= other");

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
                // Texts and records: single keys, and the move of records.
                Map.entry("RecordEntries", 2),
                Map.entry("TextKey", 1),
                Map.entry("TextReader", 2)));
  }

  /** Packages that users of maps and words import from. */
  private static final Pattern OF_USERS =
      Pattern.compile("dev\\.gyre\\.structures\\.(?:map|trie)\\.[A-Z][\\w$]*");

  private static final Pattern DECLARED =
      Pattern.compile(
          "(?:public|protected).*? (?:class|enum|interface|record) (dev\\.gyre[\\w.$]+)");

  private static final Pattern PARAGRAPH = Pattern.compile("\\n\\n");

  private static final Pattern TYPE = Pattern.compile("dev\\.gyre[\\w.]*\\.[A-Z][\\w$]*");

  @Test
  void usersOfMapsAndWordsMeetFewTypes() throws IOException {
    assertThat(names(api().keySet().stream().filter(type -> OF_USERS.matcher(type).matches())))
        .containsExactlyInAnyOrder(
            // Structures, and how they are built.
            "IntIntMap",
            "IntLongMap",
            "IntSet",
            "LongIntMap",
            "LongLongMap",
            "LongSet",
            "MapBuilder",
            "RecordMap",
            "RecordSchema",
            "TextCombiner",
            "TextLongMap",
            "TextSet",
            "WordTrie",
            "WordTrieBuilder",
            // Arguments.
            "Apply",
            "BulkOptions",
            "Changes",
            "Columns",
            "Columns$ColumnType",
            "IntIntConsumer",
            "IntLongConsumer",
            "Ints",
            "Layout",
            "LongIntConsumer",
            "LongLongConsumer",
            "Longs",
            "TextKeys",
            "Words",
            // Results.
            "Cursor",
            "FindCounts",
            "InsertCounts",
            "MapFullException",
            "Outcome",
            "StuckException",
            "WordCount");
  }

  @Test
  void signaturesOfMapsAndWordsMentionFewOtherTypes() throws IOException {
    Map<String, String> api = api();
    assertThat(
            names(
                api.entrySet().stream()
                    .filter(type -> OF_USERS.matcher(type.getKey()).matches())
                    .flatMap(type -> TYPE.matcher(type.getValue()).results())
                    .map(MatchResult::group)
                    .filter(type -> api.containsKey(type) && !OF_USERS.matcher(type).matches())))
        .containsExactlyInAnyOrder(
            // Strategies that users write.
            "EntryPredicate",
            "EntryVisitor",
            "Fold",
            "Hash",
            "RealFold",
            "RecordEquality",
            "RecordHash",
            "RecordPredicate",
            "RecordVisitor",
            "TextHash",
            "TextPredicate",
            "TextVisitor",
            // Settings and sources.
            "Alphabet",
            "ByteProgress",
            "NodeSize",
            "TextSource",
            "Waiting",
            // Devices, and structures in kernels.
            "Launchable",
            "Launcher",
            "Memory",
            "RecordMapRef",
            "Stage",
            "StructureStats",
            "TextColumn",
            "TrieRef",
            // The parent of exceptions.
            "GyreException");
  }

  /** Returns the public types of docs/api, each with its members; PublicApiTest compares them. */
  private static Map<String, String> api() throws IOException {
    Map<String, String> types = new TreeMap<>();
    try (Stream<Path> modules = Files.list(ROOT.resolve("docs/api"))) {
      for (Path module : modules.toList()) {
        for (String type : PARAGRAPH.splitAsStream(Files.readString(module)).toList()) {
          Matcher declared = DECLARED.matcher(type);
          if (declared.find()) {
            types.put(declared.group(1), type);
          }
        }
      }
    }
    return types;
  }

  private static Set<String> names(Stream<String> types) {
    return types
        .map(type -> type.substring(type.lastIndexOf('.') + 1))
        .collect(Collectors.toCollection(TreeSet::new));
  }
}
