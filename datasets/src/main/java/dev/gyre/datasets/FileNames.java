package dev.gyre.datasets;

import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CharsetEncoder;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Names of files as the shell gives them: any bytes but zero, whatever the locale says that they
 * mean.
 *
 * <p>Java decodes its arguments by the locale, and what does not fit is lost. On Linux, where the
 * bytes can be had, {@link #arguments} takes them as UTF-8 instead, each byte that is none as a low
 * surrogate from U+DC80 to U+DCFF (as PEP 383 of Python does); {@link #path} leads back to the
 * bytes.
 */
public final class FileNames {

  private static final Path COMMAND_LINE = Path.of("/proc/self/cmdline");
  private static final Path WORKING_FOLDER = Path.of("/proc/self/cwd");
  private static final char LOST = '\ufffd';

  /** What is added to a byte that is no UTF-8. */
  private static final int ESCAPE = 0xdc00;

  private static final String HEX = "0123456789ABCDEF";

  private FileNames() {}

  /** The arguments of this process, of which the locale may have lost something. */
  public static String[] arguments(String... decoded) {
    boolean whole = String.join("", decoded).indexOf(LOST) < 0;
    return whole ? decoded : arguments(decoded, commandLine());
  }

  /**
   * The same from a command line.
   *
   * @param line its bytes, with a zero after each word
   */
  static String[] arguments(String[] decoded, byte[] line) {
    List<String> words = new ArrayList<>();
    int from = 0;
    for (int i = 0; i < line.length; i++) {
      if (line[i] == 0) {
        words.add(decode(ByteBuffer.wrap(line, from, i - from)));
        from = i + 1;
      }
    }
    // What is before them is for the JVM.
    return words.size() <= decoded.length
        ? decoded
        : words.subList(words.size() - decoded.length, words.size()).toArray(String[]::new);
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
   * The file of a name, which may be one of {@link #arguments}.
   *
   * @throws InvalidPathException if there can be none of this name
   */
  public static Path path(String name) {
    return folder().resolve(ofBytes(name));
  }

  /** The folder that relative names are below; empty, but where its own name was lost. */
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

  /** Java makes paths of texts by the locale, and of URIs byte by byte. */
  private static Path ofBytes(String name) {
    if (name.chars().allMatch(c -> c < 0x80) || name.indexOf('\0') >= 0 || !isUnix()) {
      return Path.of(name);
    }
    StringBuilder uri = new StringBuilder("file:///");
    for (byte each : encode(name)) {
      boolean plain = each == '/' || Character.isLetterOrDigit(each);
      if (plain) {
        uri.append((char) each);
      } else {
        uri.append('%').append(HEX.charAt(each >> 4 & 0xf)).append(HEX.charAt(each & 0xf));
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
