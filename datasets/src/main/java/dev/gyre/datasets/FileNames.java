package dev.gyre.datasets;

import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.Charset;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CharsetEncoder;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HexFormat;

/**
 * Converts file names as the shell passes them: any bytes except zero, in any locale.
 *
 * <p>Java decodes its arguments by the locale and loses what does not fit. On Linux {@link
 * #arguments} reads the bytes and decodes them as UTF-8. Each invalid byte becomes a low surrogate
 * from U+DC80 to U+DCFF, as in PEP 383 of Python. {@link #path} restores the bytes.
 *
 * @since 0.1.0
 */
public final class FileNames {

  private static final Path COMMAND_LINE = Path.of("/proc/self/cmdline");
  private static final Path WORKING_FOLDER = Path.of("/proc/self/cwd");
  private static final char LOST = '\ufffd';

  /** Offset of a byte that is not valid UTF-8. */
  private static final int ESCAPE = 0xdc00;

  private FileNames() {}

  /** Returns the arguments of this process, even if the locale lost some bytes. */
  public static String[] arguments(String... decoded) {
    boolean whole = String.join("", decoded).indexOf(LOST) < 0;
    return whole ? decoded : arguments(decoded, commandLine());
  }

  /**
   * Returns the arguments from a command line.
   *
   * @param line its bytes, with a zero after each word
   */
  static String[] arguments(String[] decoded, byte[] line) {
    Charset bytes = StandardCharsets.ISO_8859_1;
    String[] words = new String(line, bytes).split("\0", -1);
    // Earlier words are for the JVM, and the last one has no end.
    int first = words.length - 1 - decoded.length;
    return first < 1
        ? decoded
        : Arrays.stream(words, first, words.length - 1)
            .map(word -> decode(ByteBuffer.wrap(word.getBytes(bytes))))
            .toArray(String[]::new);
  }

  private static byte[] commandLine() {
    try {
      return Files.readAllBytes(COMMAND_LINE);
    } catch (IOException e) {
      return new byte[0];
    }
  }

  private static String decode(ByteBuffer bytes) {
    CharsetDecoder decoder =
        StandardCharsets.UTF_8.newDecoder().onMalformedInput(CodingErrorAction.REPORT);
    CharBuffer chars = CharBuffer.allocate(bytes.remaining());
    while (decoder.decode(bytes, chars, true).isError()) {
      chars.put((char) (ESCAPE + (bytes.get() & 0xff)));
      decoder.reset();
    }
    return chars.flip().toString();
  }

  /**
   * Returns the file of a name, which may be one of {@link #arguments}.
   *
   * @throws InvalidPathException if no file can have this name
   */
  public static Path path(String name) {
    return folder().resolve(ofBytes(name));
  }

  /** Returns the folder of relative names; empty, unless the locale lost its name. */
  private static Path folder() {
    Path present = Path.of("");
    if (System.getProperty("user.dir", "").indexOf(LOST) < 0) {
      return present;
    }
    try {
      return Files.readSymbolicLink(WORKING_FOLDER);
    } catch (IOException e) {
      return present;
    }
  }

  /** Java encodes paths from text by the locale, and from URIs byte by byte. */
  private static Path ofBytes(String name) {
    if (name.chars().allMatch(c -> c < 0x80) || name.indexOf('\0') >= 0 || !isUnix()) {
      return Path.of(name);
    }
    StringBuilder uri = new StringBuilder("file:///");
    for (byte each : encode(name)) {
      if (each == '/' || Character.isLetterOrDigit(each)) {
        uri.append((char) each);
      } else {
        uri.append('%').append(HexFormat.of().toHexDigits(each));
      }
    }
    Path root = Path.of("/");
    Path path = Path.of(URI.create(uri.toString()));
    return name.startsWith("/") ? path : root.relativize(path);
  }

  private static boolean isUnix() {
    return Path.of("/").getFileSystem().supportedFileAttributeViews().contains("unix");
  }

  private static byte[] encode(String name) {
    CharsetEncoder encoder = StandardCharsets.UTF_8.newEncoder();
    CharBuffer chars = CharBuffer.wrap(name);
    ByteBuffer bytes = ByteBuffer.allocate(3 * name.length());
    while (encoder.encode(chars, bytes, true).isError()) {
      int escaped = chars.get() - ESCAPE;
      if (escaped < 0x80 || escaped > 0xff) {
        throw new InvalidPathException(name, "half of a surrogate pair");
      }
      bytes.put((byte) escaped);
      encoder.reset();
    }
    byte[] encoded = new byte[bytes.flip().remaining()];
    bytes.get(encoded);
    return encoded;
  }
}
