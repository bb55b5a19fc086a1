package dev.gyre.structures.map;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** An example, which is the text between the two marks. */
class MapExampleTest {

  @Test
  void tenLines() {
    // example
    int[] keys = {3, 1, 4, 1, 5};
    int[] values = {10, 20, 30, 40, 50};
    int[] found = new int[2];
    try (var map = IntIntMap.create()) {
      InsertCounts counts = map.insert(keys, values); // 4 inserted, 1 present
      map.insertOrApply(keys, values, Apply.ADD); // 1 -> 20 + 20 + 40, or 40 + 20 + 40
      FindCounts hits = map.find(new int[] {3, 7}, found); // 1 found, 1 absent
      map.forEach((key, value) -> System.out.println(key + " -> " + value));
      // end of example
      assertThat(counts).isEqualTo(new InsertCounts(4, 1, 0));
      assertThat(hits).isEqualTo(new FindCounts(1, 1));
      assertThat(found).containsExactly(20, 0);
      assertThat(map.getOrDefault(1, 0)).isIn(80, 100);
      assertThat(map.size()).isEqualTo(4);
    }
  }
}
