package dev.gyre.bench.fuzz;

import java.util.List;
import java.util.stream.Collectors;

/**
 * What is done to one structure, in order.
 *
 * @param seed from which the settings of the structure come
 */
public record FuzzProgram(String subject, long seed, List<FuzzStep> steps) {

  FuzzProgram with(List<FuzzStep> others) {
    return new FuzzProgram(subject, seed, List.copyOf(others));
  }

  @Override
  public String toString() {
    return steps.stream()
        .map(step -> "\n  " + step)
        .collect(Collectors.joining("", "%s, seed %d:".formatted(subject, seed), ""));
  }
}
