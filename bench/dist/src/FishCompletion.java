import dev.gyre.bench.cli.Gyre;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/** Writes completion of the gyre command for the fish shell, by picocli's model of it. */
final class FishCompletion {

  private final StringBuilder script = new StringBuilder("# Completion of gyre for fish.\n");

  public static void main(String[] arguments) throws IOException {
    Path file = Path.of(arguments[0]);
    Files.createDirectories(file.getParent());
    Files.writeString(file, new FishCompletion().of(new CommandLine(new Gyre())));
  }

  private String of(CommandLine gyre) {
    options(gyre.getCommandSpec(), "__fish_use_subcommand");
    for (Map.Entry<String, CommandLine> command : gyre.getSubcommands().entrySet()) {
      CommandSpec spec = command.getValue().getCommandSpec();
      add("__fish_use_subcommand", "-f -a " + command.getKey(), spec.usageMessage().description());
      options(spec, "__fish_seen_subcommand_from " + command.getKey());
    }
    add("__fish_use_subcommand", "-f -a doctor", "Checks the machine.");
    return script.toString();
  }

  private void options(CommandSpec spec, String condition) {
    for (OptionSpec option : spec.options()) {
      if (option.hidden()) {
        continue;
      }
      StringBuilder words = new StringBuilder();
      for (String name : option.names()) {
        words
            .append(words.isEmpty() ? "" : " ")
            .append(name.startsWith("--") ? "-l " : "-s ")
            .append(name.replaceFirst("^-+", ""));
      }
      if (option.arity().max() > 0) {
        words.append(" -r");
        // A label such as jvm|ptx|cuda lists what may be typed.
        if (option.paramLabel().matches("[a-z0-9]+(\\|[a-z0-9]+)+")) {
          words.append(" -f -a '").append(option.paramLabel().replace('|', ' ')).append('\'');
        }
      } else {
        words.append(" -f");
      }
      add(condition, words.toString(), option.description());
    }
  }

  private void add(String condition, String words, String[] description) {
    add(condition, words, description.length == 0 ? "" : description[0]);
  }

  private void add(String condition, String words, String description) {
    script.append(
        "complete -c gyre -n '%s' %s -d '%s'\n"
            .formatted(
                condition,
                words,
                description.replace("%n", " ").replace("\\", "\\\\").replace("'", "\\'")));
  }
}
