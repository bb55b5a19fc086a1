package dev.gyre.atomics.tornadovm;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Finds where TornadoVM's OpenCL backend lost the control flow of a kernel.
 *
 * <p>It makes nested statements of a graph of blocks, and gets that wrong for some shapes: a block at
 * which branches of different depth meet is put into one of them, and a branch in the head of a loop
 * is cut off. The comments that it writes tell: {@code // BLOCK 9 MERGES [8 7 ]}. All blocks that
 * lead to a block, other than those that close a loop, must have been written before it.
 */
final class OpenClStructure {

  private static final Pattern BLOCK =
      Pattern.compile("// BLOCK (\\d+)(?: MERGES \\[([\\d ]+)\\])?");
  private static final Pattern LOOP = Pattern.compile("\\s*for\\(.*");

  private final Map<Integer, Integer> places = new HashMap<>();
  private final Map<Integer, List<Integer>> merges = new HashMap<>();

  private OpenClStructure() {}

  /** What is wrong with a kernel, in words; empty if its blocks are in order. */
  static Optional<String> flaw(String source) {
    OpenClStructure structure = new OpenClStructure();
    structure.read(source);
    for (var merge : structure.merges.entrySet()) {
      int place = structure.places.get(merge.getKey());
      for (int before : merge.getValue()) {
        Integer at = structure.places.get(before);
        if (at == null) {
          return Optional.of("block %d was lost".formatted(before));
        }
        if (at > place) {
          return Optional.of("block %d runs without block %d".formatted(merge.getKey(), before));
        }
      }
    }
    return Optional.empty();
  }

  private void read(String source) {
    int block = -1;
    for (String line : source.lines().toList()) {
      Matcher m = BLOCK.matcher(line);
      if (m.find()) {
        block = Integer.parseInt(m.group(1));
        int _ = places.merge(block, places.size(), (first, again) -> first);
        if (m.group(2) != null) {
          List<Integer> before = new ArrayList<>();
          for (String number : Pattern.compile(" +").split(m.group(2).strip(), 0)) {
            before.add(Integer.valueOf(number));
          }
          merges.put(block, before);
        }
      } else if (LOOP.matcher(line).matches()) {
        // The head of a loop: among the blocks before it are those that close the loop.
        merges.remove(block);
      }
    }
  }
}
