package dev.gyre.kernels.group;

import dev.gyre.kernels.Kernel;
import dev.gyre.kernels.LaunchShape;

/**
 * Kernel that removes all rows of groups.
 *
 * @param groups number of groups
 */
public record ClearGroups(GroupStates states, long groups) implements Kernel {

  @Override
  public void run(int thread, LaunchShape shape) {
    states.clear(thread, shape.threads(), groups);
  }
}
