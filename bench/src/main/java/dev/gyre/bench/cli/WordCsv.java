package dev.gyre.bench.cli;

import dev.gyre.datasets.OutputFile;
import dev.gyre.structures.trie.WordTrie;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.function.Predicate;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVPrinter;

/** Writes words and their counts as CSV: header {@code word,count}, words in byte order. */
final class WordCsv {

  private static final CSVFormat FORMAT =
      CSVFormat.RFC4180.builder().setHeader("word", "count").setRecordSeparator("\n").get();

  private WordCsv() {}

  /** Writes the words that are wanted. */
  static OutputFile.Content of(WordTrie trie, Predicate<String> wanted) {
    return file -> print(trie, wanted, new CSVPrinter(Outputs.text(file), FORMAT));
  }

  private static void print(WordTrie trie, Predicate<String> wanted, CSVPrinter printer)
      throws IOException {
    trie.forEach(
        w -> {
          try {
            if (wanted.test(w.word())) {
              printer.printRecord(w.word(), w.count());
            }
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        });
    printer.flush();
  }
}
