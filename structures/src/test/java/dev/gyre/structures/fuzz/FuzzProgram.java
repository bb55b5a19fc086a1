package dev.gyre.structures.fuzz;

import java.util.List;
import java.util.stream.Collectors;

/**
 * What is done to one structure, in order.
 *
 * @param seed from which the settings of the structure come
 * @param compared after one in so many steps all is compared, and at the end
 */
public record FuzzProgram(String target, long seed, List<FuzzStep> steps, int compared) {

  FuzzProgram with(List<FuzzStep> others) {
    return new FuzzProgram(target, seed, List.copyOf(others), compared);
  }

  /** The same, with all compared after each step. */
  FuzzProgram comparedOften() {
    return new FuzzProgram(target, seed, steps, 1);
  }

  @Override
  public String toString() {
    return steps.stream()
        .map(step -> "\n  " + step)
        .collect(Collectors.joining("", "%s, seed %d:".formatted(target, seed), ""));
  }
}
