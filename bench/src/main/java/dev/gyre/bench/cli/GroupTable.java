package dev.gyre.bench.cli;

import dev.gyre.datasets.CsvFormat;
import dev.gyre.structures.group.GroupColumn;
import dev.gyre.structures.group.RowNumbers;
import java.io.IOException;
import java.io.Writer;
import java.nio.channels.FileChannel;
import java.util.ArrayList;
import java.util.List;

/** Writes groups to a file, as CSV or JSON. */
abstract sealed class GroupTable {

  record Key(String name, GroupColumn values) {}

  record Value(Aggregation of, GroupColumn values) {}

  final List<Key> keys = new ArrayList<>();
  final List<Value> values = new ArrayList<>();

  void addKey(String name, GroupColumn column) {
    keys.add(new Key(name, column));
  }

  void add(Aggregation of, GroupColumn column) {
    values.add(new Value(of, column));
  }

  /** Writes some rows in their order. */
  abstract void print(RowNumbers rows, FileChannel file) throws IOException;

  static final class OfCsv extends GroupTable {
    private final CsvBytes out;

    OfCsv(CsvFormat format) {
      this.out = new CsvBytes(format);
    }

    @Override
    void print(RowNumbers rows, FileChannel file) throws IOException {
      keys.forEach(key -> out.add(key.name()));
      values.forEach(value -> out.add(value.of().text()));
      out.endRecord();
      for (long i = 0; i < rows.size(); i++) {
        add(rows.get(i));
        if (out.isFull()) {
          out.writeTo(file);
        }
      }
      out.writeTo(file);
    }

    private void add(long row) {
      for (Key key : keys) {
        if (key.values().isNull(row)) {
          out.addNull();
        } else {
          out.add(key.values().bytes(row));
        }
      }
      for (Value value : values) {
        if (value.values().isNull(row)) {
          out.addNull();
        } else {
          out.addNumber(value.of().value(value.values(), row));
        }
      }
      out.endRecord();
    }
  }

  static final class OfJson extends GroupTable {

    @Override
    void print(RowNumbers rows, FileChannel file) throws IOException {
      Writer out = Outputs.text(file);
      out.write("[");
      for (long i = 0; i < rows.size(); i++) {
        out.write(i == 0 ? "\n" : ",\n");
        out.write(object(rows.get(i)));
      }
      out.write("\n]\n");
      out.flush();
    }

    private String object(long row) {
      List<String> fields = new ArrayList<>();
      for (Key key : keys) {
        boolean isNull = key.values().isNull(row);
        fields.add(field(key.name(), isNull ? "null" : Json.of(key.values().text(row))));
      }
      for (Value value : values) {
        String number = value.values().isNull(row) ? "null" : value.of().value(value.values(), row);
        // Neither NaN nor an infinity is a number of JSON.
        boolean isWord = Character.isLetter(number.charAt(number.length() - 1));
        fields.add(
            field(value.of().text(), isWord && !number.equals("null") ? Json.of(number) : number));
      }
      return "{" + String.join(", ", fields) + "}";
    }

    private static String field(String name, String value) {
      return Json.of(name) + ": " + value;
    }
  }
}
