package dev.gyre.atomics.tornadovm.ptx;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Finds where TornadoVM's PTX backend loses a branch.
 *
 * <p>It omits the branch at the end of a block whose successor follows in its order. In a loop with
 * several exits it may then write another block in between, so that the first one runs into a wrong
 * block. Blocks are numbered in that order. So a block without a branch at its end must be followed
 * by the next number, or by the condition of a loop with its own number.
 */
final class PtxBlocks {

  private static final Pattern LABEL = Pattern.compile("(BLOCK|LOOP_COND)_(\\d+):");
  private static final Pattern END = Pattern.compile("(bra\\.uni\\s.*|ret|exit);?");

  private PtxBlocks() {}

  /** Returns what is wrong with a kernel, in words; empty if each block runs into the next one. */
  static Optional<String> flaw(String source) {
    Optional<String> flaw = Optional.empty();
    int block = -1;
    boolean ended = true;
    for (String line : source.lines().map(String::strip).filter(l -> !l.isEmpty()).toList()) {
      Matcher label = LABEL.matcher(line);
      if (label.matches()) {
        int next = Integer.parseInt(label.group(2));
        int follows = label.group(1).equals("BLOCK") ? block + 1 : block;
        if (!ended && next != follows && flaw.isEmpty()) {
          flaw =
              Optional.of("block %d has no branch and runs into block %d".formatted(block, next));
        }
        block = next;
        ended = false;
      } else {
        ended = END.matcher(line).matches();
      }
    }
    return flaw;
  }
}
