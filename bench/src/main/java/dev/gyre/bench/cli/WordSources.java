package dev.gyre.bench.cli;

import dev.gyre.datasets.BadInputException;
import dev.gyre.datasets.ByteProgress;
import dev.gyre.datasets.TextFiles;
import dev.gyre.datasets.TextSource;
import dev.gyre.datasets.generators.ZipfText;
import dev.gyre.datasets.gutenberg.DownloadSettings;
import dev.gyre.datasets.gutenberg.GutenbergBook;
import dev.gyre.datasets.gutenberg.GutenbergCatalogue;
import dev.gyre.datasets.gutenberg.GutenbergDownloader;
import dev.gyre.datasets.gutenberg.GutenbergDownloader.Download;
import dev.gyre.datasets.gutenberg.GutenbergText;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The options that say which text to count. */
final class WordSources extends UserCommand {

  @Parameters(
      paramLabel = "FILE|DIR",
      description = "Files to count, folders for the files in them, or - for standard input.")
  private List<String> arguments = List.of();

  @Option(
      names = "--books",
      paramLabel = "all|ID,ID...",
      description = "Books of Project Gutenberg, downloaded if they are not in the cache.")
  private @Nullable String books;

  @Option(
      names = "--strip",
      description = "Count books without the header and footer of Project Gutenberg.")
  private boolean strip;

  @Option(
      names = "--catalogue",
      paramLabel = "FILE",
      description = "Catalogue of books: CSV with id,title,author,language,url,sha256.")
  private @Nullable Path catalogue;

  @Option(
      names = "--cache",
      paramLabel = "DIR",
      description = "Where books are kept; by default gyre/gutenberg in the user's cache folder.")
  private @Nullable Path cache;

  /** How much text there is; {@link ByteProgress#UNKNOWN} where that is to be seen. */
  long bytes() {
    if (books != null || arguments.contains(STANDARD_INPUT)) {
      return ByteProgress.UNKNOWN;
    }
    if (arguments.isEmpty()) {
      return ZipfText.SAMPLE_BYTES;
    }
    try {
      return TextSource.ofFiles(TextFiles.resolve(arguments)).byteSize();
    } catch (BadInputException e) {
      // Notice when it is opened.
      return ByteProgress.UNKNOWN;
    }
  }

  /**
   * Opens the text; downloads what is missing.
   *
   * @param check refuses a file that is not to be counted
   */
  TextSource open(boolean quiet, Consumer<Path> check) {
    if (arguments.contains(STANDARD_INPUT) && (arguments.size() > 1 || books != null || strip)) {
      throw usage("- is to be the only text, and whole");
    }
    if (arguments.isEmpty() && books == null) {
      return TextSource.ofMemory(MemorySegment.ofArray(ZipfText.sample()));
    }
    if (arguments.equals(List.of(STANDARD_INPUT))) {
      return TextSource.ofStream("standard input", System.in);
    }
    List<Path> files = new ArrayList<>(TextFiles.resolve(arguments));
    if (books != null) {
      files.addAll(download(books, quiet));
    }
    files.forEach(check);
    return strip ? TextSource.ofFiles(files, GutenbergText::strip) : TextSource.ofFiles(files);
  }

  private List<Path> download(String selection, boolean quiet) {
    GutenbergCatalogue known =
        catalogue == null ? GutenbergCatalogue.bundled() : GutenbergCatalogue.read(catalogue);
    List<GutenbergBook> selected = known.select(selection);
    DownloadSettings settings = DownloadSettings.defaults();
    try (GutenbergDownloader downloader =
        new GutenbergDownloader(cache == null ? settings : settings.withFolder(cache))) {
      return selected.stream().map(book -> download(downloader, book, quiet)).toList();
    }
  }

  private Path download(GutenbergDownloader downloader, GutenbergBook book, boolean quiet) {
    try (ProgressBar bar = bar(book.title(), quiet)) {
      Download got = downloader.get(book, bar, retry -> report(bar, quiet, "" + retry));
      if (got.otherEdition()) {
        report(bar, quiet, book + ": not the edition that the catalogue knows");
      }
      return got.file();
    }
  }

  private void report(ProgressBar bar, boolean quiet, String line) {
    bar.close();
    if (!quiet) {
      err().println("gyre wordcount: " + line);
      err().flush();
    }
  }
}
