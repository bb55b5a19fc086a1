package dev.gyre.atomics.tornadovm;

import dev.gyre.atomics.Meeting;
import java.util.regex.Pattern;

/**
 * Which threads of a kernel wait for each other: comments that calls of {@link Meeting} leave in
 * its text.
 *
 * @param ofBlock those of a block
 * @param ofGrid all
 * @param ofWarps those of a warp, which must be whole
 * @param ofHost whether they read, modify and write at system scope, together with the host's
 */
public record Meetings(boolean ofBlock, boolean ofGrid, boolean ofWarps, boolean ofHost) {

  public static final String BLOCK = "/* gyre: threads of a block meet */";
  public static final String GRID = "/* gyre: threads of the grid meet */";

  /** Threads of a block, all of which come by, in the target's own barrier. */
  public static final String BARRIER = "/* gyre: barrier of a block */";

  /** Threads of a warp, all of which come by. */
  public static final String WARP = "/* gyre: threads of a warp meet */";

  /** What comes of it may differ between threads of a block, whatever went in. */
  public static final String LANE = "/* gyre: differs from lane to lane */";

  /** PTX, by itself or in statements of another language, or what OpenCL C has for it. */
  private static final Pattern SYSTEM_UPDATE =
      Pattern.compile(
          "\\b(atom|red)[.\\w]*\\.sys\\b"
              + "|\\batomic_(fetch_|exchange|compare_)\\w*\\([^;]*memory_scope_all_devices");

  /** The meetings of a kernel, by the text that it was compiled to. */
  public static Meetings of(String source) {
    return new Meetings(
        source.contains(BLOCK),
        source.contains(GRID),
        source.contains(WARP),
        SYSTEM_UPDATE.matcher(source).find());
  }
}
