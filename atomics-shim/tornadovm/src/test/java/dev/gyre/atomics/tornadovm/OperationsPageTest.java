package dev.gyre.atomics.tornadovm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.gyre.atomics.table.ElementType;
import dev.gyre.atomics.table.Fence;
import dev.gyre.atomics.table.Operation;
import dev.gyre.atomics.table.OperationKind;
import dev.gyre.atomics.table.OperationTable;
import dev.gyre.atomics.table.Scope;
import dev.gyre.atomics.table.Space;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * docs/atomics.md has a line for each operation, fence, function and arithmetic, and the parts of
 * texts that it shows are in the texts.
 */
class OperationsPageTest {

  private static final List<String> LANGUAGES = List.of("ptx", "opencl", "inline-ptx", "cuda");

  /** What a line of the page tells of: its texts in a language. */
  private final Map<String, Function<Syntax, List<String>>> rows = new LinkedHashMap<>();

  private void addOperations(String name, OperationKind kind, Space space, ElementType... types) {
    List<Operation> all =
        OperationTable.operations().stream()
            .filter(o -> o.kind() == kind && o.space() == space && o.scope() != Scope.THREAD)
            .filter(o -> Arrays.asList(types).contains(o.type()))
            .toList();
    assertThat(all).as(name).isNotEmpty();
    rows.put(name, syntax -> all.stream().map(syntax::operation).toList());
  }

  private void addRows() {
    ElementType[] whole = {ElementType.INT, ElementType.LONG};
    ElementType[] floating = {ElementType.FLOAT, ElementType.DOUBLE};
    for (OperationKind kind : OperationKind.values()) {
      String name = "`" + kind.method() + "`";
      boolean updates = kind.method().startsWith("fetch");
      boolean both = kind.isOn(ElementType.FLOAT) && !updates;
      if (kind.composite()) {
        rows.put(name, _ -> List.of());
      } else {
        addOperations(name, kind, Space.GLOBAL, both ? ElementType.values() : whole);
      }
      if (kind == OperationKind.FETCH_ADD) {
        for (ElementType type : floating) {
          String of = name + " of " + type.primitive() + "s";
          addOperations(of, kind, Space.GLOBAL, type);
          addOperations(of + " that a block shares", kind, Space.SHARED, type);
        }
      } else if (updates && kind.isOn(ElementType.FLOAT)) {
        addOperations(name + " of floats and doubles", kind, Space.GLOBAL, floating);
      }
    }
    List<Fence> fences =
        OperationTable.fences().stream().filter(f -> f.scope() != Scope.THREAD).toList();
    rows.put("`Fences`", syntax -> fences.stream().map(syntax::fence).toList());
    rows.put("`SharedInts.of(n)` and so on", syntax -> List.of(syntax.shared(0, Long.BYTES)));
    for (PlainFunction f : PlainFunction.values()) {
      String parameters =
          f.parameters().stream().map(Class::getSimpleName).collect(Collectors.joining(", "));
      rows.put("`" + f + "(" + parameters + ")`", syntax -> List.of(syntax.function(f)));
    }
    for (Arithmetic what : Arithmetic.values()) {
      rows.put(
          java(what), syntax -> Arrays.stream(floating).map(t -> text(syntax, what, t)).toList());
    }
  }

  private static String java(Arithmetic what) {
    return switch (what) {
      case ADD -> "`x + y`";
      case SUBTRACT -> "`x - y`";
      case MULTIPLY -> "`x * y`";
      case DIVIDE -> "`x / y`";
      case REMAINDER -> "`x % y`";
      case MIN -> "`Math.min(x, y)`";
      case MAX -> "`Math.max(x, y)`";
      case SQRT -> "`Math.sqrt(x)`";
      case ABS -> "`Math.abs(x)`";
      case NEGATE -> "`-x`";
      case LESS -> "`x < y`";
      case NOT_GREATER_OR_EQUAL -> "`!(x >= y)`";
      case EQUAL -> "`x == y`";
      case TO_INT -> "`(int) x`";
      case TO_LONG -> "`(long) x`";
      case OF_INT -> "of an int";
      case OF_LONG -> "of a long";
      case OF_OTHER -> "of a number of the other width";
      case BITS -> "its bits";
      case OF_BITS -> "of bits";
    };
  }

  private static String text(Syntax syntax, Arithmetic what, ElementType type) {
    try {
      return syntax.arithmetic(what, type);
    } catch (UnsupportedByDeviceException e) {
      return "refused: " + e.getMessage();
    }
  }

  /** The cells of each line, by the first. */
  private static Map<String, List<String>> page() throws IOException {
    Optional<Path> page =
        Stream.of("", "..", "../..")
            .map(folder -> Path.of(folder, "docs", "atomics.md"))
            .filter(Files::exists)
            .findFirst();
    assumeTrue(page.isPresent(), "there are no docs where this runs");
    Map<String, List<String>> lines = new LinkedHashMap<>();
    for (String line : Files.readAllLines(page.orElseThrow())) {
      if (line.startsWith("| ") && line.contains("`")) {
        List<String> cells = new ArrayList<>(Arrays.asList(line.split(" *\\| *", -1)));
        cells.removeFirst();
        cells.removeLast();
        String name = cells.removeFirst().replace(", by bits", "");
        assertThat(lines.put(name, cells)).as(name).isNull();
      }
    }
    return lines;
  }

  @Test
  void thePageHasALineForEachRowAndShowsItsTexts() throws IOException {
    addRows();
    Map<String, List<String>> page = page();
    // It has no method of its own on devices.
    assertThat(page.remove("`Lanes.broadcast` of each type")).isNotNull();
    assertThat(page.keySet()).containsExactlyInAnyOrderElementsOf(rows.keySet());
    page.forEach(
        (name, cells) -> {
          for (int i = 0; i < LANGUAGES.size(); i++) {
            String cell = cells.get(cells.size() - LANGUAGES.size() + i);
            for (String text :
                Objects.requireNonNull(rows.get(name)).apply(SyntaxTest.syntax(LANGUAGES.get(i)))) {
              check(name + " in " + LANGUAGES.get(i), cell, text);
            }
          }
        });
  }

  private static void check(String what, String cell, String text) {
    assertThat(text.startsWith("refused: ")).as(what).isEqualTo(cell.startsWith("refused: "));
    if (cell.startsWith("refused: ")) {
      assertThat(text).as(what).endsWith(cell.substring("refused: ".length()));
      return;
    }
    String described = cell.replaceAll("(, since|: it has|; the value).*", "");
    Pattern.compile("`([^`]+)`")
        .matcher(described)
        .results()
        .forEach(
            code -> {
              String parts =
                  Arrays.stream(code.group(1).split("…", -1))
                      .map(Pattern::quote)
                      .collect(Collectors.joining(".*"));
              assertThat(text).as(what).containsPattern(parts);
            });
  }
}
