package dev.gyre.structures.fuzz;

import dev.gyre.kernels.Target;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What the main was asked for.
 *
 * @param seed of the first program; the next ones count up
 * @param seconds how long to begin programs
 * @param operations how many operations to begin programs for
 * @param programs how many programs of each structure, at most
 * @param threads of each structure, and that call it at once; 0 for 1 to 8 in turn
 * @param only a part of the names of the structures
 * @param device the number of the target's device
 */
record FuzzOptions(
    long seed,
    long seconds,
    long operations,
    long programs,
    int threads,
    String only,
    Target target,
    int device) {

  static final String USAGE =
      """
      Runs random operations on every structure, against plain models.

        --seed=N        of the first program; the next ones count up. By default 1
        --seconds=S     how long; by default 10, or as long as it takes if --operations or --programs
                        is given
        --operations=N  how many operations, about
        --programs=N    how many programs of each structure, at most
        --threads=N     threads of each structure, and that call it at once; by default 1 to 8
        --only=TEXT     only structures whose name has this text in it
        --target=T      jvm, opencl, ptx or cuda; by default the property gyre.target, or jvm
        --device=N      which device of the target; by default 0

      A program is a sequence of operations on one structure, which its seed determines. A program
      that fails is made smaller and printed, with the options that run it again; then its structure
      has no further turn. The last line is
      programs=N operations=N failed=N seed=N target=T seconds=S.
      Exit codes: 0 no difference; 1 a difference; 2 bad usage.\
      """;

  private static final int MAX_THREADS = 1024;

  private static final List<String> NAMES =
      FuzzTarget.words("seed seconds operations programs threads only target device");

  /**
   * Reads {@code --name=value}; a value that is empty is as if it was not given.
   *
   * @throws IllegalArgumentException if an option is none, or has a bad value
   */
  static FuzzOptions parse(String... arguments) {
    Map<String, String> given = new HashMap<>();
    for (String argument : arguments) {
      int end = argument.indexOf('=');
      if (!argument.startsWith("--") || end < 0 || !NAMES.contains(argument.substring(2, end))) {
        throw new IllegalArgumentException("no such option: " + argument);
      }
      if (end + 1 < argument.length()) {
        given.put(argument.substring(2, end), argument.substring(end + 1));
      }
    }
    boolean counted = given.containsKey("operations") || given.containsKey("programs");
    return new FuzzOptions(
        whole(given, "seed", 1, Long.MIN_VALUE, Long.MAX_VALUE),
        whole(given, "seconds", counted ? Long.MAX_VALUE : 10, 1, Long.MAX_VALUE),
        whole(given, "operations", Long.MAX_VALUE, 1, Long.MAX_VALUE),
        whole(given, "programs", Long.MAX_VALUE, 1, Long.MAX_VALUE),
        (int) whole(given, "threads", 0, 1, MAX_THREADS),
        given.getOrDefault("only", ""),
        target(given.getOrDefault("target", System.getProperty("gyre.target", "jvm"))),
        (int) whole(given, "device", 0, 0, Integer.MAX_VALUE));
  }

  private static Target target(String label) {
    try {
      return Target.ofLabel(label);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("--target: " + e.getMessage(), e);
    }
  }

  private static long whole(
      Map<String, String> given, String name, long otherwise, long least, long most) {
    String text = given.get(name);
    if (text == null) {
      return otherwise;
    }
    try {
      long number = Long.parseLong(text);
      if (number >= least && number <= most) {
        return number;
      }
    } catch (NumberFormatException _) {
      // Refused below.
    }
    throw new IllegalArgumentException(
        "--%s must be a number from %d to %d, not %s".formatted(name, least, most, text));
  }
}
