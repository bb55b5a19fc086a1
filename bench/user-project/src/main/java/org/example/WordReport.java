package org.example;

import dev.gyre.structures.map.Apply;
import dev.gyre.structures.map.LongLongMap;
import dev.gyre.structures.trie.WordTrie;

/** Uses Gyre as its README shows it, from artifacts: a count of words and a map. */
public final class WordReport {

  private WordReport() {}

  /** Prints what the script expects. */
  public static void main(String[] args) {
    try (WordTrie trie = WordTrie.create();
        LongLongMap lengths = LongLongMap.create()) {
      trie.add("Call me Ishmael. Some years ago, never mind how long: call me again!");
      trie.top(2).forEach(w -> System.out.println(w.word() + " " + w.count()));
      trie.forEach(
          w ->
              lengths.insertOrApply(
                  new long[] {w.word().length()}, new long[] {w.count()}, Apply.ADD));
      System.out.println(lengths.getOrDefault(4, 0) + " words of four letters");
    }
  }
}
