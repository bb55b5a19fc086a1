package dev.gyre.bench.cli;

import dev.gyre.kernels.Device;
import dev.gyre.kernels.Launchers;
import java.io.PrintWriter;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code gyre devices}: what kernels can run on here, and why not on the rest. */
@Command(
    name = "devices",
    description = "Lists the devices that can be used, and why others cannot.",
    mixinStandardHelpOptions = true)
final class DevicesCommand implements Callable<Integer> {

  @Spec private @Nullable CommandSpec spec;

  @Option(
      names = "--target",
      paramLabel = "jvm|opencl|ptx",
      description = "List the devices of this target only.")
  private @Nullable String target;

  @Override
  public Integer call() {
    PrintWriter out = Objects.requireNonNull(spec).commandLine().getOut();
    for (Launchers.Found found : Launchers.all()) {
      String label = found.target().label();
      if (target == null || target.equals(label)) {
        for (Device device : found.devices()) {
          out.printf(
              Locale.ROOT, "%-7s %s, %d compute units%n", label, device.name(), device.units());
        }
        if (found.devices().isEmpty()) {
          out.printf(Locale.ROOT, "%-7s not usable: %s%n", label, found.problem());
        }
      }
    }
    return Gyre.OK;
  }
}
