package dev.gyre.kernels.litmus;

import dev.gyre.atomics.DeviceInts;
import dev.gyre.atomics.DeviceLongs;
import dev.gyre.atomics.ThreadInts;
import dev.gyre.kernels.Kernel;
import dev.gyre.kernels.LaunchShape;

/**
 * Instances of a litmus program, run once. See {@link DeviceLitmus#run}.
 *
 * @param words {@code 2 * instances * MAX_PAD} ints, of which the first {@code 2 * instances * pad}
 *     are the cells, all 0, and {@link LitmusCodes#SCRATCH} more
 * @param results {@link LitmusCodes#REGISTERS} ints per instance, all 0
 * @param meeting one long: how many test threads have begun how many chunks, in all launches
 * @param code what is run; see {@link LitmusCodes#code}
 * @param roles threads of an instance
 * @param group how many neighbours have the same role
 * @param testThreads threads that run instances, a multiple of {@code roles * group}; those after
 *     them are stress threads
 * @param instances number of instances
 * @param chunks how often threads meet; a divisor of {@code instances}
 * @param pad ints from one instance's word to the next one's
 * @param meetUntil what {@code meeting} is once all test threads of this launch have begun; every
 *     chunk adds as many again
 * @param meetPolls how often a thread looks whether all have begun, before each chunk; 0 for not
 * @param stressRounds what a stress thread does before it ends
 */
public record RunDeviceLitmus(
    DeviceInts words,
    ThreadInts results,
    DeviceLongs meeting,
    int code,
    int roles,
    int group,
    int testThreads,
    long instances,
    long chunks,
    int pad,
    long meetUntil,
    long meetPolls,
    long stressRounds)
    implements Kernel {

  public RunDeviceLitmus {
    if (testThreads % (roles * group) != 0) {
      throw new IllegalArgumentException(
          testThreads + " threads do not make groups of " + group + " with " + roles + " roles");
    }
  }

  @Override
  public void run(int thread, LaunchShape shape) {
    DeviceLitmus.run(
        thread,
        words,
        results,
        meeting,
        code,
        roles,
        group,
        testThreads,
        instances,
        chunks,
        pad,
        meetUntil,
        meetPolls,
        stressRounds);
  }
}
