package dev.gyre.atomics.tornadovm.graal;

import dev.gyre.atomics.tornadovm.Meetings;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import jdk.graal.compiler.graph.Node;
import jdk.graal.compiler.nodes.FixedNode;
import jdk.graal.compiler.nodes.IfNode;
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
 * Finds barriers, and what warps do together, on branches that some threads of a block take and
 * others do not: a condition is made of the number of the thread, or of its lane.
 *
 * <p>It sees no more than that. A quotient of the number is taken to be the same for a block, as
 * {@code thread / blockSize} is, and so is what is read from memory.
 */
final class UniformFlow {

  private final ControlFlowGraph flow;

  /** For each block, the branches which decide whether it is come to. */
  private final Map<HIRBlock, Set<HIRBlock>> deciders = new HashMap<>();

  private final Map<Node, Boolean> known = new HashMap<>();
  private final Set<HIRBlock> asked = new HashSet<>();

  private UniformFlow(StructuredGraph graph) {
    flow =
        ControlFlowGraph.newBuilder(graph)
            .connectBlocks(true)
            .computeLoops(true)
            .computeDominators(true)
            .computePostdominators(true)
            .build();
    for (HIRBlock branch : flow.getBlocks()) {
      for (int i = 0; branch.getSuccessorCount() > 1 && i < branch.getSuccessorCount(); i++) {
        HIRBlock end = branch.getPostdominator();
        HIRBlock at = branch.getSuccessorAt(i);
        while (at != null && !at.equals(end)) {
          boolean _ = deciders.computeIfAbsent(at, b -> new HashSet<>()).add(branch);
          at = at.getPostdominator();
        }
      }
    }
  }

  /** A call that all threads must come by, where not all do; null if none is seen. */
  static @Nullable Node flaw(StructuredGraph graph) {
    Node flaw = null;
    UniformFlow flow = null;
    for (TextNode node : graph.getNodes().filter(TextNode.class)) {
      if (node.text().contains(Meetings.BARRIER) || node.text().contains(Meetings.WARP)) {
        flow = flow == null ? new UniformFlow(graph) : flow;
        flaw = flow.isDivergent(flow.flow.blockFor(node)) ? node : flaw;
      }
    }
    return flaw;
  }

  /** Whether threads of a block differ in coming to a block of code. */
  private boolean isDivergent(HIRBlock block) {
    boolean divergent = false;
    if (asked.add(block)) {
      for (HIRBlock decider : deciders.getOrDefault(block, Set.of())) {
        divergent |= differs(condition(decider.getEndNode())) || isDivergent(decider);
      }
      boolean _ = asked.remove(block);
    }
    return divergent;
  }

  private static @Nullable ValueNode condition(FixedNode end) {
    return switch (end) {
      case IfNode branch -> branch.condition();
      case SwitchNode branch -> branch.value();
      default -> null;
    };
  }

  /** Whether a value differs between threads of a block. */
  private boolean differs(@Nullable Node value) {
    if (value == null) {
      return false;
    }
    Boolean before = known.putIfAbsent(value, false);
    if (before == null) {
      boolean differs =
          switch (value) {
            case LoadFieldNode field when isThreadNumber(field) -> true;
            case IntegerDivRemNode quotient when quotient.getOp() == IntegerDivRemNode.Op.DIV ->
                false;
            case TextNode text when text.text().contains(Meetings.LANE) -> true;
            case TextNode text when text.isOnElement() -> false;
            default -> inputsDiffer(value);
          };
      if (value instanceof PhiNode phi) {
        for (Node end : phi.merge().cfgPredecessors()) {
          differs |= isDivergent(flow.blockFor(end));
        }
      }
      known.put(value, differs);
      return differs;
    }
    return before;
  }

  private boolean inputsDiffer(Node value) {
    boolean differs = false;
    for (Node input : value.inputs()) {
      differs |=
          input instanceof ValueNode v && v.getStackKind() != JavaKind.Void && differs(input);
    }
    return differs;
  }

  private static boolean isThreadNumber(LoadFieldNode load) {
    String name = load.field().getName();
    return load.field().getDeclaringClass().toJavaName().equals(KernelContext.class.getName())
        && (name.equals("globalIdx") || name.equals("localIdx"));
  }
}
