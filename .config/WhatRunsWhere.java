import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.w3c.dom.Element;
import org.w3c.dom.Node;
import org.w3c.dom.NodeList;

/**
 * Writes which test class passed where, from reports of tests: {@code WhatRunsWhere.java ROOT
 * [FOLDER...]}. Reports of {@code scripts/device-check}, in Markdown, say device, driver and commit
 * themselves; those of Maven, in JUnit's XML, are of this machine and of the checkout that they are
 * in. A class keeps, for each target and device, the last report of it; classes that are no longer
 * in the sources go.
 */
final class WhatRunsWhere {

  private static final String DATA = "docs/results/what-runs-where.csv";
  private static final String PAGE = "docs/results/what-runs-where.md";
  private static final String COLUMNS =
      "target,device,with,commit,test,passed,failed,skipped,reasons";

  private static final Pattern DEVICE = Pattern.compile("# Device check: (.*), (\\w+)");
  private static final Pattern FACTS = Pattern.compile("(Driver .*), commit (\\S+?)\\. .*");
  private static final Pattern ROW =
      Pattern.compile(
          "\\| (\\w+).* \\| (passed|\\*\\*failed\\*\\*|skipped|not applicable)(?:: (.*))? \\|"
              + " -?\\d+ \\|");

  /** A field of CSV, quoted or not, with what ends it. */
  private static final Pattern FIELD = Pattern.compile("(?:\"((?:[^\"]|\"\")*)\"|([^,]*))(?:,|$)");

  private static final String BETWEEN = "; ";
  private static final int MOST_REASONS = 3;

  /** The folders of a machine in front of a name. */
  private static final String PATH = "(?<= )/(\\S+/)+";

  /**
   * Where tests ran.
   *
   * @param target as in {@code --target}
   * @param with driver, TornadoVM, Java
   */
  private record Place(String target, String device, String with, String commit) {}

  /**
   * How the tests of one class ended in one place.
   *
   * @param skipped tests that do not apply there, or whose data is not there
   * @param reasons why, each once, with semicolons between
   */
  private record Tested(
      Place place, String test, int passed, int failed, int skipped, String reasons) {

    static Tested of(List<String> f) {
      return new Tested(
          new Place(f.get(0), f.get(1), f.get(2), f.get(3)),
          f.get(4),
          Integer.parseInt(f.get(5)),
          Integer.parseInt(f.get(6)),
          Integer.parseInt(f.get(7)),
          f.get(8));
    }

    Tested plus(int morePassed, int moreFailed, int moreSkipped, String reason) {
      List<String> known = reasons.isEmpty() ? List.of() : List.of(reasons.split(BETWEEN, -1));
      String why = reason.strip().replaceAll("\\s+", " ").replace('|', '/').replace(BETWEEN, ", ");
      why = why.replaceFirst("^Assumption failed: ", "").replaceAll(PATH, "").strip();
      boolean isNew = !why.isEmpty() && !known.contains(why) && known.size() < MOST_REASONS;
      return new Tested(
          place,
          test,
          passed + morePassed,
          failed + moreFailed,
          skipped + moreSkipped,
          isNew ? reasons + (reasons.isEmpty() ? "" : BETWEEN) + why : reasons);
    }

    boolean isOutdatedBy(Tested newer) {
      return test.equals(newer.test)
          && place.target.equals(newer.place.target)
          && place.device.equals(newer.place.device);
    }

    String line() {
      return Stream.of(
              place.target,
              place.device,
              place.with,
              place.commit,
              test,
              passed,
              failed,
              skipped,
              reasons)
          .map(String::valueOf)
          .map(f -> f.matches("[^,\"]*") ? f : '"' + f.replace("\"", "\"\"") + '"')
          .collect(Collectors.joining(","));
    }

    /** For a table: tests that passed, and in brackets those that do not apply. */
    String cell() {
      String applied = failed == 0 ? "" + passed : passed + ", **" + failed + " failed**";
      return skipped == 0 ? applied : applied + " (" + skipped + ")";
    }
  }

  private final Path root;

  /** The folder of the module that each test class is in. */
  private final Map<String, String> modules = new HashMap<>();

  private final List<Tested> all = new ArrayList<>();
  private final StringBuilder page = new StringBuilder();

  private WhatRunsWhere(Path root) throws IOException {
    this.root = root;
    try (Stream<Path> files = Files.walk(root)) {
      for (Path file : files.map(root::relativize).toList()) {
        String name = file.toString();
        if (name.endsWith(".java") && name.contains("src/test/java")) {
          modules.put(
              file.getFileName().toString().replace(".java", ""),
              name.replaceAll("/src/test/java/.*", ""));
        }
      }
    }
    Path data = root.resolve(DATA);
    if (Files.exists(data)) {
      for (String line : Files.readAllLines(data).subList(1, (int) Files.lines(data).count())) {
        List<String> fields = new ArrayList<>();
        Matcher field = FIELD.matcher(line);
        while (fields.size() < COLUMNS.split(",").length && field.find()) {
          fields.add(
              field.group(1) == null ? field.group(2) : field.group(1).replace("\"\"", "\""));
        }
        add(Tested.of(fields));
      }
    }
  }

  public static void main(String[] args) throws IOException {
    WhatRunsWhere what = new WhatRunsWhere(Path.of(args[0]));
    for (String folder : List.of(args).subList(1, args.length)) {
      what.read(Path.of(folder));
    }
    what.write();
  }

  private void add(Tested newer) {
    if (modules.containsKey(newer.test)) {
      all.removeIf(older -> older.isOutdatedBy(newer));
      all.add(newer);
    }
  }

  /** Reads all reports in a folder and those below. */
  private void read(Path folder) throws IOException {
    int before = all.size();
    List<Path> reports;
    try (Stream<Path> files = Files.walk(folder)) {
      reports = files.filter(Files::isRegularFile).sorted().toList();
    }
    for (Path file : reports) {
      String name = file.getFileName().toString();
      if (name.matches("TEST-.*\\.xml")) {
        add(ofXml(file));
      } else if (name.matches("\\w+-(?:tests|fuzz)\\.md")) {
        ofMarkdown(Files.readAllLines(file)).forEach(this::add);
      }
    }
    System.out.println(folder + ": " + (all.size() - before) + " more test classes");
  }

  private static Iterable<Tested> ofMarkdown(List<String> lines) {
    Map<String, Tested> classes = new LinkedHashMap<>();
    Matcher device = DEVICE.matcher(lines.isEmpty() ? "" : lines.getFirst());
    Matcher facts = FACTS.matcher(lines.size() < 3 ? "" : lines.get(2));
    if (device.matches() && facts.matches()) {
      Place place = new Place(device.group(2), device.group(1), facts.group(1), facts.group(2));
      for (String line : lines) {
        Matcher row = ROW.matcher(line);
        if (row.matches()) {
          String test = row.group(1);
          Tested known = classes.getOrDefault(test, new Tested(place, test, 0, 0, 0, ""));
          String reason = row.group(3) == null ? "" : row.group(3);
          classes.put(
              test,
              switch (row.group(2)) {
                case "passed" -> known.plus(1, 0, 0, "");
                case "**failed**" -> known.plus(0, 1, 0, "");
                default -> known.plus(0, 0, 1, reason);
              });
        }
      }
    }
    return classes.values();
  }

  private static Tested ofXml(Path file) throws IOException {
    Element suite;
    try {
      suite =
          DocumentBuilderFactory.newDefaultInstance()
              .newDocumentBuilder()
              .parse(file.toFile())
              .getDocumentElement();
    } catch (Exception e) {
      throw new IOException(file + " is no report of JUnit: " + e.getMessage(), e);
    }
    Map<String, String> properties = new HashMap<>();
    for (Element property : elements(suite, "property")) {
      properties.put(property.getAttribute("name"), property.getAttribute("value"));
    }
    Place place =
        new Place(
            properties.getOrDefault("gyre.target", "jvm")
                + (properties.containsKey("gyre.group") ? ", as a group" : ""),
            processor() + ", " + Runtime.getRuntime().availableProcessors() + " cores",
            "Java " + properties.getOrDefault("java.runtime.version", "unknown"),
            commit(Path.of(properties.getOrDefault("user.dir", "."))));
    int skipped = count(suite, "skipped");
    int failed = count(suite, "failures") + count(suite, "errors");
    Tested tested =
        new Tested(
            place,
            suite.getAttribute("name").replaceAll(".*\\.|\\$.*", ""),
            count(suite, "tests") - skipped - failed,
            failed,
            skipped,
            "");
    for (Element each : elements(suite, "skipped")) {
      String message = each.getAttribute("message");
      boolean isKnown = !message.isEmpty() && !message.equals("null");
      tested = tested.plus(0, 0, 0, isKnown ? message : "what it assumes is not so");
    }
    return tested;
  }

  private static List<Element> elements(Element in, String name) {
    NodeList found = in.getElementsByTagName(name);
    List<Element> elements = new ArrayList<>();
    for (int i = 0; i < found.getLength(); i++) {
      Node node = found.item(i);
      elements.add((Element) node);
    }
    return elements;
  }

  private static int count(Element suite, String name) {
    String number = suite.getAttribute(name);
    return number.isEmpty() ? 0 : Integer.parseInt(number);
  }

  private static String processor() throws IOException {
    Path info = Path.of("/proc/cpuinfo");
    if (Files.exists(info)) {
      for (String line : Files.readAllLines(info)) {
        if (line.startsWith("model name")) {
          return line.substring(line.indexOf(':') + 1).strip().replace(',', ' ');
        }
      }
    }
    return System.getProperty("os.arch");
  }

  private static String commit(Path checkout) throws IOException {
    if (!Files.isDirectory(checkout)) {
      return "unknown";
    }
    Process git =
        new ProcessBuilder("git", "describe", "--always", "--dirty", "--exclude", "*")
            .directory(checkout.toFile())
            .redirectErrorStream(true)
            .start();
    String answer = new String(git.getInputStream().readAllBytes()).strip();
    return answer.matches("[0-9a-f]+(-dirty)?") ? answer : "unknown";
  }

  private void write() throws IOException {
    all.sort(
        Comparator.comparing((Tested t) -> modules.get(t.test))
            .thenComparing(Tested::test)
            .thenComparing(Tested::line));
    Files.writeString(
        root.resolve(DATA),
        Stream.concat(Stream.of(COLUMNS), all.stream().map(Tested::line))
            .map(line -> line + '\n')
            .collect(Collectors.joining()));
    page();
    Files.writeString(root.resolve(PAGE), page);
  }

  private void heading(String title) {
    page.append(page.isEmpty() ? "# " : "\n## ").append(title).append("\n\n");
  }

  /** A row of a table. */
  private void row(List<String> cells) {
    page.append("| ").append(String.join(" | ", cells)).append(" |\n");
  }

  private void head(List<String> cells) {
    row(cells);
    page.append("|").append("---|".repeat(cells.size())).append('\n');
  }

  private void page() {
    Map<Place, String> letters = new LinkedHashMap<>();
    all.stream()
        .map(Tested::place)
        .distinct()
        .sorted(
            Comparator.comparing((Place p) -> !p.target.startsWith("jvm"))
                .thenComparing(Place::target)
                .thenComparing(Place::device)
                .thenComparing(Place::commit)
                .thenComparing(Place::with))
        .forEach(place -> letters.put(place, letters(letters.size())));
    heading("What runs where");
    page.append(
        """
        Every test class, and where its tests passed, written by `scripts/what-runs-where` from reports of
        tests. A number is of tests that passed; in brackets, of those that do not apply there, for a
        reason below. No number: the class has not run there, most often because it needs no device. The
        same as data: [what-runs-where.csv](what-runs-where.csv).
        """);
    heading("Runs");
    head(
        Arrays.asList(
            "",
            "target",
            "device",
            "with",
            "commit",
            "classes",
            "passed",
            "failed",
            "not applicable"));
    letters.forEach(
        (place, letter) -> {
          List<Tested> in = all.stream().filter(t -> t.place.equals(place)).toList();
          row(
              List.of(
                  letter,
                  place.target,
                  place.device,
                  place.with,
                  place.commit,
                  "" + in.size(),
                  "" + in.stream().mapToInt(Tested::passed).sum(),
                  "" + in.stream().mapToInt(Tested::failed).sum(),
                  "" + in.stream().mapToInt(Tested::skipped).sum()));
        });
    new TreeSet<>(modules.values()).forEach(module -> table(module, letters));
    reasons(letters);
  }

  /** A to Z, then AA, AB and so on. */
  private static String letters(int index) {
    int letters = 'Z' - 'A' + 1;
    String before = index < letters ? "" : letters(index / letters - 1);
    return before + (char) ('A' + index % letters);
  }

  /** The classes of a module. */
  private void table(String module, Map<Place, String> letters) {
    Map<String, Map<Place, Tested>> classes = new TreeMap<>();
    for (Tested t : all) {
      if (module.equals(modules.get(t.test))) {
        classes.computeIfAbsent(t.test, _ -> new HashMap<>()).put(t.place, t);
      }
    }
    if (classes.isEmpty()) {
      return;
    }
    heading(module);
    head(Stream.concat(Stream.of("test"), letters.values().stream()).toList());
    classes.forEach(
        (test, places) ->
            row(
                Stream.concat(
                        Stream.of(test),
                        letters.keySet().stream()
                            .map(p -> places.containsKey(p) ? places.get(p).cell() : ""))
                    .toList()));
  }

  /** Why tests do not apply, and which. */
  private void reasons(Map<Place, String> letters) {
    Map<List<String>, List<String>> tests = new LinkedHashMap<>();
    letters.forEach(
        (place, letter) ->
            all.stream()
                .filter(t -> t.place.equals(place) && t.skipped > 0)
                .sorted(Comparator.comparing(Tested::test))
                .forEach(
                    t ->
                        tests
                            .computeIfAbsent(List.of(letter, t.reasons), _ -> new ArrayList<>())
                            .add(t.test)));
    if (!tests.isEmpty()) {
      heading("Not applicable");
      head(List.of("", "reason", "tests"));
      tests.forEach(
          (reason, of) -> row(List.of(reason.get(0), reason.get(1), String.join(", ", of))));
    }
  }
}
