package dev.gyre.structures.fuzz;

import dev.gyre.structures.SavedFileException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.function.Function;

/** Saved files in which bytes were changed, which must be refused. */
final class FuzzFiles {

  /** Files up to this long have each byte changed in turn; of others some are. */
  private static final int SMALL = 1 << 10;

  private static final int SOME = 8;

  private FuzzFiles() {}

  /**
   * Changes bytes, one at a time, and loads.
   *
   * @param bits how the byte is changed, and, in longer files, which
   * @throws AssertionError if one is loaded
   */
  static void damage(Path file, long bits, Function<Path, ? extends AutoCloseable> load)
      throws IOException {
    byte[] bytes = Files.readAllBytes(file);
    int change = (bits & 0xff) == 0 ? 1 : (int) (bits & 0xff);
    boolean all = bytes.length <= SMALL;
    for (int i = 0; i < (all ? bytes.length : SOME); i++) {
      int place =
          all ? i : (int) Long.remainderUnsigned((bits + i) * 0x9e3779b97f4a7c15L, bytes.length);
      bytes[place] ^= (byte) change;
      refused(bytes, "byte %d changed by %d".formatted(place, change), file, load);
      bytes[place] ^= (byte) change;
    }
    refused(Arrays.copyOf(bytes, bytes.length - 1), "without its last byte", file, load);
  }

  private static void refused(
      byte[] bytes, String what, Path file, Function<Path, ? extends AutoCloseable> load)
      throws IOException {
    Path damaged = file.resolveSibling("damaged");
    Files.write(damaged, bytes);
    try (AutoCloseable loaded = load.apply(damaged)) {
      throw new AssertionError("of %d bytes, %s: loaded %s".formatted(bytes.length, what, loaded));
    } catch (SavedFileException _) {
      Files.delete(damaged);
    } catch (Exception e) {
      throw new AssertionError("of %d bytes, %s: %s".formatted(bytes.length, what, e), e);
    }
  }
}
