package dev.gyre.bench.cli;

import dev.gyre.datasets.ByteProgress;
import dev.gyre.kernels.Launcher;
import dev.gyre.kernels.Launchers;
import dev.gyre.kernels.Launchers.Work;
import dev.gyre.kernels.Target;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** The options that say where a command works. */
final class DeviceOptions extends UserCommand {

  /** A GPU where one can be used, else the JVM. */
  private static final String AUTO = "auto";

  /** All devices of the target, as a group. */
  private static final String ALL = "all";

  @Option(
      names = "--target",
      paramLabel = "auto|jvm|opencl|ptx|cuda",
      description =
          "Where to run; by default auto: an NVIDIA GPU if one is usable and the "
              + "work is large enough, otherwise the JVM.")
  private String target = AUTO;

  @Option(
      names = "--device",
      paramLabel = "N|all",
      description =
          "Which device of the target, by its number in gyre devices, or all of them together; by"
              + " default 0.")
  private String device = "0";

  @Option(
      names = "--profile",
      description =
          "At the end, report on standard error what took the time: kernels, copies, staging,"
              + " growth, waits.")
  private boolean profiled;

  @Option(
      names = "--verbose",
      description = "Report on standard error which target was chosen, and why.")
  private boolean verbose;

  /**
   * The target that is asked for, or chosen.
   *
   * @param amount how much work there is; {@link ByteProgress#UNKNOWN} where that is not known
   * @throws ParameterException if there is no such target, or it has no device of that number
   */
  Target resolve(boolean quiet, Work work, long amount) {
    Target resolved = isAuto() ? chosen(quiet, work, amount) : target(target, ", " + AUTO);
    int count = Launchers.find(resolved).devices().size();
    // Where there are none at all the reason is more than a wrong number: open() gives it.
    if (!device.equals(ALL)
        && (!device.matches("[0-9]{1,9}") || (Integer.parseInt(device) >= count && count > 0))) {
      throw usage(
          "--device: target %s has no device %s; gyre devices lists its devices"
              .formatted(resolved.label(), device));
    }
    return resolved;
  }

  /** Chooses the target, which is reported if the choice matters. */
  private Target chosen(boolean quiet, Work work, long amount) {
    Launchers.Choice choice =
        amount == ByteProgress.UNKNOWN ? Launchers.auto() : Launchers.autoFor(work, amount);
    boolean ofJvm = choice.target() == Target.JVM;
    // What is done by default, and changes nothing, need not be said.
    boolean matters = !ofJvm || line().getParseResult().hasMatchedOption("--target");
    if (verbose || (matters && !quiet)) {
      String why = choice.why() + (ofJvm ? "" : " can be used");
      err().printf("target %s, chosen since %s%n", choice.target().label(), why);
    }
    return choice.target();
  }

  /** Whether the target was chosen, not asked for. */
  boolean isAuto() {
    return target.equals(AUTO);
  }

  /** Says what took the time when it is closed, if that was asked for; close it first. */
  @Nullable Profile profile(Launcher launcher) {
    return profiled ? new Profile(launcher, err()) : null;
  }

  /** A launcher for the device, or all, of a target that was {@linkplain #resolve resolved}. */
  Launcher open(Target resolved) {
    return device.equals(ALL)
        ? Launchers.openAll(resolved)
        : Launchers.open(resolved, Integer.parseInt(device));
  }
}
