package dev.gyre.atomics.tornadovm.graal;

import jdk.graal.compiler.nodes.ConstantNode;
import jdk.graal.compiler.nodes.LogicNode;
import jdk.graal.compiler.nodes.ShortCircuitOrNode;
import jdk.graal.compiler.nodes.StructuredGraph;
import jdk.graal.compiler.nodes.ValueNode;
import jdk.graal.compiler.nodes.calc.ConditionalNode;
import jdk.graal.compiler.nodes.calc.IntegerEqualsNode;

/**
 * Fixes conditions such as {@code x || (y && z)}, which the compiler represents as {@code x || !(!y
 * || !z)}. TornadoVM's OpenCL backend writes the inner one, negated, as {@code !y && !z}. So the
 * inner one becomes a number, which the outer one compares.
 */
final class NegatedConditions {

  private NegatedConditions() {}

  /** Fixes all conditions of a kernel, each of which has one reader. */
  static void fix(StructuredGraph graph) {
    for (ShortCircuitOrNode outer : graph.getNodes().filter(ShortCircuitOrNode.class).snapshot()) {
      LogicNode x = outer.getX();
      LogicNode y = outer.getY();
      if (outer.isXNegated() && x instanceof ShortCircuitOrNode) {
        outer.replaceFirstInput(x, compared(graph, x));
      }
      if (outer.isYNegated() && y instanceof ShortCircuitOrNode) {
        outer.replaceFirstInput(y, compared(graph, y));
      }
    }
  }

  private static LogicNode compared(StructuredGraph graph, LogicNode condition) {
    ConstantNode one = ConstantNode.forInt(1, graph);
    ConstantNode zero = ConstantNode.forInt(0, graph);
    ValueNode number = graph.addWithoutUnique(new ConditionalNode(condition, one, zero));
    return graph.addWithoutUnique(new IntegerEqualsNode(number, one));
  }
}
