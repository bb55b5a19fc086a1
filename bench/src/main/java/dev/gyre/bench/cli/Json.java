package dev.gyre.bench.cli;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Parts of JSON texts. */
final class Json {

  private Json() {}

  /** An object of names and values; values are JSON already. */
  static String object(List<Map.Entry<String, String>> fields) {
    return fields.stream()
        .map(f -> quoted(f.getKey()) + ": " + f.getValue())
        .collect(Collectors.joining(", ", "{", "}"));
  }

  /** A string, with escapes where JSON needs them. */
  static String quoted(String text) {
    StringBuilder quoted = new StringBuilder("\"");
    text.chars()
        .forEach(
            c -> {
              if (c == '"' || c == '\\') {
                quoted.append('\\').append((char) c);
              } else if (c < ' ') {
                quoted.append("\\u%04x".formatted(c));
              } else {
                quoted.append((char) c);
              }
            });
    return quoted.append('"').toString();
  }
}
