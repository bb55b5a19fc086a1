package dev.gyre.datasets.gutenberg;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class GutenbergTextTest {

  private static final String BOOK = "THE BOOK\n\nIt begins.\n\n  It ends.\n";

  @ParameterizedTest
  @ValueSource(
      strings = {
        "*** START OF THE PROJECT GUTENBERG EBOOK A BOOK ***\n",
        "*** START OF THIS PROJECT GUTENBERG EBOOK A BOOK ***\n",
        "***START OF THE PROJECT GUTENBERG EBOOK A BOOK***\n",
        "*** Start of the Project Gutenberg EBook of A Book ***\n",
        "*** START OF THE PROJECT GUTENBERG EBOOK A BOOK OF A VERY LONG TITLE THAT\nGOES ON ***\n",
        "*** START OF THE PROJECT GUTENBERG EBOOK A BOOK\n",
        "*END*THE SMALL PRINT! FOR PUBLIC DOMAIN ETEXTS*Ver.04.29.93*END*\n",
        "*END THE SMALL PRINT! FOR PUBLIC DOMAIN ETEXTS*Ver.04.29.93*END*\n",
        "***START OF THE PROJECT GUTENBERG EBOOK A***\n\nsmall\n*END*THE SMALL PRINT! V*END*\n",
        "*** START OF THE PROJECT GUTENBERG EBOOK A ***\n\nProduced by Some\nOne and others\n",
      })
  void headersAreRecognized(String header) {
    assertStripped("The Project Gutenberg EBook of A Book\n\nTitle: A\n\n" + header, "");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "*** END OF THE PROJECT GUTENBERG EBOOK A BOOK ***\nLicense\n",
        "*** END OF THIS PROJECT GUTENBERG EBOOK A BOOK ***\nLicense\n",
        "***END OF THE PROJECT GUTENBERG EBOOK A BOOK***\n\n******* This file ...",
        "End of the Project Gutenberg EBook of A, by\nX\n\n*** END OF THE PROJECT GUTENBERG EBOOK",
        "End of Project Gutenberg's A Book, by X\n\n*** END OF THIS PROJECT GUTENBERG EBOOK ***\n",
        "End of Project Gutenberg’s A Book, by X\n\n*** END OF THIS PROJECT GUTENBERG EBOOK ***\n",
        "End of the Project Gutenberg Etext of A Book\n",
        "End of this Project Gutenberg Etext of A Book\n",
        "End of Project Gutenberg Etext A Book",
        "Ende dieses Projekt Gutenberg Etextes Ein Buch\n",
        "Ende des Project Gutenberg EBook von Ein Buch\n\n"
            + "*** END OF THE PROJECT GUTENBERG EBOOK ***",
        "Fin du Projet Gutenberg Etext de Un livre\n",
        "Fin de l'EBook du Projet Gutenberg Un livre\n\n"
            + "*** END OF THIS PROJECT GUTENBERG EBOOK ***",
        "Fine del Progetto Gutenberg Etext di Un libro\n",
        "Fin del Proyecto Gutenberg Etext de Un libro\n",
        "Einde van dit Project Gutenberg Etext van Een boek\n",
      })
  void footersAreRecognized(String footer) {
    assertStripped("", footer);
    assertStripped("\ufeff*** START OF THE PROJECT GUTENBERG EBOOK A BOOK ***\n", footer);
  }

  @Test
  void aTextWithoutMarksStaysAsItIs() {
    String text =
        "\n\nProduced by nobody\n\nThe end of the Project Gutenberg story.\nFin de partie\n\n";
    assertThat(strip(text)).isEqualTo(text);
    assertThat(strip("")).isEmpty();
    assertThat(strip("\n")).isEqualTo("\n");
    byte[] bytes = {1};
    MemorySegment segment = MemorySegment.ofArray(bytes);
    assertThat(GutenbergText.strip(segment)).isSameAs(segment);
  }

  @Test
  void aBookOfBlankLinesIsEmpty() {
    String start = "*** START OF THE PROJECT GUTENBERG EBOOK A ***";
    String end = "*** END OF THE PROJECT GUTENBERG EBOOK A ***";
    assertThat(strip(start + "\n\n\n" + end + "\n")).isEmpty();
    assertThat(strip(start)).isEmpty();
  }

  @Test
  void marksInsideABookAreNotItsEnds() {
    String quote = "*** START OF THE PROJECT GUTENBERG EBOOK QUOTED ***\n";
    String body = "x\n".repeat(100_000) + quote + "y\n";
    String header = "*** START OF THE PROJECT GUTENBERG EBOOK A ***\n";
    assertThat(strip(header + body + "*** END OF THE PROJECT GUTENBERG EBOOK A ***\n"))
        .isEqualTo(body);
    String play = "End of Project Gutenberg's Hamlet, by Shakespeare\n";
    assertThat(
            strip(header + play + "x\n".repeat(9) + "*** END OF THE PROJECT GUTENBERG EBOOK ***"))
        .isEqualTo(play + "x\n".repeat(9));
  }

  @Test
  void truncationIsSeen() {
    String header = "*** START OF THE PROJECT GUTENBERG EBOOK A ***\n";
    assertThat(isTruncated(header + BOOK)).isTrue();
    assertThat(isTruncated(header + BOOK + "*** END OF THE PROJECT GUTENBERG EBOOK A ***"))
        .isFalse();
    assertThat(isTruncated(BOOK)).isFalse();
  }

  @Test
  void everySharedBookIsStripped() throws IOException {
    Path books = Path.of(System.getProperty("gyre.books", "../../../shared/gutenberg"));
    assumeTrue(Files.isDirectory(books), "no folder of books at " + books);
    List<Path> files;
    try (Stream<Path> walk = Files.walk(books.toRealPath())) {
      files = walk.filter(file -> file.toString().endsWith(".txt")).toList();
    }
    assertThat(files).hasSize(50);
    for (Path file : files) {
      byte[] text = Files.readAllBytes(file);
      String book = new String(GutenbergText.strip(text), StandardCharsets.UTF_8);
      for (String mark : List.of("PROJECT GUTENBERG", "Project Gutenberg EB", "Produced by")) {
        assertThat(book.contains(mark)).as("%s in %s", mark, file).isFalse();
      }
      assertThat((double) book.length()).as(file.toString()).isGreaterThan(0.4 * text.length);
      assertThat(book.charAt(0)).as(file.toString()).isNotIn('\n', '\r', '\ufeff');
      assertThat(GutenbergText.isTruncated(MemorySegment.ofArray(text))).isFalse();
    }
  }

  private static void assertStripped(String header, String footer) {
    for (String blank : List.of("\n", "\n\n\n", "\n  \n")) {
      String text = header + blank + BOOK + blank + footer;
      assertThat(strip(text)).as(text).isEqualTo(BOOK);
      String windows = text.replace("\n", "\r\n");
      assertThat(strip(windows)).as(windows).isEqualTo(BOOK.replace("\n", "\r\n"));
    }
  }

  private static String strip(String text) {
    return new String(
        GutenbergText.strip(text.getBytes(StandardCharsets.UTF_8)), StandardCharsets.UTF_8);
  }

  private static boolean isTruncated(String text) {
    return GutenbergText.isTruncated(MemorySegment.ofArray(text.getBytes(StandardCharsets.UTF_8)));
  }
}
