package dev.gyre.structures.fuzz;

import dev.gyre.datasets.BadInputException;
import dev.gyre.datasets.CsvColumn;
import dev.gyre.datasets.CsvFormat;
import dev.gyre.datasets.CsvRows;
import dev.gyre.datasets.CsvScanner;
import dev.gyre.datasets.TextSource;
import dev.gyre.structures.Checks;
import java.io.ByteArrayInputStream;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** CSV of a grammar, and with a byte changed or left out, which is read or refused by its line. */
record CsvFuzz() implements FuzzTarget {

  private static final List<String> FIELDS =
      List.of(
          "",
          "1",
          "-9223372036854775808",
          "a b",
          "a,b",
          "a;b|c\u00a6d\te",
          "\"",
          "\"\"",
          "x\ny",
          "\r\n",
          "\u00fc",
          " 7 ",
          "#");

  private static final List<String> ENDS = List.of("\n", "\r\n");

  /** Begins with a mark of its byte order. */
  private static final long MARKED = 1L << 24;

  private static final String SEPARATORS = ",;\t|#";

  /** In any order; the first is not asked for. */
  private static final List<List<String>> HEADERS =
      List.of(
          List.of("other", "key", "value"),
          List.of("key", "value", "other"),
          List.of("value", "\"other\"", "\"key\""));

  @Override
  public String name() {
    return "CsvScanner";
  }

  @Override
  public List<String> operations() {
    return List.of("read", "damaged");
  }

  @Override
  public Run start(long seed, FuzzSetting setting) {
    return new CsvRun();
  }

  private static final class CsvRun implements Run {

    @Override
    public void step(FuzzStep step) {
      List<List<String>> rows = new ArrayList<>();
      long first = step.first();
      char separator =
          SEPARATORS.charAt((int) Long.remainderUnsigned(first >>> 8, SEPARATORS.length()));
      int order = (int) Long.remainderUnsigned(first >>> 16, HEADERS.size());
      String between = String.valueOf(separator);
      // As some programs begin a file.
      StringBuilder text = new StringBuilder((first & MARKED) == 0 ? "" : "\ufeff");
      text.append(String.join(between, HEADERS.get(order)));
      for (int i = 0; i < step.keys().length; i++) {
        long bits = step.values()[i];
        List<String> row = new ArrayList<>();
        for (int column = 0; column < 3; column++) {
          row.add(FIELDS.get((int) Long.remainderUnsigned(bits >>> (8 * column), FIELDS.size())));
        }
        rows.add(List.of(row.get((4 - order) % 3), row.get((5 - order) % 3)));
        text.append(ENDS.get((int) (step.keys()[i] & 1)));
        text.append(
            String.join(between, row.stream().map(f -> written(f, separator, bits)).toList()));
      }
      byte[] bytes = text.toString().getBytes(StandardCharsets.UTF_8);
      if (step.operation().equals("read")) {
        Checks.same("rows", rows, read(bytes, separator));
      } else {
        bytes[(int) Long.remainderUnsigned(first, bytes.length)] ^= (byte) (1 + (first & 0x7e));
        try {
          read(bytes, separator);
        } catch (BadInputException e) {
          Checks.same(
              "names line or reason", true, String.valueOf(e.getMessage()).contains("fuzz.csv"));
        }
      }
    }

    /** Quoted where it must be, and now and then where it need not. */
    private static String written(String field, char separator, long bits) {
      boolean must =
          field.matches("(?s).*[\"\r\n].*|\\s.*|.*\\s")
              || field.indexOf(separator) >= 0
              || field.isEmpty();
      return must || (bits & 1L << 40) != 0 ? '"' + field.replace("\"", "\"\"") + '"' : field;
    }

    private static List<List<String>> read(byte[] bytes, char separator) {
      List<List<String>> rows = new ArrayList<>();
      long _ =
          CsvScanner.of(
                  TextSource.ofStream("fuzz.csv", new ByteArrayInputStream(bytes)),
                  CsvFormat.RFC4180.separatedBy(separator))
              .threads(1)
              .scan(
                  _ -> List.of(CsvColumn.text("key"), CsvColumn.text("value")),
                  () ->
                      of -> {
                        for (int row = 0; row < of.count(); row++) {
                          rows.add(List.of(text(of, 0, row), text(of, 1, row)));
                        }
                      });
      return rows;
    }

    private static String text(CsvRows of, int column, int row) {
      long offset = of.offsets(column)[row];
      byte[] bytes =
          of.bytes().asSlice(offset, of.lengths(column)[row]).toArray(ValueLayout.JAVA_BYTE);
      return new String(bytes, StandardCharsets.UTF_8);
    }

    @Override
    public void close() {
      // Nothing is kept.
    }
  }
}
