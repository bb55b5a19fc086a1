package dev.gyre.datasets.gutenberg;

import dev.gyre.datasets.BadInputException;
import dev.gyre.datasets.TextFiles;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.apache.commons.csv.CSVException;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVParser;
import org.apache.commons.csv.CSVRecord;
import org.apache.commons.csv.DuplicateHeaderMode;

/**
 * List of books, by their number, from a UTF-8 CSV file with the header {@code
 * id,title,author,language,url,sha256}. Immutable.
 *
 * @since 0.1.0
 */
public final class GutenbergCatalogue {

  private static final String BUNDLED = "catalogue.csv";
  private static final List<String> HEADER =
      List.of("id", "title", "author", "language", "url", "sha256");
  private static final Set<String> SCHEMES = Set.of("https", "http");
  private static final CSVFormat FORMAT =
      CSVFormat.RFC4180
          .builder()
          .setHeader()
          .setSkipHeaderRecord(true)
          .setAllowMissingColumnNames(true)
          .setDuplicateHeaderMode(DuplicateHeaderMode.ALLOW_ALL)
          .get();

  private final Map<Integer, GutenbergBook> books;

  private GutenbergCatalogue(Map<Integer, GutenbergBook> books) {
    this.books = books;
  }

  /** Returns the catalogue of this library. */
  public static GutenbergCatalogue bundled() {
    try (InputStream in = GutenbergCatalogue.class.getResourceAsStream(BUNDLED)) {
      if (in == null) {
        throw new IllegalStateException("the resource " + BUNDLED + " is missing from the jar");
      }
      return parse(BUNDLED, new InputStreamReader(in, StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Reads a catalogue from a file.
   *
   * @throws BadInputException with file and line, if the file cannot be read or is not well formed
   */
  public static GutenbergCatalogue read(Path file) {
    try (Reader reader = Files.newBufferedReader(file, StandardCharsets.UTF_8)) {
      return parse(file.toString(), reader);
    } catch (IOException e) {
      throw new BadInputException(file.toString(), TextFiles.reasonOf(e, "file"), e);
    }
  }

  private static GutenbergCatalogue parse(String name, Reader reader) throws IOException {
    Map<Integer, GutenbergBook> books = new LinkedHashMap<>();
    long line = 1;
    try (CSVParser rows = FORMAT.parse(reader)) {
      if (!rows.getHeaderNames().equals(HEADER)) {
        throw new BadInputException(name, "line 1: the header must be " + String.join(",", HEADER));
      }
      line = 2;
      for (CSVRecord row : rows) {
        line = rows.getCurrentLineNumber();
        GutenbergBook book = book(name, line, row);
        if (books.put(book.id(), book) != null) {
          throw bad(name, line, "book " + book.id() + " is there twice");
        }
        line++;
      }
    } catch (UncheckedIOException e) {
      // Text is decoded in buffers: the bad bytes may be far behind the current row.
      String reason =
          switch (Objects.requireNonNull(e.getCause())) {
            case CharacterCodingException _ -> "line %d or later: not UTF-8".formatted(line);
            case CSVException _ ->
                "line %d: not CSV: a field that begins with a quote does not end with one"
                    .formatted(line);
            case IOException other -> TextFiles.reasonOf(other, "file");
          };
      throw new BadInputException(name, reason, e);
    }
    return new GutenbergCatalogue(books);
  }

  private static GutenbergBook book(String name, long line, CSVRecord row) {
    if (!row.isConsistent()) {
      throw bad(name, line, "has " + row.size() + " columns, not " + HEADER.size());
    }
    try {
      URI url = URI.create(row.get("url"));
      String scheme = String.valueOf(url.getScheme()).toLowerCase(Locale.ROOT);
      if (!SCHEMES.contains(scheme) || url.getHost() == null) {
        throw bad(name, line, "the url must begin with https:// or http://: " + url);
      }
      String sha256 = row.get("sha256").toLowerCase(Locale.ROOT);
      return new GutenbergBook(
          Integer.parseInt(row.get("id")),
          row.get("title"),
          row.get("author"),
          row.get("language"),
          url,
          sha256.isEmpty() ? Optional.empty() : Optional.of(sha256));
    } catch (IllegalArgumentException e) {
      throw bad(name, line, String.valueOf(e.getMessage()));
    }
  }

  private static BadInputException bad(String name, long line, String reason) {
    return new BadInputException(name, "line " + line + ": " + reason);
  }

  /** Returns all books, in the order of the file. */
  public Collection<GutenbergBook> books() {
    return List.copyOf(books.values());
  }

  /** Returns the book with a number. */
  public Optional<GutenbergBook> find(int id) {
    return Optional.ofNullable(books.get(id));
  }

  /**
   * Returns the selected books: {@code all}, or numbers separated by commas, such as {@code
   * 2600,996}, in the order of the selection.
   *
   * @throws BadInputException for a text that is not a number, not in the catalogue, or listed
   *     twice
   */
  public List<GutenbergBook> select(String selection) {
    if (selection.strip().equalsIgnoreCase("all")) {
      return List.copyOf(books.values());
    }
    Map<Integer, GutenbergBook> selected = new LinkedHashMap<>();
    for (String item : selection.split(",", -1)) {
      GutenbergBook book = selectOne(item.strip());
      if (selected.put(book.id(), book) != null) {
        throw new BadInputException("book " + book.id(), "selected twice");
      }
    }
    return List.copyOf(selected.values());
  }

  private GutenbergBook selectOne(String item) {
    if (!item.matches("[0-9]{1,9}")) {
      throw new BadInputException(
          "books '" + item + "'", "give 'all' or numbers with commas between them, such as 55,84");
    }
    int id = Integer.parseInt(item);
    return find(id)
        .orElseThrow(
            () ->
                new BadInputException(
                    "book " + id, "not in the catalogue, which has " + books.size() + " books"));
  }
}
