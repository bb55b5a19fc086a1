package dev.gyre.bench.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.gyre.datasets.BadInputException;
import dev.gyre.datasets.CsvNames;
import dev.gyre.structures.group.GroupColumn;
import dev.gyre.structures.group.RowNumbers;
import java.io.IOException;
import java.io.Writer;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Writes groups to a file, as CSV or JSON. */
record GroupTable(List<Field> fields) {

  /**
   * Column of the output.
   *
   * @param of expression of the values; null for a key
   */
  record Field(String name, GroupColumn values, @Nullable Aggregation of) {

    private void print(long row, CsvBytes to) {
      if (values.isNull(row)) {
        to.addNull();
      } else if (of == null) {
        to.add(values.bytes(row));
      } else {
        to.add(of.value(values, row));
      }
    }

    /** Throws an exception if the key of a row is not UTF-8, so that JSON cannot hold it. */
    private void requireText(long row) {
      if (of == null) {
        String text = values.text(row);
        if (values.bytes(row).mismatch(MemorySegment.ofArray(text.getBytes(UTF_8))) >= 0) {
          throw new BadInputException(
              "key \"%s\" of column \"%s\"".formatted(CsvNames.shown(text), name),
              "not valid UTF-8, which JSON requires; CSV keeps it: omit --json");
        }
      }
    }

    private String json(long row) {
      return Json.of(name) + ": " + (values.isNull(row) ? "null" : jsonValue(row));
    }

    private String jsonValue(long row) {
      if (of == null) {
        return Json.of(values.text(row));
      }
      String number = of.value(values, row);
      // Neither NaN nor an infinity is a number of JSON.
      return Character.isLetter(number.charAt(number.length() - 1)) ? Json.of(number) : number;
    }
  }

  /** Writes some rows in their order. */
  void printCsv(RowNumbers rows, CsvBytes out, FileChannel file) {
    fields.forEach(field -> out.add(field.name));
    out.endRecord();
    for (long i = 0; i < rows.size(); i++) {
      long row = rows.get(i);
      fields.forEach(field -> field.print(row, out));
      out.endRecord(file);
    }
    out.writeTo(file);
  }

  /** Writes some rows in their order as an array of objects. */
  void printJson(RowNumbers rows, FileChannel file) throws IOException {
    // All keys are checked before the first row is written.
    for (long i = 0; i < rows.size(); i++) {
      long row = rows.get(i);
      fields.forEach(field -> field.requireText(row));
    }
    Writer out = Outputs.text(file);
    out.write("[");
    for (long i = 0; i < rows.size(); i++) {
      long row = rows.get(i);
      out.write(i == 0 ? "\n" : ",\n");
      out.write(
          fields.stream()
              .map(field -> field.json(row))
              .collect(Collectors.joining(", ", "{", "}")));
    }
    out.write("\n]\n");
    out.flush();
  }
}
