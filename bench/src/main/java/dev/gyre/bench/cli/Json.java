package dev.gyre.bench.cli;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;

/** Parts of JSON texts. */
final class Json {

  private Json() {}

  /** An object, from names and values that alternate. */
  static String object(Object... namesAndValues) {
    return of(fields(namesAndValues));
  }

  /** Fields in their order, from names and values that alternate. */
  static Map<String, Object> fields(Object... namesAndValues) {
    Map<String, Object> fields = new LinkedHashMap<>();
    for (int i = 0; i < namesAndValues.length; i += 2) {
      fields.put(namesAndValues[i].toString(), namesAndValues[i + 1]);
    }
    return fields;
  }

  /** A map as an object, a number or truth value as it is, and all else as a string. */
  static String of(Object value) {
    return switch (value) {
      case Map<?, ?> fields ->
          fields.entrySet().stream()
              .map(field -> of(field.getKey()) + ": " + of(field.getValue()))
              .collect(Collectors.joining(", ", "{", "}"));
      case Number number -> number.toString();
      case Boolean truth -> truth.toString();
      default -> quoted(value.toString());
    };
  }

  /** A string, with escapes where JSON needs them. */
  private static String quoted(String text) {
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
