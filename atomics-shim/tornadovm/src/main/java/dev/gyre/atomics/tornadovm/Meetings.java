package dev.gyre.atomics.tornadovm;

import dev.gyre.atomics.Meeting;

/**
 * Which threads of a kernel wait for each other: comments that calls of {@link Meeting} leave in
 * its text.
 *
 * @param ofBlock those of a block
 * @param ofGrid all
 */
public record Meetings(boolean ofBlock, boolean ofGrid) {

  public static final String BLOCK = "/* gyre: threads of a block meet */";
  public static final String GRID = "/* gyre: threads of the grid meet */";

  /** The meetings of a kernel, by the text that it was compiled to. */
  public static Meetings of(String source) {
    return new Meetings(source.contains(BLOCK), source.contains(GRID));
  }
}
