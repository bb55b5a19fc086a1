package dev.gyre.structures;

import dev.gyre.kernels.Launcher;
import dev.gyre.kernels.Target;
import dev.gyre.progress.Classification;
import dev.gyre.progress.Classifier;
import dev.gyre.progress.Guarantee;
import dev.gyre.progress.ProgressClass;
import dev.gyre.progress.ProgressUnavailableException;
import java.util.Optional;

/**
 * What the threads of a launch do where they meet what another thread has claimed and not yet
 * published: a slot of a map, or an edge of a trie.
 */
public enum Waiting {
  /**
   * {@link #BLOCKING} where the device is known to give parallel forward progress, else {@link
   * #DEFERRED}.
   */
  AUTO,

  /** They wait for it. The one who claimed must go on meanwhile: parallel forward progress. */
  BLOCKING,

  /**
   * They leave the key, the word, or the rest of their strip, to a following launch: where a launch
   * has ended, all that was claimed in it is published. That needs no more than weakly parallel
   * progress.
   */
  DEFERRED;

  /** Enough to see what the launcher would do with a large piece of work. */
  private static final long MANY = 1 << 20;

  /**
   * Whether launches on a device leave what they would have to wait for.
   *
   * @param operation what would wait, for the error
   * @throws ProgressUnavailableException if this is BLOCKING, and the device is known to give
   *     weakly parallel progress only
   */
  public boolean defers(String operation, Launcher launcher) {
    if (this == DEFERRED || launcher.device().target() == Target.JVM) {
      return this == DEFERRED;
    }
    int blockSize = launcher.shapeFor(MANY).blockSize();
    return defers(operation, Classifier.known(launcher.device()), blockSize);
  }

  /** As above, for blocks of a size on a device of which something is known, or nothing. */
  boolean defers(String operation, Optional<Classification> known, int blockSize) {
    if (this == BLOCKING && known.isPresent()) {
      known.get().require(operation, ProgressClass.DEADLOCK_FREE, blockSize);
    }
    boolean sure = known.isPresent() && known.get().guarantee(blockSize).covers(Guarantee.PARALLEL);
    return this == DEFERRED || (this == AUTO && !sure);
  }
}
