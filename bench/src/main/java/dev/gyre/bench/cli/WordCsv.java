package dev.gyre.bench.cli;

import dev.gyre.atomics.GyreException;
import dev.gyre.datasets.BadInputException;
import dev.gyre.structures.trie.WordTrie;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVPrinter;

/** Writes every word and its count as CSV: header {@code word,count}, words in byte order. */
final class WordCsv {

  private static final CSVFormat FORMAT =
      CSVFormat.RFC4180.builder().setHeader("word", "count").setRecordSeparator("\n").get();

  private WordCsv() {}

  /**
   * Refuses a file that could not be written, before any work is done.
   *
   * @throws BadInputException saying why
   */
  static void requireWritable(Path file) {
    Path folder = file.toAbsolutePath().getParent();
    if (Files.isDirectory(file)) {
      throw new BadInputException(file.toString(), "is a folder, not a file to write");
    }
    if (folder == null || !Files.isDirectory(folder)) {
      throw new BadInputException(file.toString(), "its folder does not exist");
    }
    if (!Files.isWritable(folder) && !Files.isWritable(file)) {
      throw new BadInputException(file.toString(), "not writable: permission denied");
    }
  }

  /** Writes the file; where that fails, what was there before is unchanged. */
  static void write(WordTrie trie, Path file) {
    try {
      if (Files.exists(file) && !Files.isRegularFile(file)) {
        // A pipe or a device: nothing to replace.
        print(trie, file);
      } else {
        Path folder = file.toAbsolutePath().getParent();
        Path unfinished = Files.createTempFile(folder, "." + file.getFileName(), ".part");
        try {
          print(trie, unfinished);
          Files.move(unfinished, file, StandardCopyOption.REPLACE_EXISTING);
        } finally {
          Files.deleteIfExists(unfinished);
        }
      }
    } catch (IOException | UncheckedIOException e) {
      throw new GyreException("cannot write " + file + ": " + e.getMessage(), e);
    }
  }

  private static void print(WordTrie trie, Path file) throws IOException {
    try (Writer writer = Files.newBufferedWriter(file, StandardCharsets.UTF_8);
        CSVPrinter printer = new CSVPrinter(writer, FORMAT)) {
      trie.forEach(
          w -> {
            try {
              printer.printRecord(w.word(), w.count());
            } catch (IOException e) {
              throw new UncheckedIOException(e);
            }
          });
    }
  }
}
