package dev.gyre.atomics.tornadovm.graal;

import jdk.graal.compiler.graph.Node;
import jdk.graal.compiler.nodes.ConstantNode;
import jdk.graal.compiler.nodes.StructuredGraph;
import jdk.graal.compiler.nodes.ValueNode;
import jdk.graal.compiler.nodes.calc.AndNode;
import jdk.graal.compiler.nodes.calc.IntegerEqualsNode;
import jdk.graal.compiler.nodes.calc.NarrowNode;
import jdk.graal.compiler.nodes.calc.ZeroExtendNode;

/**
 * Fixes booleans that methods return, which are narrowed to their lowest bit. The backends have no
 * type for that: they stay numbers whose other bits are cleared.
 */
final class SingleBits {

  private SingleBits() {}

  static void fix(StructuredGraph graph) {
    for (NarrowNode narrow : graph.getNodes().filter(NarrowNode.class).snapshot()) {
      if (narrow.getResultBits() == 1) {
        for (Node user : narrow.usages().snapshot()) {
          widen(graph, narrow, user);
        }
        if (narrow.hasNoUsages()) {
          narrow.safeDelete();
        }
      }
    }
  }

  private static void widen(StructuredGraph graph, NarrowNode narrow, Node user) {
    if (user instanceof ZeroExtendNode extended) {
      ValueNode bit = bit(graph, narrow);
      ValueNode wide =
          extended.getResultBits() == narrow.getInputBits()
              ? bit
              : extended.getResultBits() < narrow.getInputBits()
                  ? graph.addOrUnique(
                      new NarrowNode(bit, narrow.getInputBits(), extended.getResultBits()))
                  : graph.addOrUnique(
                      new ZeroExtendNode(bit, narrow.getInputBits(), extended.getResultBits()));
      extended.replaceAtUsagesAndDelete(wide);
    }
    if (user instanceof IntegerEqualsNode equals) {
      ValueNode other = equals.getX().equals(narrow) ? equals.getY() : equals.getX();
      if (other instanceof ConstantNode constant) {
        ConstantNode wide =
            ConstantNode.forIntegerBits(
                narrow.getInputBits(), constant.asJavaConstant().asLong() & 1, graph);
        equals.replaceAtUsagesAndDelete(
            graph.addOrUnique(new IntegerEqualsNode(bit(graph, narrow), wide)));
      }
    }
  }

  private static ValueNode bit(StructuredGraph graph, NarrowNode narrow) {
    ConstantNode one = ConstantNode.forIntegerBits(narrow.getInputBits(), 1, graph);
    return graph.addOrUnique(new AndNode(narrow.getValue(), one));
  }
}
