package dev.gyre.atomics.tornadovm.ptx;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Finds where TornadoVM's PTX backend reads a condition that may not have been computed.
 *
 * <p>It computes a condition at its first use, and reads that register at the others, even if the
 * first use was on a branch that was not taken. The register then has an undefined content. This
 * class follows every path through the text, with the predicates that were written on all paths to
 * an instruction, as a Java compiler does for local variables.
 */
final class PtxPredicates {

  private static final Pattern LABEL = Pattern.compile("(\\w+):");
  private static final Pattern BRANCH = Pattern.compile("(@\\S+\\s+)?bra(?:\\.uni)?\\s+(\\w+);");
  private static final Pattern WRITE = Pattern.compile("(?:setp\\S*|\\w+\\.pred)\\s+rpb(\\d+),.*");
  private static final Pattern PREDICATE = Pattern.compile("\\brpb(\\d+)\\b");

  private final List<String> instructions = new ArrayList<>();
  private final Map<String, Integer> labels = new HashMap<>();

  /** Per instruction, the predicates that are written before it; null if it is unreachable. */
  private final BitSet[] written;

  private PtxPredicates(String source) {
    List<String> lines = source.lines().map(String::strip).dropWhile(l -> !isLabel(l)).toList();
    for (String line : lines) {
      if (isLabel(line)) {
        labels.put(line.substring(0, line.length() - 1), instructions.size());
      } else if (!line.isEmpty() && !line.equals("}")) {
        instructions.add(line);
      }
    }
    written = new BitSet[instructions.size() + 1];
  }

  private static boolean isLabel(String line) {
    return LABEL.matcher(line).matches();
  }

  /**
   * Returns what is wrong with a kernel, in words; empty if every condition is computed before it
   * is read.
   */
  static Optional<String> flaw(String source) {
    PtxPredicates predicates = new PtxPredicates(source);
    predicates.follow();
    return predicates.unwritten();
  }

  private void follow() {
    Deque<Integer> left = new ArrayDeque<>();
    reach(0, new BitSet(), left);
    while (!left.isEmpty()) {
      int at = left.pop();
      if (at < instructions.size()) {
        follow(at, left);
      }
    }
  }

  private void follow(int at, Deque<Integer> left) {
    String instruction = instructions.get(at);
    BitSet after = (BitSet) written[at].clone();
    Matcher write = WRITE.matcher(instruction);
    if (write.matches()) {
      after.set(Integer.parseInt(write.group(1)));
    }
    Matcher branch = BRANCH.matcher(instruction);
    boolean branches = branch.matches();
    if (branches) {
      reach(labels.getOrDefault(branch.group(2), instructions.size()), after, left);
    }
    boolean goesOn = !branches || branch.group(1) != null;
    if (goesOn && !instruction.startsWith("ret")) {
      reach(at + 1, after, left);
    }
  }

  /** Notes what is written before an instruction, which is followed if that is new. */
  private void reach(int at, BitSet after, Deque<Integer> left) {
    BitSet known = written[at];
    BitSet both = (BitSet) after.clone();
    if (known != null) {
      both.and(known);
    }
    if (!both.equals(known)) {
      written[at] = both;
      left.push(at);
    }
  }

  private Optional<String> unwritten() {
    for (int at = 0; at < instructions.size(); at++) {
      String instruction = instructions.get(at);
      Matcher read = PREDICATE.matcher(instruction);
      Matcher write = WRITE.matcher(instruction);
      int from = write.matches() ? write.end(1) : 0;
      while (written[at] != null && read.find(from)) {
        if (!written[at].get(Integer.parseInt(read.group(1)))) {
          return Optional.of(
              "%s is read by \"%s\", and not written on every way there"
                  .formatted(read.group(), instruction));
        }
        from = read.end();
      }
    }
    return Optional.empty();
  }
}
