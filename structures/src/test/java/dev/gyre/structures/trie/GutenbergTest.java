package dev.gyre.structures.trie;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.gyre.datasets.TextFiles;
import dev.gyre.kernels.trie.Alphabet;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Real books, where a folder of them is: system property gyre.books, else beside the checkout. */
@Tag("slow")
class GutenbergTest {

  /** The ten books of the blog, in its order. */
  private static final List<String> TEN =
      List.of(
          "2600-0.txt",
          "2701-0.txt",
          "35-0.txt",
          "84-0.txt",
          "8800.txt",
          "pg1727.txt",
          "pg55.txt",
          "pg6130.txt",
          "pg996.txt",
          "1342-0.txt");

  private final Path books =
      Path.of(System.getProperty("gyre.books", "../../shared/gutenberg")).toAbsolutePath();

  @BeforeEach
  void needsBooks() {
    assumeTrue(
        TEN.stream().allMatch(name -> Files.exists(books.resolve(name))),
        "skipped: no books in " + books + "; -Dgyre.books=FOLDER names another folder");
  }

  @Test
  void theTenBooksGiveTheKnownNumbers() throws IOException {
    Path[] ten = TEN.stream().map(books::resolve).toArray(Path[]::new);
    Map<String, Long> expected = sequential(List.of(ten));
    for (int deviceThreads : new int[] {1, 2, 3, 7, 64, 1000}) {
      try (WordTrie trie = WordTrie.builder().deviceThreads(deviceThreads).build()) {
        trie.add(ten);
        assertThat(trie.total()).as("%d threads", deviceThreads).isEqualTo(1_976_457);
        assertThat(trie.size()).isEqualTo(38_541);
        assertThat(trie.nodes()).isEqualTo(98_461);
        assertThat(words(trie)).as("%d threads", deviceThreads).isEqualTo(expected);
      }
    }
  }

  @Test
  void allBooksAgreeWithASequentialCount() throws IOException {
    Path folder = books.toRealPath();
    List<Path> all;
    try (Stream<Path> files = Files.walk(folder)) {
      all = files.filter(f -> f.toString().endsWith(".txt")).sorted().toList();
    }
    assertThat(TextFiles.resolve(List.of(folder.toString()))).containsAll(all);
    try (WordTrie trie = WordTrie.create()) {
      trie.add(all.toArray(Path[]::new));
      assertThat(words(trie)).isEqualTo(sequential(all));
    }
  }

  @Test
  void allBooksAgreeWithASequentialCountOfUnicodeWords() throws IOException {
    List<Path> all = TextFiles.resolve(List.of(books.toString()));
    try (WordTrie one = unicode(1);
        WordTrie some = unicode(3);
        WordTrie many = unicode(1000)) {
      for (Path book : all) {
        Map<String, Long> expected = new TreeMap<>(ScriptText.sequential(Files.readAllBytes(book)));
        for (WordTrie trie : List.of(one, some, many)) {
          trie.clear().add(book);
          assertThat(words(trie)).as("%s", book).isEqualTo(expected);
        }
      }
    }
  }

  private static WordTrie unicode(int deviceThreads) {
    return WordTrie.builder()
        .alphabet(Alphabet.UNICODE_LETTERS)
        .deviceThreads(deviceThreads)
        .build();
  }

  @Test
  void theTenBooksHaveTheKnownUnicodeWords() throws IOException {
    Path[] ten = TEN.stream().map(books::resolve).toArray(Path[]::new);
    try (WordTrie trie = WordTrie.builder().alphabet(Alphabet.UNICODE_LETTERS).build()) {
      trie.add(ten);
      assertThat(trie.total()).isEqualTo(1_965_277);
      assertThat(trie.size()).isEqualTo(38_852);
      assertThat(trie.nodes()).isEqualTo(104_253);
    }
  }

  private static Map<String, Long> words(WordTrie trie) {
    Map<String, Long> words = new TreeMap<>();
    trie.forEach(w -> words.put(w.word(), w.count()));
    return words;
  }

  private static Map<String, Long> sequential(List<Path> files) throws IOException {
    ByteArrayOutputStream text = new ByteArrayOutputStream();
    for (Path file : files) {
      text.write(Files.readAllBytes(file));
      text.write('\n');
    }
    return WordTrieTest.sequential(text.toByteArray());
  }
}
