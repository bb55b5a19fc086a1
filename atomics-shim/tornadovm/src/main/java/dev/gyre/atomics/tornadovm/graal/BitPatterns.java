package dev.gyre.atomics.tornadovm.graal;

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

  static void mendOpenCl(StructuredGraph graph, Printer printer) {
    for (ReinterpretNode node : graph.getNodes().filter(ReinterpretNode.class).snapshot()) {
      boolean isLong = bits(node) > Integer.SIZE;
      String type =
          node.stamp(NodeView.DEFAULT) instanceof FloatStamp
              ? isLong ? "double" : "float"
              : isLong ? "long" : "int";
      replace(graph, node, "$r = as_%s($x);".formatted(type), printer);
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
