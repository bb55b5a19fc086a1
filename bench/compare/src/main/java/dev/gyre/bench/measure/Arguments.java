package dev.gyre.bench.measure;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Arguments {@code name=value} of a measuring program. */
final class Arguments {

  private final Map<String, String> values = new HashMap<>();

  Arguments(String... arguments) {
    for (String argument : arguments) {
      String[] parts = argument.split("=", 2);
      if (parts.length != 2) {
        throw new IllegalArgumentException("not name=value: " + argument);
      }
      values.put(parts[0], parts[1]);
    }
  }

  /** The value of a name, or another where it is not given. */
  String text(String name, String otherwise) {
    return values.getOrDefault(name, otherwise);
  }

  int number(String name, int otherwise) {
    return Integer.parseInt(text(name, Integer.toString(otherwise)));
  }

  double real(String name, double otherwise) {
    return Double.parseDouble(text(name, Double.toString(otherwise)));
  }

  /** Values with commas between. */
  List<String> list(String name, String otherwise) {
    return Arrays.asList(text(name, otherwise).split(","));
  }

  List<Integer> numbers(String name, String otherwise) {
    return list(name, otherwise).stream().map(Integer::valueOf).toList();
  }
}
