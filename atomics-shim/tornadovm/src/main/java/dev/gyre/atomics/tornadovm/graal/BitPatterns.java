package dev.gyre.atomics.tornadovm.graal;

import dev.gyre.atomics.tornadovm.c.CDialect;
import jdk.graal.compiler.core.common.type.FloatStamp;
import jdk.graal.compiler.core.common.type.PrimitiveStamp;
import jdk.graal.compiler.nodes.NodeView;
import jdk.graal.compiler.nodes.StructuredGraph;
import jdk.graal.compiler.nodes.calc.ReinterpretNode;

/**
 * Numbers taken by their bits, as {@code Float.intBitsToFloat} does, for which the backends have no
 * code.
 */
final class BitPatterns {

  private BitPatterns() {}

  static void mendC(StructuredGraph graph, CDialect dialect, Printer printer) {
    for (ReinterpretNode node : graph.getNodes().filter(ReinterpretNode.class).snapshot()) {
      String function =
          node.stamp(NodeView.DEFAULT) instanceof FloatStamp
              ? dialect.floating(bits(node))
              : dialect.bits(bits(node));
      replace(graph, node, "$r = %s($x);".formatted(function), printer);
    }
  }

  static void mendPtx(StructuredGraph graph, Printer printer) {
    for (ReinterpretNode node : graph.getNodes().filter(ReinterpretNode.class).snapshot()) {
      replace(graph, node, "mov.b%d $r, $x;".formatted(bits(node)), printer);
    }
  }

  private static int bits(ReinterpretNode node) {
    return ((PrimitiveStamp) node.stamp(NodeView.DEFAULT)).getBits();
  }

  private static void replace(
      StructuredGraph graph, ReinterpretNode node, String text, Printer printer) {
    node.replaceAtUsagesAndDelete(
        graph.addOrUnique(
            new WrappingNode(
                node.stamp(NodeView.DEFAULT), text, printer, node.getValue(), node.getValue())));
  }
}
