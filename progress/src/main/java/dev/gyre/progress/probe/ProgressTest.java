package dev.gyre.progress.probe;

import dev.gyre.progress.Guarantee;
import java.util.Locale;

/**
 * Program that ends only if threads make progress while others wait.
 *
 * @since 0.1.0
 */
public enum ProgressTest {
  /** Threads of a warp take a spin lock. */
  LOCK_IN_WARP(true, Guarantee.PARALLEL),
  /** Threads of a block take a spin lock. */
  LOCK_IN_BLOCK(true, Guarantee.PARALLEL),
  /** Threads of blocks that run at once take a spin lock. */
  LOCK_ACROSS_BLOCKS(false, Guarantee.PARALLEL),
  /** A thread of each of more blocks than fit at once takes a spin lock. */
  LOCK_ACROSS_MORE_BLOCKS_THAN_FIT(false, Guarantee.PARALLEL),
  /** The threads of a warp wait for its last. */
  WAIT_FOR_LAST_OF_WARP(true, Guarantee.PARALLEL),
  /** The threads of a warp wait for its first. */
  WAIT_FOR_FIRST_OF_WARP(true, Guarantee.PARALLEL),
  /** The threads of a block wait for its last. */
  WAIT_FOR_LAST_OF_BLOCK(true, Guarantee.PARALLEL),
  /** The threads of a block wait for its first. */
  WAIT_FOR_FIRST_OF_BLOCK(true, Guarantee.PARALLEL),
  /** As many blocks as there are units wait for each other. */
  MEET_BLOCKS_THAT_FIT(false, Guarantee.PARALLEL),
  /** More blocks than fit at once wait for each other: only concurrent progress ends that. */
  MEET_MORE_BLOCKS_THAN_FIT(false, Guarantee.CONCURRENT);

  private final boolean withinBlocks;
  private final Guarantee shows;

  ProgressTest(boolean withinBlocks, Guarantee shows) {
    this.withinBlocks = withinBlocks;
    this.shows = shows;
  }

  /** Returns whether the test is about the threads of one block, and not of different blocks. */
  public boolean withinBlocks() {
    return withinBlocks;
  }

  /** Returns the guarantee that is missing if the test gets stuck. */
  public Guarantee shows() {
    return shows;
  }

  /** Returns the name in tables, such as {@code lock in warp}. */
  public String label() {
    return name().toLowerCase(Locale.ROOT).replace('_', ' ');
  }
}
