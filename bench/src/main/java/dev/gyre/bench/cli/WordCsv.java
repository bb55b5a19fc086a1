package dev.gyre.bench.cli;

import dev.gyre.structures.trie.WordTrie;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Predicate;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVPrinter;

/** Writes words and their counts as CSV: header {@code word,count}, words in byte order. */
final class WordCsv {

  private static final CSVFormat FORMAT =
      CSVFormat.RFC4180.builder().setHeader("word", "count").setRecordSeparator("\n").get();

  private WordCsv() {}

  /** Writes the file; where that fails, what was there before is unchanged. */
  static void write(WordTrie trie, Predicate<String> wanted, Path file) {
    OutputFile.write(file, to -> print(trie, wanted, to));
  }

  private static void print(WordTrie trie, Predicate<String> wanted, Path file) throws IOException {
    try (Writer writer = Files.newBufferedWriter(file, StandardCharsets.UTF_8);
        CSVPrinter printer = new CSVPrinter(writer, FORMAT)) {
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
    }
  }
}
