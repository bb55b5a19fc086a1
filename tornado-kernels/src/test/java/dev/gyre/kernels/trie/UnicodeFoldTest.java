package dev.gyre.kernels.trie;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * That letters are the same which simple case folding makes equal. Since Unicode 15.1 these are all
 * pairs of code points whose full case foldings are equal; and full case folding is what the JDK's
 * mappings of whole strings, {@link String#toUpperCase(Locale)} and {@link
 * String#toLowerCase(Locale)}, lead to if they are applied until nothing changes.
 */
class UnicodeFoldTest {

  @Test
  void ofAllCodePointsThoseAreTheSameThatFoldToTheSame() {
    Map<String, Integer> writtenAs = new HashMap<>();
    Map<Integer, String> stoodFor = new HashMap<>();
    List<String> others = new ArrayList<>();
    for (int code = 0; code <= Character.MAX_CODE_POINT; code++) {
      // Turkish apart, the dotless small i is no i, though its upper case is that of i.
      if (UnicodeTable.letterOf(code) != 0 && code != 'ı') {
        int folded = UnicodeTable.fold(code);
        String full = fullFolding(code);
        if (writtenAs.merge(full, folded, (a, _) -> a) != folded
            || !stoodFor.merge(folded, full, (a, _) -> a).equals(full)) {
          others.add("U+%04X is U+%04X".formatted(code, folded));
        }
      }
    }
    assertThat(others).isEmpty();
    assertThat(writtenAs).hasSizeGreaterThan(100_000);
  }

  @Test
  void whatIsFoldedIsWrittenInLowerCaseAndStaysWhatItIs() {
    List<String> others = new ArrayList<>();
    for (int code = 0; code <= Character.MAX_CODE_POINT; code++) {
      int letter = UnicodeTable.letterOf(code);
      if (letter != 0 && code != 'İ') {
        int folded = UnicodeTable.fold(code);
        if (UnicodeTable.fold(folded) != folded
            || Character.toLowerCase(folded) != folded
            || Letter.steps(letter) != Letter.steps(UnicodeTable.letterOf(folded))) {
          others.add("U+%04X is U+%04X".formatted(code, folded));
        }
      }
    }
    assertThat(others).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "FB05, FB06", // long s with t, and st
    "1FD3, 0390", // iota with dialytika and oxia, and with tonos
    "1FE3, 03B0", // upsilon with both
    "13A0, AB70", // Cherokee A, which is written small
    "13F5, 13FD",
    "03C2, 03C3", // the sigmas
    "1E9E, 00DF", // the sharp s
    "212A, 006B", // the sign for kelvin
  })
  void areTheSame(String one, String other) {
    assertThat(UnicodeTable.fold(Integer.parseInt(one, 16)))
        .isEqualTo(Integer.parseInt(other, 16))
        .isEqualTo(UnicodeTable.fold(Integer.parseInt(other, 16)));
  }

  @Test
  void areNotTheSame() {
    assertThat(UnicodeTable.fold('İ')).isEqualTo('İ');
    assertThat(UnicodeTable.fold('ı')).isEqualTo('ı');
    assertThat(UnicodeTable.fold('I')).isEqualTo('i');
  }

  private static String fullFolding(int code) {
    String last = "";
    String full = Character.toString(code);
    while (!full.equals(last)) {
      last = full;
      full = full.toUpperCase(Locale.ROOT).toLowerCase(Locale.ROOT);
    }
    return full;
  }
}
