package dev.gyre.structures.group;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gyre.structures.arrow.ArrowColumns;
import dev.gyre.structures.map.Columns;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.foreign.Arena;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The examples of two packages compile, do what they say, and stand there as they stand here. */
class PackageExamplesTest {

  private static final Path SOURCES = Path.of("src");

  /** At least the size of an ArrowArray and of an ArrowSchema. */
  private static final long STRUCT_BYTES = 80;

  private static void groupSales() {
    // begin
    Batch sales =
        new Batch(3)
            .texts("city", List.of("Oslo", "Bonn", "Oslo"))
            .numbers("amount", Columns.longs(new long[] {4, 5, 2}));
    try (GroupBy groups = GroupBy.on("city").count().sum("amount")) {
      groups.add(sales); // any number of batches, from any number of threads
      try (Groups result = groups.result();
          RowNumbers order = result.order(Groups.By.descending("sum(amount)"))) {
        GroupColumn city = result.column("city");
        GroupColumn sum = result.column("sum(amount)");
        for (long i = 0; i < order.size(); i++) {
          System.out.println(city.text(order.get(i)) + " " + sum.getLong(order.get(i)));
        }
      }
    }
    // end
  }

  private static void groupArrow(long arrayAddress, long schemaAddress) {
    // begin
    try (ArrowColumns sales = ArrowColumns.importFrom(arrayAddress, schemaAddress);
        GroupBy groups = GroupBy.on("city").sum("amount")) {
      groups.add(Batch.of(sales));
      try (Groups result = groups.result()) {
        result.exportTo(arrayAddress, schemaAddress); // the import has emptied both structs
      }
    }
    // end
  }

  @Test
  void groups() {
    PrintStream before = System.out;
    ByteArrayOutputStream printed = new ByteArrayOutputStream();
    System.setOut(new PrintStream(printed, true, StandardCharsets.UTF_8));
    try {
      groupSales();
    } finally {
      System.setOut(before);
    }
    assertThat(printed.toString(StandardCharsets.UTF_8).lines())
        .containsExactly("Oslo 6", "Bonn 5");
  }

  @Test
  void arrow() {
    try (Arena arena = Arena.ofConfined();
        GroupBy sales = GroupBy.on("city", "amount")) {
      long array = arena.allocate(STRUCT_BYTES, Long.BYTES).address();
      long schema = arena.allocate(STRUCT_BYTES, Long.BYTES).address();
      sales.add(
          new Batch(3)
              .texts("city", List.of("Oslo", "Oslo", "Bonn"))
              .numbers("amount", Columns.longs(new long[] {4, 2, 5})));
      try (Groups all = sales.result()) {
        all.exportTo(array, schema);
      }
      groupArrow(array, schema);
      try (ArrowColumns sums = ArrowColumns.importFrom(array, schema)) {
        assertThat(sums.names()).containsExactly("city", "sum(amount)");
        assertThat(sums.rows()).isEqualTo(2);
      }
    }
  }

  @Test
  void packagesHaveThisCode() throws IOException {
    Matcher marks =
        Pattern.compile("// begin\n(.*?) *// end", Pattern.DOTALL)
            .matcher(
                Files.readString(
                    SOURCES.resolve(
                        "test/java/dev/gyre/structures/group/PackageExamplesTest.java")));
    for (String name : List.of("group", "arrow")) {
      assertThat(marks.find()).isTrue();
      String example = marks.group(1).stripTrailing().stripIndent().replaceAll("(?m)^", " * ");
      assertThat(
              Files.readString(
                  SOURCES.resolve("main/java/dev/gyre/structures/" + name + "/package-info.java")))
          .contains("<pre>{@code\n" + example + "\n * }</pre>");
    }
  }
}
