package dev.gyre.bench.compare;

import dev.gyre.atomics.GyreException;
import dev.gyre.bench.words.Texts;
import dev.gyre.datasets.BadInputException;
import dev.gyre.datasets.ByteProgress;
import dev.gyre.datasets.TextFiles;
import dev.gyre.datasets.gutenberg.DownloadSettings;
import dev.gyre.datasets.gutenberg.GutenbergBook;
import dev.gyre.datasets.gutenberg.GutenbergCatalogue;
import dev.gyre.datasets.gutenberg.GutenbergDownloader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;

/**
 * The text whose words are counted, as files for the programs that count.
 *
 * @param name in results
 * @param file the text, which ends with a newline
 * @param fileWithoutEnd the same without that newline, for programs that add one
 * @param bytes of the text
 * @param sum its SHA-256, in hexadecimal digits
 */
record SourceText(String name, Path file, Path fileWithoutEnd, long bytes, String sum) {

  /** The ten books of the blog, in its order. */
  static final String BLOG = "2600,2701,35,84,8800,1727,55,6130,996,1342";

  private static final int QUICK_BYTES = 1 << 21;

  /**
   * Makes the files, which last as long as this process.
   *
   * @param books {@code blog} for the blog's ten, numbers of Project Gutenberg, a file or folder,
   *     or empty for generated text
   * @throws BadInputException if there are no such books
   */
  static SourceText make(String books, boolean quick) {
    byte[] text;
    String name = "books";
    try {
      if (books.isEmpty()) {
        name = "generated";
        text = Texts.generated();
        text = quick ? Arrays.copyOf(text, QUICK_BYTES) : text;
      } else {
        text = joined(files(books));
      }
      if (text.length == 0) {
        throw new BadInputException(books, "there is no text");
      }
      text[text.length - 1] = '\n';
      Path withoutEnd = file(Arrays.copyOf(text, text.length - 1));
      return new SourceText(name, file(text), withoutEnd, text.length, sha256(text));
    } catch (IOException e) {
      throw new GyreException("cannot prepare the text: " + e.getMessage(), e);
    }
  }

  private static Path file(byte[] text) throws IOException {
    Path file = Files.createTempFile("gyre-text", ".txt");
    file.toFile().deleteOnExit();
    return Files.write(file, text);
  }

  private static String sha256(byte[] text) {
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(text));
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("every Java has SHA-256", e);
    }
  }

  private static List<Path> files(String books) {
    if (Files.exists(Path.of(books))) {
      return TextFiles.resolve(List.of(books));
    }
    String selection = books.equals("blog") ? BLOG : books;
    List<Path> files = new ArrayList<>();
    try (GutenbergDownloader downloader = new GutenbergDownloader(DownloadSettings.defaults())) {
      for (GutenbergBook book : GutenbergCatalogue.bundled().select(selection)) {
        files.add(downloader.get(book, ByteProgress.NONE).file());
      }
    }
    return files;
  }

  /** A newline stands behind each, unless there is only one that ends with one. */
  private static byte[] joined(List<Path> files) throws IOException {
    ByteArrayOutputStream text = new ByteArrayOutputStream();
    for (Path file : files) {
      byte[] one = Files.readAllBytes(file);
      text.write(one);
      if (files.size() > 1 || one.length == 0 || one[one.length - 1] != '\n') {
        text.write('\n');
      }
    }
    return text.toByteArray();
  }
}
