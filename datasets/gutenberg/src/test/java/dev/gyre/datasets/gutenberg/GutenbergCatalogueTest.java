package dev.gyre.datasets.gutenberg;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gyre.datasets.BadInputException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GutenbergCatalogueTest {

  private static final String HEADER = "id,title,author,language,url,sha256\n";
  private static final GutenbergCatalogue BUNDLED = GutenbergCatalogue.bundled();

  @TempDir Path folder;

  @Test
  void theTenBooksOfTheBlogComeFirstAndFiftyMoreInSixLanguagesFollow() {
    List<GutenbergBook> books = List.copyOf(BUNDLED.books());
    assertThat(books.subList(0, 10))
        .extracting(GutenbergBook::id)
        .containsExactly(2600, 996, 55, 8800, 84, 6130, 1727, 2701, 35, 1342);
    List<GutenbergBook> more = books.subList(10, books.size());
    assertThat(more).hasSizeGreaterThanOrEqualTo(50);
    assertThat(more.stream().map(GutenbergBook::language).distinct().count())
        .isGreaterThanOrEqualTo(6);
  }

  @Test
  void everyBookIsWellFormed() {
    assertThat(BUNDLED.books())
        .allSatisfy(
            book -> {
              assertThat(book.title()).isNotBlank();
              assertThat(book.author()).isNotBlank();
              assertThat(book.language()).matches("[a-z]{2}");
              assertThat(book.url()).hasScheme("https").hasHost("www.gutenberg.org");
              assertThat(book.url().getPath()).contains("/" + book.id() + "/");
            });
    assertThat(BUNDLED.find(2000).orElseThrow().title()).isEqualTo("Don Quijote");
    assertThat(BUNDLED.find(2407).orElseThrow().title())
        .isEqualTo("Die Leiden des jungen Werther — Band 1");
    assertThat(BUNDLED.find(3)).isEmpty();
  }

  @Test
  void allMeansAll() {
    assertThat(BUNDLED.select("all")).hasSameSizeAs(BUNDLED.books());
    assertThat(BUNDLED.select(" ALL ")).hasSameSizeAs(BUNDLED.books());
  }

  @Test
  void numbersKeepTheirOrder() {
    assertThat(BUNDLED.select("84, 2600,55"))
        .extracting(GutenbergBook::id)
        .containsExactly(84, 2600, 55);
  }

  @Test
  void badSelectionsSayWhatIsWrong() {
    assertThatThrownBy(() -> BUNDLED.select("55,moby"))
        .isInstanceOf(BadInputException.class)
        .hasMessageContaining("'moby'")
        .hasMessageContaining("such as 55,84");
    assertThatThrownBy(() -> BUNDLED.select("")).isInstanceOf(BadInputException.class);
    assertThatThrownBy(() -> BUNDLED.select("55,")).isInstanceOf(BadInputException.class);
    assertThatThrownBy(() -> BUNDLED.select("-5")).isInstanceOf(BadInputException.class);
    assertThatThrownBy(() -> BUNDLED.select("99999999999")).isInstanceOf(BadInputException.class);
    assertThatThrownBy(() -> BUNDLED.select("3"))
        .isInstanceOf(BadInputException.class)
        .hasMessageStartingWith("book 3: not in the catalogue");
    assertThatThrownBy(() -> BUNDLED.select("55,84,55"))
        .isInstanceOf(BadInputException.class)
        .hasMessage("book 55: selected twice");
  }

  @Test
  void aCatalogueOfOnesOwnIsRead() throws IOException {
    Path file =
        write(HEADER + "7,\"A, \"\"quoted\"\"\ntitle\",Someone,en,http://localhost:1/7.txt,\n");
    GutenbergBook book = GutenbergCatalogue.read(file).find(7).orElseThrow();
    assertThat(book.title()).isEqualTo("A, \"quoted\"\ntitle");
    assertThat(book.sha256()).isEmpty();
  }

  @Test
  void aBadCatalogueIsRefusedNamingFileAndLine() throws IOException {
    String good = "7,T,A,en,https://host/7.txt,\n";
    assertRefused("id,title\n", "line 1: the header must be");
    assertRefused("", "line 1: the header must be");
    assertRefused(HEADER + good + "x,T,A,en,https://host/7.txt,\n", "line 3");
    assertRefused(HEADER + good + good, "line 3: book 7 is there twice");
    assertRefused(HEADER + "7,T,A,en\n", "line 2: has 4 columns, not 6");
    assertRefused(HEADER + "7,T,A,en,file:///etc/passwd,\n", "line 2: the url must begin");
    assertRefused(HEADER + "7,T,A,en,https://host/7.txt,abc\n", "line 2: no SHA-256");
    assertRefused(HEADER + "0,T,A,en,https://host/7.txt,\n", "line 2: the id of a book");
    assertRefused(HEADER + "7,\"T,A,en,https://host/7.txt,\n", "line 2: not CSV");
    assertRefused("id,id,,author,language,url,sha256\n", "line 1: the header must be");
  }

  @Test
  void aMissingCatalogueIsNamed() {
    Path missing = folder.resolve("missing.csv");
    assertThatThrownBy(() -> GutenbergCatalogue.read(missing))
        .isInstanceOf(BadInputException.class)
        .hasMessageStartingWith(missing + ": ");
  }

  private void assertRefused(String content, String reason) throws IOException {
    Path file = write(content);
    assertThatThrownBy(() -> GutenbergCatalogue.read(file))
        .as(content)
        .isInstanceOf(BadInputException.class)
        .hasMessageStartingWith(file + ": ")
        .hasMessageContaining(reason);
  }

  private Path write(String content) throws IOException {
    return Files.writeString(folder.resolve("c.csv"), content, StandardCharsets.UTF_8);
  }
}
