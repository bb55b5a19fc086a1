package dev.gyre.bench.cli;

import dev.gyre.datasets.ByteProgress;
import dev.gyre.kernels.Launchers;
import dev.gyre.kernels.Launchers.Work;
import dev.gyre.kernels.Target;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;

/** The option {@code --target} of commands that run on devices. */
final class Targets {

  /** A GPU where one can be used, else the JVM. */
  static final String AUTO = "auto";

  /** When the chosen target is reported. */
  enum Notice {
    NEVER,
    WHERE_IT_MATTERS,
    ALWAYS
  }

  private Targets() {}

  /**
   * The target of a label, or the one that is chosen for {@link #AUTO}, which is then said.
   *
   * @param amount how much work there is; {@link ByteProgress#UNKNOWN} where that is not known
   * @param said when the choice is reported
   * @throws ParameterException if there is no such target
   */
  static Target resolve(CommandLine command, String label, Work work, long amount, Notice said) {
    if (label.equals(AUTO)) {
      Launchers.Choice choice =
          amount == ByteProgress.UNKNOWN ? Launchers.auto() : Launchers.autoFor(work, amount);
      // What is done by default, and changes nothing, need not be said.
      boolean asked = command.getParseResult().hasMatchedOption("--target");
      boolean changes = asked || choice.target() != Target.JVM;
      if (said == Notice.ALWAYS || (said == Notice.WHERE_IT_MATTERS && changes)) {
        command
            .getErr()
            .printf("target %s, chosen since %s%n", choice.target().label(), reason(choice));
      }
      return choice.target();
    }
    return ofLabel(command, label, ", " + AUTO);
  }

  /**
   * The target of a label, where none can be chosen.
   *
   * @param besides other possible labels, for the end of the error message
   * @throws ParameterException if there is no such target
   */
  static Target ofLabel(CommandLine command, String label, String besides) {
    try {
      return Target.ofLabel(label);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(command, "--target: " + e.getMessage() + besides);
    }
  }

  private static String reason(Launchers.Choice choice) {
    return choice.target() == Target.JVM ? choice.why() : choice.why() + " can be used";
  }
}
