package dev.gyre.bench.compare;

import java.io.IOException;
import java.io.StringReader;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;
import org.jspecify.annotations.Nullable;

/**
 * Reads reports of tests: those of {@code scripts/device-check}, in Markdown, which say device,
 * driver and commit themselves; and those of Maven, in JUnit's XML, which say nothing of either.
 */
final class TestReport {

  private static final Pattern DEVICE = Pattern.compile("# Device check: (.*), (\\w+)");
  private static final Pattern FACTS = Pattern.compile("(Driver .*), commit (\\S+?)\\. .*");
  private static final Pattern ROW =
      Pattern.compile(
          "\\| (\\w+).* \\| (passed|\\*\\*failed\\*\\*|skipped|not applicable)(?:: (.*))? \\|"
              + " -?\\d+ \\|");

  /** Surefire's names: TEST-dev.gyre.SomeTest.xml. */
  private static final Pattern XML = Pattern.compile("TEST-.*\\.xml");

  private static final Pattern MARKDOWN = Pattern.compile("\\w+-(?:tests|fuzz)\\.md");

  private TestReport() {}

  /**
   * All reports in a folder and those below.
   *
   * @param machine what this machine is, for reports that do not say
   * @param commit the commit of the checkout that a folder is in, for the same
   */
  static List<TestedClass> all(Path folder, String machine, Function<Path, String> commit) {
    List<TestedClass> all = new ArrayList<>();
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.filter(Files::isRegularFile).sorted().toList()) {
        String name = String.valueOf(file.getFileName());
        if (XML.matcher(name).matches()) {
          all.add(ofXml(Files.readString(file), machine, commit));
        } else if (MARKDOWN.matcher(name).matches()) {
          all.addAll(ofMarkdown(Files.readAllLines(file)));
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return all;
  }

  /** The classes of a report of {@code scripts/device-check}; none where it is of no device. */
  static List<TestedClass> ofMarkdown(List<String> lines) {
    Matcher device = DEVICE.matcher(lines.isEmpty() ? "" : lines.getFirst());
    Matcher facts = FACTS.matcher(lines.size() < 3 ? "" : lines.get(2));
    if (!device.matches() || !facts.matches()) {
      return List.of();
    }
    Map<String, TestedClass> classes = new HashMap<>();
    for (String line : lines) {
      Matcher row = ROW.matcher(line);
      if (row.matches()) {
        String test = row.group(1);
        TestedClass before =
            classes.getOrDefault(
                test,
                TestedClass.none(
                    new TestedClass.Place(
                        device.group(2), device.group(1), facts.group(1), facts.group(2)),
                    test));
        String reason = row.group(3) == null ? "" : row.group(3);
        classes.put(
            test,
            switch (row.group(2)) {
              case "passed" -> before.plus(1, 0, 0, "");
              case "**failed**" -> before.plus(0, 1, 0, "");
              default -> before.plus(0, 0, 1, reason);
            });
      }
    }
    return List.copyOf(classes.values());
  }

  /** The class of one of Maven's reports. */
  static TestedClass ofXml(String text, String machine, Function<Path, String> commit) {
    Map<String, String> properties = new HashMap<>();
    Map<String, String> suite = new HashMap<>();
    List<String> reasons = new ArrayList<>();
    try {
      XMLStreamReader xml =
          XMLInputFactory.newDefaultFactory().createXMLStreamReader(new StringReader(text));
      while (xml.hasNext()) {
        if (xml.next() == XMLStreamReader.START_ELEMENT) {
          switch (xml.getLocalName()) {
            case "testsuite" -> {
              for (int i = 0; i < xml.getAttributeCount(); i++) {
                suite.put(xml.getAttributeLocalName(i), xml.getAttributeValue(i));
              }
            }
            case "property" ->
                properties.put(
                    xml.getAttributeValue(null, "name"), xml.getAttributeValue(null, "value"));
            case "skipped" -> reasons.add(reason(xml.getAttributeValue(null, "message")));
            default -> {
              // Counts are of the suite.
            }
          }
        }
      }
    } catch (XMLStreamException e) {
      throw new IllegalArgumentException("not a report of JUnit: " + e.getMessage(), e);
    }
    int skipped = count(suite, "skipped");
    int failed = count(suite, "failures") + count(suite, "errors");
    String name = suite.getOrDefault("name", "");
    TestedClass tested =
        TestedClass.none(place(properties, machine, commit), name.replaceAll(".*\\.|\\$.*", ""))
            .plus(count(suite, "tests") - skipped - failed, failed, skipped, "");
    for (String reason : reasons) {
      tested = tested.plus(0, 0, 0, reason);
    }
    return tested;
  }

  private static String reason(@Nullable String message) {
    return message == null || message.equals("null") ? "what it assumes is not so" : message;
  }

  private static TestedClass.Place place(
      Map<String, String> properties, String machine, Function<Path, String> commit) {
    String group = properties.containsKey("gyre.group") ? ", as a group" : "";
    return new TestedClass.Place(
        properties.getOrDefault("gyre.target", "jvm") + group,
        machine,
        "Java " + properties.getOrDefault("java.runtime.version", "unknown"),
        commit.apply(Path.of(properties.getOrDefault("user.dir", "."))));
  }

  private static int count(Map<String, String> suite, String name) {
    return Integer.parseInt(suite.getOrDefault(name, "0"));
  }
}
