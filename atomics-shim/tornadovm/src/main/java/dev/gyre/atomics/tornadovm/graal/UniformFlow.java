package dev.gyre.atomics.tornadovm.graal;

import dev.gyre.atomics.tornadovm.Meetings;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import jdk.graal.compiler.graph.Node;
import jdk.graal.compiler.nodes.FixedNode;
import jdk.graal.compiler.nodes.IfNode;
import jdk.graal.compiler.nodes.LoopBeginNode;
import jdk.graal.compiler.nodes.LoopEndNode;
import jdk.graal.compiler.nodes.PhiNode;
import jdk.graal.compiler.nodes.StructuredGraph;
import jdk.graal.compiler.nodes.ValueNode;
import jdk.graal.compiler.nodes.calc.IntegerDivRemNode;
import jdk.graal.compiler.nodes.cfg.ControlFlowGraph;
import jdk.graal.compiler.nodes.cfg.HIRBlock;
import jdk.graal.compiler.nodes.extended.SwitchNode;
import jdk.graal.compiler.nodes.java.LoadFieldNode;
import jdk.vm.ci.meta.JavaKind;
import org.jspecify.annotations.Nullable;
import uk.ac.manchester.tornado.api.KernelContext;

/**
 * Finds barriers and warp operations on branches that only some threads of a block take, because
 * their condition depends on the number of the thread or its lane.
 *
 * <p>It sees no more than that. A quotient of the number counts as the same for a block, like
 * {@code thread / blockSize}, and so does everything that is read from memory.
 */
final class UniformFlow {

  private final ControlFlowGraph flow;

  /** For each block, the branches that decide whether, or how many times, it is reached. */
  private final Map<HIRBlock, Set<HIRBlock>> deciders = new HashMap<>();

  /** Blocks of code that only some threads of a block reach. */
  private final Set<HIRBlock> divergent = new HashSet<>();

  /** Values that differ between threads of a block. */
  private final Set<Node> different = new HashSet<>();

  private UniformFlow(StructuredGraph graph) {
    flow = ControlFlowGraph.newBuilder(graph).connectBlocks(true).build();
    HIRBlock[] blocks = flow.getBlocks();
    BitSet[] later = later(blocks);
    for (HIRBlock branch : blocks) {
      for (int i = 0; branch.getSuccessorCount() > 1 && i < branch.getSuccessorCount(); i++) {
        BitSet decided = (BitSet) later[branch.getSuccessorAt(i).getId()].clone();
        boolean again = decided.get(branch.getId());
        decided.andNot(later[branch.getId()]);
        decided.set(branch.getId(), again);
        for (int b = decided.nextSetBit(0); b >= 0; b = decided.nextSetBit(b + 1)) {
          boolean _ = deciders.computeIfAbsent(blocks[b], _ -> new HashSet<>()).add(branch);
        }
      }
    }
    int before;
    do {
      before = divergent.size() + different.size();
      for (HIRBlock block : blocks) {
        if (isDivergent(block)) {
          boolean _ = divergent.add(block);
        }
      }
      for (Node node : graph.getNodes()) {
        if (differs(node)) {
          boolean _ = different.add(node);
        }
      }
    } while (divergent.size() + different.size() > before);
  }

  /**
   * Returns for each block itself and all blocks on every path from it to the end. (Graal's own
   * postdominators do not follow loops, so that the start of a loop has none.)
   */
  private static BitSet[] later(HIRBlock[] blocks) {
    BitSet[] later = new BitSet[blocks.length];
    for (HIRBlock block : blocks) {
      later[block.getId()] = new BitSet();
      later[block.getId()].set(0, blocks.length);
    }
    boolean changed = true;
    while (changed) {
      changed = false;
      for (int b = blocks.length - 1; b >= 0; b--) {
        BitSet all = new BitSet();
        for (int i = 0; i < blocks[b].getSuccessorCount(); i++) {
          BitSet those = later[blocks[b].getSuccessorAt(i).getId()];
          if (i == 0) {
            all.or(those);
          } else {
            all.and(those);
          }
        }
        all.set(blocks[b].getId());
        changed |= !all.equals(later[blocks[b].getId()]);
        later[blocks[b].getId()] = all;
      }
    }
    return later;
  }

  /** Returns a call that all threads must reach and not all do, or null. */
  static @Nullable Node flaw(StructuredGraph graph) {
    Node flaw = null;
    UniformFlow flow = null;
    for (TextNode node : graph.getNodes().filter(TextNode.class)) {
      if (node.text().contains(Meetings.BARRIER) || node.text().contains(Meetings.WARP)) {
        flow = flow == null ? new UniformFlow(graph) : flow;
        flaw = flow.divergent.contains(flow.flow.blockFor(node)) ? node : flaw;
      }
    }
    return flaw;
  }

  private boolean isDivergent(HIRBlock block) {
    return deciders.getOrDefault(block, Set.of()).stream()
        .anyMatch(d -> divergent.contains(d) || different.contains(condition(d.getEndNode())));
  }

  private static @Nullable ValueNode condition(FixedNode end) {
    return switch (end) {
      case IfNode branch -> branch.condition();
      case SwitchNode branch -> branch.value();
      default -> null;
    };
  }

  private boolean differs(Node value) {
    return switch (value) {
      case LoadFieldNode field when isThreadNumber(field) -> true;
      case IntegerDivRemNode quotient when quotient.getOp() == IntegerDivRemNode.Op.DIV -> false;
      case TextNode text when text.text().contains(Meetings.LANE) -> true;
      case TextNode text when text.isOnElement() -> false;
      case PhiNode phi -> inputsDiffer(phi) || waysDiffer(phi);
      default -> inputsDiffer(value);
    };
  }

  private boolean inputsDiffer(Node value) {
    boolean differs = false;
    for (Node input : value.inputs()) {
      differs |=
          input instanceof ValueNode v
              && v.getStackKind() != JavaKind.Void
              && different.contains(v);
    }
    return differs;
  }

  /** Returns whether threads arrive by different paths, or with different numbers of iterations. */
  private boolean waysDiffer(PhiNode phi) {
    boolean differ = false;
    if (phi.merge() instanceof LoopBeginNode loop) {
      differ = divergent.contains(flow.blockFor(loop));
      ValueNode first = phi.valueAt(loop.loopEnds().first());
      for (LoopEndNode end : loop.loopEnds()) {
        differ |= !phi.valueAt(end).equals(first) && divergent.contains(flow.blockFor(end));
      }
    } else {
      for (Node end : phi.merge().cfgPredecessors()) {
        differ |= divergent.contains(flow.blockFor(end));
      }
    }
    return differ;
  }

  private static boolean isThreadNumber(LoadFieldNode load) {
    String name = load.field().getName();
    return load.field().getDeclaringClass().toJavaName().equals(KernelContext.class.getName())
        && (name.equals("globalIdx") || name.equals("localIdx"));
  }
}
