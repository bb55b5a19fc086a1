package dev.gyre.bench.cli;

import java.util.Collection;
import java.util.Comparator;

/**
 * Suggests a name for an unknown one. Picocli suggests only options that begin with the same two
 * letters, and nothing for {@code --tpo}.
 */
final class Typo {

  private Typo() {}

  /** The end of a message: the nearest name, if one is near enough to have been meant. */
  static String meant(String typed, Collection<String> names) {
    int letters = typed.replaceFirst("^-*", "").length();
    int mostChanges = Math.min(letters - 1, Math.max(2, letters / 3));
    return names.stream()
        .filter(name -> changes(typed, name) <= mostChanges)
        .min(Comparator.comparingInt(name -> changes(typed, name)))
        .map("; did you mean %s?"::formatted)
        .orElse("");
  }

  /** How many letters to insert, remove or replace lead from one text to the other: Levenshtein. */
  static int changes(String from, String to) {
    int[] row = new int[to.length() + 1];
    for (int j = 0; j <= to.length(); j++) {
      row[j] = j;
    }
    for (int i = 1; i <= from.length(); i++) {
      int diagonal = row[0];
      row[0] = i;
      for (int j = 1; j <= to.length(); j++) {
        int replaced = diagonal + (from.charAt(i - 1) == to.charAt(j - 1) ? 0 : 1);
        diagonal = row[j];
        row[j] = Math.min(replaced, 1 + Math.min(row[j], row[j - 1]));
      }
    }
    return row[to.length()];
  }
}
