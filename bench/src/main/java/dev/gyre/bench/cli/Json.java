package dev.gyre.bench.cli;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.LinkedHashMap;
import java.util.List;
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

  /** A map as an object, a list, a number or truth value as it is, and all else as a string. */
  static String of(Object value) {
    return switch (value) {
      case Map<?, ?> fields ->
          fields.entrySet().stream()
              .map(field -> of(field.getKey()) + ": " + of(field.getValue()))
              .collect(Collectors.joining(", ", "{", "}"));
      case List<?> all -> all.stream().map(Json::of).collect(Collectors.joining(", ", "[", "]"));
      case Number number -> number.toString();
      case Boolean truth -> truth.toString();
      default -> quoted(value.toString());
    };
  }

  /** A number of some digits behind the point. */
  static BigDecimal rounded(double value, int digits) {
    return BigDecimal.valueOf(value).setScale(digits, RoundingMode.HALF_EVEN);
  }

  /** Returns JSON with escapes in place of characters outside ASCII. */
  static String ascii(String json) {
    return json.chars()
        .mapToObj(c -> c < 0x80 ? String.valueOf((char) c) : "\\u%04x".formatted(c))
        .collect(Collectors.joining());
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
