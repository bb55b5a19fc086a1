package dev.gyre.datasets.gutenberg;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;

/**
 * Folder of downloaded books.
 *
 * <p>{@code 55.txt} is a book and {@code 55.txt.sha256} its checksum. During a download, {@code
 * 55.txt.part} is the text so far and {@code 55.txt.part.tag} the version of the server.
 */
record GutenbergCache(Path folder) {

  private static final String LOCK = ".lock";

  /** Returns {@code gyre/gutenberg} in the cache folder of the XDG base directory specification. */
  static Path defaultFolder(Map<String, String> environment, String home) {
    String cache = environment.getOrDefault("XDG_CACHE_HOME", "");
    // The specification says to ignore a relative path.
    Path base =
        !cache.isEmpty() && Path.of(cache).isAbsolute() ? Path.of(cache) : Path.of(home, ".cache");
    return base.resolve("gyre").resolve("gutenberg");
  }

  /** Locks out other processes until the result is closed. */
  FileChannel lock() throws IOException {
    Files.createDirectories(folder);
    FileChannel channel =
        FileChannel.open(folder.resolve(LOCK), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    try {
      var _ = channel.lock();
      return channel;
    } catch (IOException | RuntimeException e) {
      channel.close();
      throw e;
    }
  }

  Path file(GutenbergBook book) {
    return folder.resolve(book.id() + ".txt");
  }

  Path part(GutenbergBook book) {
    return folder.resolve(book.id() + ".txt.part");
  }

  private Path tagFile(GutenbergBook book) {
    return folder.resolve(book.id() + ".txt.part.tag");
  }

  private Path sumFile(GutenbergBook book) {
    return folder.resolve(book.id() + ".txt.sha256");
  }

  /** Returns the checksum of a cached book, if it is undamaged. */
  Optional<String> kept(GutenbergBook book) throws IOException {
    if (!Files.exists(file(book))) {
      return Optional.empty();
    }
    String sum = sha256(file(book));
    boolean known = book.sha256().isPresent() && book.sha256().get().equals(sum);
    boolean same = known || read(sumFile(book)).startsWith(sum);
    return same ? Optional.of(sum) : Optional.empty();
  }

  /** Returns the bytes of a part that can be continued, or 0. */
  long resumable(GutenbergBook book) throws IOException {
    return Files.exists(part(book)) && !tag(book).isEmpty() ? Files.size(part(book)) : 0;
  }

  /** Returns the server's version of the part, or empty. */
  String tag(GutenbergBook book) throws IOException {
    return read(tagFile(book));
  }

  void setTag(GutenbergBook book, String tag) throws IOException {
    Files.writeString(tagFile(book), tag);
  }

  void dropPart(GutenbergBook book) throws IOException {
    Files.deleteIfExists(part(book));
    Files.deleteIfExists(tagFile(book));
  }

  /** Turns a complete part into the book. */
  void publish(GutenbergBook book, String sum) throws IOException {
    // The checksum first: if the process ends in between, they differ and the book is downloaded
    // again.
    Path newSum = folder.resolve(book.id() + ".txt.sha256.part");
    Files.writeString(newSum, sum + "  " + book.id() + ".txt\n");
    Files.move(newSum, sumFile(book), StandardCopyOption.ATOMIC_MOVE);
    Files.move(part(book), file(book), StandardCopyOption.ATOMIC_MOVE);
    Files.deleteIfExists(tagFile(book));
  }

  private static String read(Path file) throws IOException {
    return Files.exists(file) ? Files.readString(file, StandardCharsets.ISO_8859_1) : "";
  }

  /** Returns the SHA-256 of a file, in lower-case hexadecimal digits. */
  static String sha256(Path file) throws IOException {
    try (DigestInputStream in =
        new DigestInputStream(Files.newInputStream(file), MessageDigest.getInstance("SHA-256"))) {
      long _ = in.transferTo(OutputStream.nullOutputStream());
      return HexFormat.of().formatHex(in.getMessageDigest().digest());
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("every Java has SHA-256", e);
    }
  }
}
