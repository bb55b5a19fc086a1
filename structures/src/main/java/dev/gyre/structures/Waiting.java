package dev.gyre.structures;

import dev.gyre.atomics.Internal;
import dev.gyre.kernels.Launcher;
import dev.gyre.kernels.Target;
import dev.gyre.progress.Classification;
import dev.gyre.progress.Classifier;
import dev.gyre.progress.Guarantee;
import dev.gyre.progress.ProgressClass;
import dev.gyre.progress.ProgressUnavailableException;
import java.util.Optional;

/**
 * What the threads of a launch do if they need a slot of a map, or an edge of a trie, that another
 * thread has claimed and not yet published.
 *
 * <p>{@link #AUTO} is right unless a test compares the two.
 *
 * @since 0.1.0
 */
public enum Waiting {
  /**
   * {@link #BLOCKING} if the device is known to give parallel forward progress, otherwise {@link
   * #DEFERRED}.
   */
  AUTO,

  /**
   * The threads wait until the slot or edge is published. This needs parallel forward progress: the
   * claiming thread must go on while others wait.
   */
  BLOCKING,

  /**
   * The threads leave the key, the word or the rest of their strip to a following launch. When a
   * launch has ended, all that it claimed is published. Weakly parallel progress is enough.
   */
  DEFERRED;

  /** Number of elements of a large launch, for which the launcher chooses its usual block size. */
  private static final long MANY = 1 << 20;

  /**
   * Returns whether launches on a device defer work that would have to wait.
   *
   * @param operation name of the operation, for the error message
   * @throws ProgressUnavailableException if this is BLOCKING and the device is known to give weakly
   *     parallel progress only
   */
  @Internal
  public boolean defers(String operation, Launcher launcher) {
    if (this == DEFERRED || launcher.device().target() == Target.JVM) {
      return this == DEFERRED;
    }
    int blockSize = launcher.shapeFor(MANY).blockSize();
    return defers(operation, Classifier.known(launcher.device()), blockSize);
  }

  /**
   * Returns the same for blocks of a given size, on a device with a known classification or none.
   */
  boolean defers(String operation, Optional<Classification> known, int blockSize) {
    if (this == BLOCKING && known.isPresent()) {
      known.get().require(operation, ProgressClass.DEADLOCK_FREE, blockSize);
    }
    boolean sure = known.isPresent() && known.get().guarantee(blockSize).covers(Guarantee.PARALLEL);
    return this == DEFERRED || (this == AUTO && !sure);
  }
}
