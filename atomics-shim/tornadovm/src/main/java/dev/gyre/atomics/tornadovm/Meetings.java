package dev.gyre.atomics.tornadovm;

import dev.gyre.atomics.Meeting;
import java.util.regex.Pattern;

/**
 * Which threads of a kernel wait for each other, from the comments that calls of {@link Meeting}
 * leave in its text.
 *
 * @param ofBlock whether threads of a block do
 * @param ofGrid whether all threads do
 * @param ofWarps whether threads of a warp do, so that warps must be complete
 * @param ofHost whether there are read-modify-write operations of system scope, together with the
 *     host
 */
public record Meetings(boolean ofBlock, boolean ofGrid, boolean ofWarps, boolean ofHost) {

  public static final String BLOCK = "/* gyre: threads of a block meet */";
  public static final String GRID = "/* gyre: threads of the grid meet */";

  /** Comment of a barrier of a block that the target implements, which all its threads call. */
  public static final String BARRIER = "/* gyre: barrier of a block */";

  /** Comment of an operation that all threads of a warp call. */
  public static final String WARP = "/* gyre: threads of a warp meet */";

  /** Comment of a result that may differ between threads of a block even for equal arguments. */
  public static final String LANE = "/* gyre: differs from lane to lane */";

  /** Pattern of PTX, alone or in statements of another language, or of OpenCL C. */
  private static final Pattern SYSTEM_UPDATE =
      Pattern.compile(
          "\\b(atom|red)[.\\w]*\\.sys\\b"
              + "|\\batomic_(fetch_|exchange|compare_)\\w*\\([^;]*memory_scope_all_devices");

  /** Returns the meetings of a kernel from its text. */
  public static Meetings of(String source) {
    return new Meetings(
        source.contains(BLOCK),
        source.contains(GRID),
        source.contains(WARP),
        SYSTEM_UPDATE.matcher(source).find());
  }
}
