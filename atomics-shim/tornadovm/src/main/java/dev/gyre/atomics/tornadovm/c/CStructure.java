package dev.gyre.atomics.tornadovm.c;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Finds where TornadoVM's C backends lost the control flow of a kernel.
 *
 * <p>They generate nested statements from a graph of blocks, and fail for some shapes. A block at
 * which branches of different depth join may be put into one of them, or run after branches that do
 * not lead to it. A branch in the head of a loop is cut off. Their comments show the intention:
 * {@code // BLOCK 9 MERGES [8 7 ]}. This class follows the text like a C compiler, and compares the
 * blocks from which each block is reached with the intended ones.
 */
public final class CStructure {

  private static final Pattern ASSIGNMENT = Pattern.compile("(\\w+) +=([^=].*);");
  private static final Pattern BLOCK =
      Pattern.compile("// BLOCK (\\d+)(?: MERGES \\[([\\d ]+)\\])?");

  private final Iterator<String> lines;
  private final Map<Integer, Set<Integer>> meant = new HashMap<>();
  private final Map<Integer, Set<Integer>> found = new HashMap<>();
  private final Set<Integer> written = new HashSet<>();

  /** For each loop around the line, the blocks that leave it. */
  private final Deque<Set<Integer>> breaks = new ArrayDeque<>();

  /** For each block, the variables that it assigns, with their values. */
  private final Map<Integer, Map<String, String>> assigned = new HashMap<>();

  private final Set<Integer> loopHeads = new HashSet<>();
  private int head;

  private CStructure(List<String> lines) {
    this.lines = lines.iterator();
  }

  /** Returns what is wrong with a kernel, in words; empty if every block is reached as intended. */
  public static Optional<String> flaw(String source) {
    CStructure structure =
        new CStructure(
            source.lines().map(String::strip).dropWhile(l -> !l.startsWith("// BLOCK")).toList());
    Set<Integer> _ = structure.sequence(Set.of());
    for (var merge : structure.meant.entrySet()) {
      Set<Integer> from = structure.found.getOrDefault(merge.getKey(), Set.of());
      if (!from.equals(merge.getValue())) {
        return Optional.of(
            "block %d is reached from %s, not from %s"
                .formatted(merge.getKey(), from, merge.getValue()));
      }
    }
    return structure.replacedValue();
  }

  /**
   * Finds a variable that a block gets from several previous blocks in sequence, so that all values
   * except one are lost.
   */
  private Optional<String> replacedValue() {
    for (var merge : meant.entrySet()) {
      if (!loopHeads.contains(merge.getKey())) {
        Map<String, String> here = assigned.getOrDefault(merge.getKey(), Map.of());
        for (int before : merge.getValue()) {
          for (var value : assigned.getOrDefault(before, Map.of()).entrySet()) {
            String again = here.getOrDefault(value.getKey(), value.getValue());
            if (merge.getValue().size() > 1 && !again.equals(value.getValue())) {
              return Optional.of(
                  "block %d replaces %s of block %d"
                      .formatted(merge.getKey(), value.getKey(), before));
            }
          }
        }
      }
    }
    return Optional.empty();
  }

  /**
   * Follows statements to the end of their braces.
   *
   * @param before the blocks that lead here
   * @return the blocks that lead out
   */
  private Set<Integer> sequence(Set<Integer> before) {
    Set<Integer> at = before;
    // The blocks before the last if, and the blocks that leave it if its condition holds.
    Set<Integer> branched = Set.of();
    Set<Integer> taken = Set.of();
    boolean ended = false;
    while (!ended && lines.hasNext()) {
      String line = lines.next();
      Matcher block = BLOCK.matcher(line);
      if (block.find()) {
        at = enter(block, at);
      } else if (line.startsWith("if(")) {
        branched = at;
        taken = body(at);
        at = union(taken, branched);
      } else if (line.startsWith("else")) {
        at = union(taken, body(branched));
      } else if (line.startsWith("for(")) {
        at = loop(line, at);
      } else if (line.startsWith("break")) {
        breaks.element().addAll(at);
        at = Set.of();
      } else if (line.startsWith("return")) {
        at = Set.of();
      } else if (line.startsWith("}")) {
        ended = true;
      } else {
        Matcher assignment = ASSIGNMENT.matcher(line);
        if (assignment.matches()) {
          assigned
              .computeIfAbsent(head, b -> new HashMap<>())
              .put(assignment.group(1), assignment.group(2));
        }
      }
    }
    return at;
  }

  /** Follows statements in braces. */
  private Set<Integer> body(Set<Integer> before) {
    String _ = lines.next();
    return sequence(before);
  }

  private Set<Integer> enter(Matcher block, Set<Integer> at) {
    int number = Integer.parseInt(block.group(1));
    head = number;
    if (block.group(2) != null) {
      Set<Integer> from = new HashSet<>();
      for (String n : Pattern.compile(" +").split(block.group(2).strip(), 0)) {
        from.add(Integer.valueOf(n));
      }
      meant.put(number, from);
    } else if (!at.isEmpty() || !written.isEmpty()) {
      // It has one previous block, of any number.
      meant.putIfAbsent(number, at.size() == 1 ? at : Set.of(-1));
    }
    written.add(number);
    found.computeIfAbsent(number, n -> new HashSet<>()).addAll(at);
    return Set.of(number);
  }

  private Set<Integer> loop(String line, Set<Integer> at) {
    int loopHead = head;
    boolean _ = loopHeads.add(loopHead);
    Set<Integer> out = new HashSet<>();
    if (!line.startsWith("for(;;)")) {
      out.addAll(at);
    }
    breaks.push(new HashSet<>());
    Set<Integer> end = body(at);
    found.computeIfAbsent(loopHead, n -> new HashSet<>()).addAll(end);
    out.addAll(breaks.pop());
    return out;
  }

  private static Set<Integer> union(Set<Integer> a, Set<Integer> b) {
    Set<Integer> all = new HashSet<>(a);
    all.addAll(b);
    return all;
  }
}
