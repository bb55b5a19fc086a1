package dev.gyre.bench.cli;

import dev.gyre.bench.cli.Targets.Notice;
import dev.gyre.datasets.ByteProgress;
import dev.gyre.kernels.Launcher;
import dev.gyre.kernels.Launchers;
import dev.gyre.kernels.Launchers.Work;
import dev.gyre.kernels.Target;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The options that say where a command works. */
final class DeviceOptions {

  /** All devices of the target, as a group. */
  private static final String ALL = "all";

  @Spec(Spec.Target.MIXEE)
  private @Nullable CommandSpec spec;

  @Option(
      names = "--target",
      paramLabel = "auto|jvm|opencl|ptx|cuda",
      description =
          "Where to run; by default auto: an NVIDIA GPU if one is usable and the "
              + "work is large enough, otherwise the JVM.")
  private String target = Targets.AUTO;

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

  /** The same for work of which it is not known how much it is. */
  Target resolve(boolean quiet) {
    return resolve(quiet, Work.TEXT, ByteProgress.UNKNOWN);
  }

  /**
   * The target that is asked for, or chosen.
   *
   * @param amount how much work there is; {@link ByteProgress#UNKNOWN} where that is not known
   * @throws ParameterException if there is no such target, or it has no device of that number
   */
  Target resolve(boolean quiet, Work work, long amount) {
    CommandLine command = Objects.requireNonNull(spec).commandLine();
    Notice unlessVerbose = quiet ? Notice.NEVER : Notice.WHERE_IT_MATTERS;
    Target resolved =
        Targets.resolve(command, target, work, amount, verbose ? Notice.ALWAYS : unlessVerbose);
    int count = Launchers.find(resolved).devices().size();
    // Where there are none at all the reason is more than a wrong number: open() gives it.
    if (!device.equals(ALL) && (!isNumber() || (Integer.parseInt(device) >= count && count > 0))) {
      throw new ParameterException(
          command,
          "--device: target %s has no device %s; gyre devices lists its devices"
              .formatted(resolved.label(), device));
    }
    return resolved;
  }

  /** Whether the target was chosen, not asked for. */
  boolean isAuto() {
    return target.equals(Targets.AUTO);
  }

  private boolean isNumber() {
    return device.matches("[0-9]{1,9}");
  }

  /** Says what took the time when it is closed, if that was asked for; close it first. */
  @Nullable Profile profile(Launcher launcher) {
    return profiled
        ? new Profile(launcher, Objects.requireNonNull(spec).commandLine().getErr())
        : null;
  }

  /** A launcher for the device, or all, of a target that was {@linkplain #resolve resolved}. */
  Launcher open(Target resolved) {
    return device.equals(ALL)
        ? Launchers.openAll(resolved)
        : Launchers.open(resolved, Integer.parseInt(device));
  }
}
