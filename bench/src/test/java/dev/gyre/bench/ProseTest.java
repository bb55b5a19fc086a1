package dev.gyre.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * README, CONTRIBUTING, the pages of docs and the Javadoc of some packages are in plain English,
 * and names of types use the words of docs/glossary.md.
 */
class ProseTest {

  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

  /** Folders of sources whose Javadoc is checked; generators have Javadoc in their texts. */
  private static final List<String> CHECKED_SOURCES =
      List.of(
          "atomics-shim/src/main/java",
          "atomics-shim/src/generator/java",
          "atomics-shim/tornadovm/src/main/java",
          "bench/compare/src/main/java",
          "bench/spark/src/main/java",
          "bench/src/main/java",
          "bench/user-project/src/main/java",
          "datasets/generators/src/main/java",
          "datasets/src/main/java",
          "datasets/gutenberg/src/main/java",
          "progress/litmus/src/main/java",
          "progress/src/main/java",
          "structures/spark/src/main/java",
          "structures/src/main/java",
          "tornado-kernels/src/generator/java",
          "tornado-kernels/src/main/java",
          "tornado-kernels/tornadovm/src/generator/java",
          "tornado-kernels/tornadovm/src/main/java");

  private static final int MAX_PARAGRAPH_WORDS = 100;
  private static final int MAX_SENTENCE_WORDS = 40;

  /** Phrases that hide the actor, and words that the glossary replaces. */
  private static final List<Pattern> BANNED =
      Stream.of(
              "who(?:ever|mever)",
              "who (?:asks?|begins?|calls?|comes?|finds?|gets?|gives?|had|has|holds?|is|knows?)",
              "who (?:looks?|makes?|meets?|needs?|owns?|runs?|takes?|touch(?:es)?|uses?|waits?)",
              "who (?:wants?|writes?|drops?|arrives?|keeps?|else)",
              "nobody",
              "those (?:that|which|who|of|from|with|to|are|were|is)",
              "and those",
              "one after the other",
              "what is said",
              "is told",
              "are told",
              "tells? of",
              "comes? by",
              "in vain",
              "by regions",
              "turnstile",
              "the gate",
              "ungated",
              "sole (?:owner|writer|operation)s?",
              "own code",
              "kept kernels",
              "payoff",
              "spilled",
              "forged",
              "mend(?:s|ed|ing)?",
              "twins?",
              "worth it",
              "reckon(?:s|ed|ing)?",
              "to be had",
              "beside(?! each| the (?:key|value))",
              "may be none",
              "there is none")
          .map(phrase -> Pattern.compile("\\b(?:" + phrase + ")\\b", Pattern.CASE_INSENSITIVE))
          .toList();

  /** Words in names of types that the glossary replaces. */
  private static final Pattern BANNED_NAME =
      Pattern.compile(
          "(?:^|(?<=[a-z0-9]))(?:Apart|Beside|Forged|Gated?|Held|Hold|Learnt|Leaving|Mend|Owned"
              + "|Patience|Payoff|Residence|Room|Sole|Spilled|Told|Together|Turnstile|Twins?"
              + "|Ungated|Vain)(?![a-z])|^(?:Kept|Waking)(?=[A-Z])");

  private static final Pattern TYPE =
      Pattern.compile("\\b(?:class|enum|interface|record) ([A-Z]\\w+)");

  private static final Pattern CODE = Pattern.compile("`[^`]*`");
  private static final Pattern LINK = Pattern.compile("\\[([^]]*)\\]\\([^)]*\\)");
  private static final Pattern SENTENCE_END = Pattern.compile("(?<=[.!?:])[)*]*\\s+");
  private static final Pattern WHO = Pattern.compile("^\\W*Who\\b(?!.*\\?)");
  private static final Pattern ITEM = Pattern.compile("\\s*(?:[-*]|\\d+\\.)\\s+.*");

  private static final Pattern JAVADOC = Pattern.compile("/\\*\\*(.*?)\\*/", Pattern.DOTALL);
  private static final Pattern JAVADOC_MARGIN = Pattern.compile("(?m)^ *\\* ?");
  private static final Pattern JAVADOC_BLOCK =
      Pattern.compile("(?s)<(pre|table)>.*?</\\1>|\\{@(?:code|link|linkplain|value)\\b[^}]*}");
  private static final Pattern JAVADOC_BREAK =
      Pattern.compile("\\n\\s*\\n|<p>|</?ul>|<li>|\\n(?=@\\w)");

  @Test
  void pagesArePlainEnglish() throws IOException {
    List<String> found = new ArrayList<>();
    for (Path page : pages()) {
      for (String paragraph : paragraphs(Files.readAllLines(page))) {
        faults(paragraph).forEach(fault -> found.add(ROOT.relativize(page) + ": " + fault));
      }
    }
    assertThat(found).isEmpty();
  }

  @Test
  void javadocIsPlainEnglish() throws IOException {
    List<String> found = new ArrayList<>();
    for (String folder : CHECKED_SOURCES) {
      try (Stream<Path> files = Files.walk(ROOT.resolve(folder))) {
        for (Path file : files.filter(f -> f.toString().endsWith(".java")).sorted().toList()) {
          for (String paragraph : javadoc(Files.readString(file))) {
            faults(paragraph).forEach(fault -> found.add(ROOT.relativize(file) + ": " + fault));
          }
        }
      }
    }
    assertThat(found).isEmpty();
  }

  @Test
  void namesOfTypesFollowTheGlossary() throws IOException {
    List<String> found = new ArrayList<>();
    try (Stream<Path> files = Files.walk(ROOT)) {
      List<Path> sources =
          files
              .filter(file -> file.toString().endsWith(".java"))
              .filter(file -> !ROOT.relativize(file).toString().contains("target"))
              .filter(file -> !file.endsWith("ProseTest.java"))
              .toList();
      assertThat(sources).hasSizeGreaterThan(500);
      for (Path file : sources) {
        typesWithBannedWords(Files.readString(file))
            .forEach(name -> found.add(ROOT.relativize(file) + ": " + name));
      }
    }
    assertThat(found).isEmpty();
  }

  @Test
  void bannedWordsInNamesOfTypesAreFound() {
    assertThat(
            typesWithBannedWords(
                "class OwnedKeys { record Told() {} enum TaskRoom {} interface Wholesale {}}"
                    + " class Roomy {} class Ownership {} class KeptNodes {} class Bookkept {}"))
        .containsExactly("OwnedKeys", "Told", "TaskRoom", "KeptNodes");
  }

  private static List<String> typesWithBannedWords(String source) {
    return TYPE.matcher(source)
        .results()
        .map(type -> type.group(1))
        .filter(name -> BANNED_NAME.matcher(name).find())
        .toList();
  }

  @Test
  void paragraphsOfJavadocAreFound() {
    String source =
        """
        /**
         * Reads {@code whoever}, or {@linkplain Who
         * nobody}.
         *
         * <pre>{@code who(has)}</pre>
         *
         * <ul>
         *   <li>Whoever asks.
         * </ul>
         *
         * @throws Who if not
         */
        int read(); // who has
        """;
    assertThat(javadoc(source))
        .containsExactly("Reads C, or C.", "C", "Whoever asks.", "@throws Who if not");
    assertThat(javadoc(source)).anyMatch(paragraph -> !faults(paragraph).isEmpty());
  }

  @Test
  void faultsAreFound() {
    assertThat(faults("Who owns a slot reaches it. It is read by whoever wants it."))
        .containsExactlyInAnyOrder(
            "\"who owns\" in: Who owns a slot reaches it. It is read by whoever wants it.",
            "\"whoever\" in: Who owns a slot reaches it. It is read by whoever wants it.",
            "begins with Who: Who owns a slot reaches it.");
    assertThat(faults("word ".repeat(41) + ". " + "x y. ".repeat(30)))
        .extracting(fault -> fault.substring(0, 8))
        .containsExactly("41 words", "101 word");
    assertThat(faults("A `twin` of code and [a link](the/gate.md) are no prose.")).isEmpty();
    assertThat(
            paragraphs(
                List.of("One", "line.", "- Item", "", "| who has | table |", "```", "x", "```")))
        .containsExactly("One line.", "- Item");
  }

  private static List<Path> pages() throws IOException {
    try (Stream<Path> docs = Files.list(ROOT.resolve("docs"));
        Stream<Path> decisions = Files.list(ROOT.resolve("docs/decisions"))) {
      return Stream.of(
              Stream.of(ROOT.resolve("README.md"), ROOT.resolve("CONTRIBUTING.md")),
              docs,
              decisions)
          .flatMap(pages -> pages)
          .filter(page -> page.toString().endsWith(".md"))
          .sorted()
          .toList();
    }
  }

  /** What is wrong with a paragraph. */
  private static List<String> faults(String paragraph) {
    String text = LINK.matcher(CODE.matcher(paragraph).replaceAll("C")).replaceAll("$1");
    List<String> faults = new ArrayList<>();
    for (Pattern banned : BANNED) {
      banned
          .matcher(text)
          .results()
          .forEach(
              hit -> faults.add('"' + hit.group().toLowerCase(Locale.ROOT) + "\" in: " + text));
    }
    for (String sentence : SENTENCE_END.splitAsStream(text).toList()) {
      if (WHO.matcher(sentence).find()) {
        faults.add("begins with Who: " + sentence);
      }
      if (words(sentence) > MAX_SENTENCE_WORDS) {
        faults.add(words(sentence) + " words in a sentence: " + sentence);
      }
    }
    if (words(text) > MAX_PARAGRAPH_WORDS) {
      faults.add(words(text) + " words in a paragraph: " + text);
    }
    return faults;
  }

  /** Paragraphs, items and tags of the Javadoc of a source, each in one line. */
  private static List<String> javadoc(String source) {
    return JAVADOC
        .matcher(source)
        .results()
        .map(comment -> JAVADOC_MARGIN.matcher(comment.group(1)).replaceAll(""))
        .map(text -> JAVADOC_BLOCK.matcher(text).replaceAll("C"))
        .flatMap(JAVADOC_BREAK::splitAsStream)
        .map(paragraph -> paragraph.replaceAll("</?\\w+>", "").replaceAll("\\s+", " ").strip())
        .filter(paragraph -> !paragraph.isEmpty())
        .toList();
  }

  private static int words(String text) {
    return (int) Stream.of(text.split("\\s+")).filter(word -> word.matches(".*\\w.*")).count();
  }

  /** Paragraphs and items of lists, each in one line; without headings, tables and code. */
  private static List<String> paragraphs(List<String> lines) {
    List<String> paragraphs = new ArrayList<>();
    StringBuilder paragraph = new StringBuilder();
    boolean fenced = false;
    for (String line : lines) {
      boolean fence = line.strip().startsWith("```");
      boolean prose = !fenced && !fence && !line.isBlank() && !line.matches("(?: {4,}| *\\||#).*");
      if (!prose || ITEM.matcher(line).matches()) {
        if (!paragraph.isEmpty()) {
          paragraphs.add(paragraph.toString());
        }
        paragraph.setLength(0);
      }
      if (prose) {
        paragraph.append(paragraph.isEmpty() ? "" : " ").append(line.strip());
      }
      fenced ^= fence;
    }
    if (!paragraph.isEmpty()) {
      paragraphs.add(paragraph.toString());
    }
    return paragraphs;
  }
}
