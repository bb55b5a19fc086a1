package dev.gyre.atomics.tornadovm.graal;

import dev.gyre.atomics.tornadovm.c.CDialect;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.ListIterator;
import java.util.Optional;
import jdk.graal.compiler.core.common.type.IntegerStamp;
import jdk.graal.compiler.core.common.type.PrimitiveStamp;
import jdk.graal.compiler.core.common.type.StampFactory;
import jdk.graal.compiler.graph.Node;
import jdk.graal.compiler.nodes.ConstantNode;
import jdk.graal.compiler.nodes.EndNode;
import jdk.graal.compiler.nodes.GraphState;
import jdk.graal.compiler.nodes.LogicConstantNode;
import jdk.graal.compiler.nodes.LogicNode;
import jdk.graal.compiler.nodes.LoopBeginNode;
import jdk.graal.compiler.nodes.LoopExitNode;
import jdk.graal.compiler.nodes.MergeNode;
import jdk.graal.compiler.nodes.NodeView;
import jdk.graal.compiler.nodes.PhiNode;
import jdk.graal.compiler.nodes.StructuredGraph;
import jdk.graal.compiler.nodes.ValueNode;
import jdk.graal.compiler.nodes.calc.AddNode;
import jdk.graal.compiler.nodes.calc.AndNode;
import jdk.graal.compiler.nodes.calc.BinaryArithmeticNode;
import jdk.graal.compiler.nodes.calc.BinaryNode;
import jdk.graal.compiler.nodes.calc.IntegerBelowNode;
import jdk.graal.compiler.nodes.calc.IntegerEqualsNode;
import jdk.graal.compiler.nodes.calc.IntegerLessThanNode;
import jdk.graal.compiler.nodes.calc.LeftShiftNode;
import jdk.graal.compiler.nodes.calc.MulNode;
import jdk.graal.compiler.nodes.calc.NegateNode;
import jdk.graal.compiler.nodes.calc.RightShiftNode;
import jdk.graal.compiler.nodes.calc.ShiftNode;
import jdk.graal.compiler.nodes.calc.SignExtendNode;
import jdk.graal.compiler.nodes.calc.SubNode;
import jdk.graal.compiler.nodes.calc.XorNode;
import jdk.graal.compiler.nodes.calc.ZeroExtendNode;
import jdk.graal.compiler.phases.BasePhase;
import jdk.graal.compiler.phases.PhaseSuite;
import jdk.graal.compiler.phases.schedule.SchedulePhase;
import jdk.vm.ci.meta.JavaConstant;
import org.jspecify.annotations.Nullable;
import uk.ac.manchester.tornado.runtime.graal.phases.TornadoLowTierContext;

/**
 * Phase that rewrites arithmetic that a backend mistranslates: unsigned comparisons, which both
 * backends sometimes treat as signed; unsigned shifts and the smallest numbers, on OpenCL; and
 * shift distances, which PTX does not take modulo the width.
 *
 * <p>It must run after the last phase that could undo it: comparisons become unsigned without the
 * program's doing, when two bounds are checked at once. The system property {@code gyre.unfixed}
 * switches it off, for the test that detects when TornadoVM is fixed.
 */
public final class FixArithmeticPhase extends BasePhase<TornadoLowTierContext> {

  private final @Nullable CDialect c;
  private final Printer printer;
  private final String copyInt;
  private final String copyLong;

  private FixArithmeticPhase(
      @Nullable CDialect c, Printer printer, String copyInt, String copyLong) {
    this.c = c;
    this.printer = printer;
    this.copyInt = copyInt;
    this.copyLong = copyLong;
  }

  /** Returns the phase for a backend that generates a dialect of C. */
  public static FixArithmeticPhase forC(CDialect dialect, Printer printer) {
    return new FixArithmeticPhase(dialect, printer, "$r = $x;", "$r = $x;");
  }

  public static FixArithmeticPhase forPtx(Printer printer) {
    return new FixArithmeticPhase(null, printer, "mov.b32 $r, $x;", "mov.b64 $r, $x;");
  }

  /** Inserts the phase before the final schedule. */
  public void insertInto(PhaseSuite<TornadoLowTierContext> tier) {
    insert(this, tier);
  }

  /** Inserts a phase there; the first one of several runs first. */
  static void insert(
      BasePhase<TornadoLowTierContext> phase, PhaseSuite<TornadoLowTierContext> tier) {
    ListIterator<BasePhase<? super TornadoLowTierContext>> schedule =
        tier.findPhase(SchedulePhase.class);
    if (schedule == null) {
      throw new LinkageError("the backend's phases are not those of TornadoVM 5.2");
    }
    BasePhase<? super TornadoLowTierContext> _ = schedule.previous();
    schedule.add(phase);
  }

  @Override
  public Optional<NotApplicable> notApplicableTo(GraphState state) {
    return ALWAYS_APPLICABLE;
  }

  @Override
  protected void run(StructuredGraph graph, TornadoLowTierContext context) {
    if (Boolean.getBoolean("gyre.unfixed")) {
      return;
    }
    separateLoopExits(graph);
    copyPhis(graph);
    SingleBits.fix(graph);
    for (IntegerBelowNode below : graph.getNodes().filter(IntegerBelowNode.class).snapshot()) {
      below.replaceAtUsagesAndDelete(
          graph.addOrUnique(
              new IntegerLessThanNode(flipped(graph, below.getX()), flipped(graph, below.getY()))));
    }
    fixKnownConditions(graph);
    if (c == null) {
      fixPtx(graph);
    } else {
      fixC(graph, c);
    }
    separateConditions(graph);
    if (c != null) {
      NegatedConditions.fix(graph);
    }
  }

  private void fixPtx(StructuredGraph graph) {
    for (ShiftNode<?> shift : graph.getNodes().filter(ShiftNode.class).snapshot()) {
      fixShift(graph, shift);
    }
    // An extended number has an unsigned type, and so has a comparison with it; its copy has not.
    for (ZeroExtendNode extended : graph.getNodes().filter(ZeroExtendNode.class).snapshot()) {
      if (extended.stamp(NodeView.DEFAULT) instanceof IntegerStamp stamp
          && stamp.getBits() >= Integer.SIZE) {
        ValueNode signed = graph.addWithoutUnique(copy(stamp, extended));
        extended.replaceAtUsages(signed, usage -> !usage.equals(signed));
      }
    }
  }

  private void fixC(StructuredGraph graph, CDialect dialect) {
    fixSmallest(graph);
    for (ZeroExtendNode extended : graph.getNodes().filter(ZeroExtendNode.class).snapshot()) {
      fixExtension(graph, extended);
    }
    for (ShiftNode<?> shift : graph.getNodes().filter(ShiftNode.class).snapshot()) {
      fixShift(graph, shift, dialect);
    }
    if (dialect == CDialect.CUDA) {
      fixCalls(graph);
    }
    // Last, because sums were added here.
    wrap(graph, dialect);
  }

  /**
   * Assigns arguments of functions of two longs, such as {@code min}, to variables: CUDA C has no
   * {@code max(long long, long)}, and a literal has another type than a variable.
   */
  private void fixCalls(StructuredGraph graph) {
    for (BinaryNode call : graph.getNodes().filter(BinaryNode.class).snapshot()) {
      boolean isOperator = call instanceof BinaryArithmeticNode || call instanceof ShiftNode;
      if (!isOperator
          && call.stamp(NodeView.DEFAULT) instanceof IntegerStamp stamp
          && stamp.getBits() > Integer.SIZE) {
        for (Node given : call.inputs().filter(ConstantNode.class).snapshot()) {
          call.replaceFirstInput(
              given,
              graph.addOrUnique(copy(StampFactory.forInteger(stamp.getBits()), (ValueNode) given)));
        }
      }
    }
  }

  /**
   * Replaces conditions that turned out to be constant after the last phase that removes their
   * branches. The backends have no code for them. Each becomes a comparison of two numbers.
   */
  private void fixKnownConditions(StructuredGraph graph) {
    for (LogicConstantNode known : graph.getNodes().filter(LogicConstantNode.class).snapshot()) {
      ConstantNode one = ConstantNode.forInt(1, graph);
      ConstantNode number = ConstantNode.forInt(known.getValue() ? 1 : 0, graph);
      ValueNode opaque = graph.addOrUnique(copy(StampFactory.forInteger(32), number));
      known.replaceAtUsages(graph.addOrUnique(new IntegerEqualsNode(opaque, one)));
    }
  }

  /**
   * Gives each use of a condition its own copy: the backends compute a condition at its first use,
   * and reuse the result even if that use was on a branch that was not taken.
   */
  private static void separateConditions(StructuredGraph graph) {
    Deque<Node> shared = new ArrayDeque<>(graph.getNodes().filter(LogicNode.class).snapshot());
    while (!shared.isEmpty()) {
      Node condition = shared.pop();
      for (Node user : condition.usages().snapshot().stream().skip(1).toList()) {
        Node own = condition.copyWithInputs(true);
        user.replaceFirstInput(condition, own);
        // The inputs of a condition are now shared with its copy.
        own.inputs().filter(LogicNode.class).forEach(shared::add);
      }
    }
  }

  private WrappingNode copy(PrimitiveStamp stamp, ValueNode value) {
    String move = stamp.getBits() > Integer.SIZE ? copyLong : copyInt;
    return new WrappingNode(stamp, move, printer, value, value);
  }

  /**
   * Separates exits of loops that join directly by a node without code. Otherwise the backends
   * assign the value of the second exit for both.
   */
  private void separateLoopExits(StructuredGraph graph) {
    for (MergeNode merge : graph.getNodes(MergeNode.TYPE).snapshot()) {
      EndNode first = merge.forwardEndAt(0);
      if (first.predecessor() instanceof LoopExitNode) {
        graph.addBeforeFixed(
            first, graph.add(new TextNode(StampFactory.forVoid(), "", printer, null, null, null)));
      }
    }
  }

  /**
   * Copies loop variables that are the next value of others: they get their next values one after
   * another instead of at once, so that a value could be read too late.
   */
  private void copyPhis(StructuredGraph graph) {
    for (LoopBeginNode loop : graph.getNodes(LoopBeginNode.TYPE).snapshot()) {
      for (PhiNode phi : loop.phis().snapshot()) {
        for (int i = 1; i < phi.valueCount(); i++) {
          ValueNode next = phi.valueAt(i);
          if (!next.equals(phi)
              && next instanceof PhiNode other
              && other.merge().equals(loop)
              && next.stamp(NodeView.DEFAULT) instanceof PrimitiveStamp stamp) {
            phi.setValueAt(i, graph.addOrUnique(copy(stamp, next)));
          }
        }
      }
    }
  }

  /**
   * Replaces the smallest numbers, for which OpenCL C has no literals: {@code -2147483648} is a
   * long, and shifts like one.
   */
  private static void fixSmallest(StructuredGraph graph) {
    for (ConstantNode c : graph.getNodes().filter(ConstantNode.class).snapshot()) {
      JavaConstant value = c.asJavaConstant();
      boolean smallest =
          value != null
              && switch (value.getJavaKind()) {
                case Int -> value.asInt() == Integer.MIN_VALUE;
                case Long -> value.asLong() == Long.MIN_VALUE;
                default -> false;
              };
      if (smallest) {
        c.replaceAtUsages(minimum(graph, c));
      }
    }
  }

  /** Makes sums, differences and products unsigned: signed overflow is undefined in C. */
  private void wrap(StructuredGraph graph, CDialect dialect) {
    for (NegateNode n : graph.getNodes().filter(NegateNode.class).snapshot()) {
      if (n.stamp(NodeView.DEFAULT) instanceof IntegerStamp) {
        n.replaceAtUsagesAndDelete(
            graph.addOrUnique(new SubNode(constant(graph, n, 0), n.getValue())));
      }
    }
    for (BinaryArithmeticNode<?> n :
        graph.getNodes().filter(BinaryArithmeticNode.class).snapshot()) {
      String operator =
          switch (n) {
            case AddNode _ -> "+";
            case SubNode _ -> "-";
            case MulNode _ -> "*";
            default -> "";
          };
      if (!operator.isEmpty() && n.stamp(NodeView.DEFAULT) instanceof IntegerStamp stamp) {
        String text =
            "$r = (%1$s)((%3$s)($x) %2$s (%3$s)($y));"
                .formatted(
                    dialect.signed(stamp.getBits()), operator, dialect.unsigned(stamp.getBits()));
        n.replaceAtUsagesAndDelete(
            graph.addOrUnique(new WrappingNode(stamp, text, printer, n.getX(), n.getY())));
      }
    }
  }

  /**
   * Clears the upper bits of an extended number: numbers are signed in C, so that an extension
   * copies the sign.
   */
  private static void fixExtension(StructuredGraph graph, ZeroExtendNode extended) {
    int from = extended.getInputBits();
    if (from >= Integer.SIZE) {
      ValueNode signed =
          graph.addOrUnique(
              new SignExtendNode(extended.getValue(), from, extended.getResultBits()));
      ConstantNode kept = constant(graph, extended, -1L >>> (Long.SIZE - from));
      extended.replaceAtUsagesAndDelete(graph.addOrUnique(new AndNode(signed, kept)));
    }
  }

  /**
   * Rewrites a shift: in C, distances beyond the width are undefined, and there is no unsigned
   * shift of signed numbers, which the backends write as a signed one.
   */
  private void fixShift(StructuredGraph graph, ShiftNode<?> shift, CDialect dialect) {
    int mask = shift.getShiftAmountMask();
    String signed = dialect.signed(mask + 1);
    String unsigned = dialect.unsigned(mask + 1);
    String text =
        switch (shift) {
          case LeftShiftNode _ -> "$r = (%s)((%s)($x) << ($y & %d));";
          case RightShiftNode _ -> "$r = (%s)((%1$s)($x) >> ($y & %3$d));";
          default -> "$r = (%s)((%s)($x) >> ($y & %d));";
        };
    replace(graph, shift, text.formatted(signed, unsigned, mask));
  }

  /**
   * Rewrites a shift: PTX clamps distances, while Java takes them modulo the width, and its backend
   * shifts signed numbers as if they were unsigned.
   */
  private void fixShift(StructuredGraph graph, ShiftNode<?> shift) {
    int width = shift.getShiftAmountMask() + 1;
    String name =
        switch (shift) {
          case LeftShiftNode _ -> "shl.b" + width;
          case RightShiftNode _ -> "shr.s" + width;
          default -> "shr.u" + width;
        };
    String text =
        "{ .reg .b32 gyre_n; and.b32 gyre_n, $y, %d; %s $r, $x, gyre_n; }"
            .formatted(width - 1, name);
    replace(graph, shift, text);
  }

  private void replace(StructuredGraph graph, ShiftNode<?> shift, String text) {
    shift.replaceAtUsagesAndDelete(
        graph.addOrUnique(
            new WrappingNode(
                shift.stamp(NodeView.DEFAULT), text, printer, shift.getX(), shift.getY())));
  }

  /**
   * Returns a number with its sign bit inverted, which compares signed like the original unsigned.
   */
  private static ValueNode flipped(StructuredGraph graph, ValueNode value) {
    return graph.addOrUnique(new XorNode(value, minimum(graph, value)));
  }

  /** Returns the smallest number of the type of a node. */
  private static ValueNode minimum(StructuredGraph graph, ValueNode like) {
    int width = ((IntegerStamp) like.stamp(NodeView.DEFAULT)).getBits();
    return graph.addOrUnique(
        new LeftShiftNode(constant(graph, like, 1), ConstantNode.forInt(width - 1, graph)));
  }

  private static ConstantNode constant(StructuredGraph graph, ValueNode like, long value) {
    IntegerStamp stamp = (IntegerStamp) like.stamp(NodeView.DEFAULT);
    return ConstantNode.forIntegerStamp(stamp.unrestricted(), value, graph);
  }
}
