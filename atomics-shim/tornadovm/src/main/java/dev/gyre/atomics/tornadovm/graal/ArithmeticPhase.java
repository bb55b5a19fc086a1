package dev.gyre.atomics.tornadovm.graal;

import dev.gyre.atomics.table.ElementType;
import dev.gyre.atomics.tornadovm.Arithmetic;
import dev.gyre.atomics.tornadovm.Syntax;
import dev.gyre.atomics.tornadovm.UnsupportedByDeviceException;
import java.util.ListIterator;
import java.util.Optional;
import java.util.function.Consumer;
import jdk.graal.compiler.core.common.type.FloatStamp;
import jdk.graal.compiler.core.common.type.Stamp;
import jdk.graal.compiler.core.common.type.StampFactory;
import jdk.graal.compiler.graph.Node;
import jdk.graal.compiler.nodes.ConstantNode;
import jdk.graal.compiler.nodes.GraphState;
import jdk.graal.compiler.nodes.LogicNode;
import jdk.graal.compiler.nodes.NodeView;
import jdk.graal.compiler.nodes.StructuredGraph;
import jdk.graal.compiler.nodes.ValueNode;
import jdk.graal.compiler.nodes.calc.AbsNode;
import jdk.graal.compiler.nodes.calc.AddNode;
import jdk.graal.compiler.nodes.calc.BinaryNode;
import jdk.graal.compiler.nodes.calc.CompareNode;
import jdk.graal.compiler.nodes.calc.FloatConvertNode;
import jdk.graal.compiler.nodes.calc.FloatDivNode;
import jdk.graal.compiler.nodes.calc.FloatEqualsNode;
import jdk.graal.compiler.nodes.calc.FloatLessThanNode;
import jdk.graal.compiler.nodes.calc.FloatNormalizeCompareNode;
import jdk.graal.compiler.nodes.calc.FloatingNode;
import jdk.graal.compiler.nodes.calc.IntegerEqualsNode;
import jdk.graal.compiler.nodes.calc.MulNode;
import jdk.graal.compiler.nodes.calc.NegateNode;
import jdk.graal.compiler.nodes.calc.ReinterpretNode;
import jdk.graal.compiler.nodes.calc.RemNode;
import jdk.graal.compiler.nodes.calc.SqrtNode;
import jdk.graal.compiler.nodes.calc.SubNode;
import jdk.graal.compiler.nodes.calc.UnaryNode;
import jdk.graal.compiler.phases.BasePhase;
import jdk.graal.compiler.phases.PhaseSuite;
import jdk.graal.compiler.phases.common.HighTierLoweringPhase;
import jdk.graal.compiler.phases.tiers.HighTierContext;
import jdk.vm.ci.meta.JavaConstant;
import jdk.vm.ci.meta.JavaKind;
import org.jspecify.annotations.Nullable;
import uk.ac.manchester.tornado.runtime.graal.TornadoSuites;
import uk.ac.manchester.tornado.runtime.graal.phases.TornadoHighTierContext;

/**
 * Phase that replaces floating-point arithmetic by text with the semantics of Java.
 *
 * <p>The backends round quotients and roots differently, fuse a product and a sum, forget that NaN
 * is neither less nor greater, and have no code for conversions that do not fit, for infinity, and
 * for bits. The phase runs before the first lowering, which hides conversions in nodes of the
 * backends. The property {@code gyre.unfixed} switches it off; see {@link FixArithmeticPhase}.
 */
public final class ArithmeticPhase extends BasePhase<HighTierContext> {

  private final Syntax syntax;
  private final Printer printer;
  private final Consumer<? super UnsupportedByDeviceException> refusals;

  private ArithmeticPhase(
      Syntax syntax, Printer printer, Consumer<? super UnsupportedByDeviceException> refusals) {
    this.syntax = syntax;
    this.printer = printer;
    this.refusals = refusals;
  }

  /** Adds the phase to a backend. */
  public static void install(
      TornadoSuites suites,
      Syntax syntax,
      Printer printer,
      Consumer<? super UnsupportedByDeviceException> refusals) {
    PhaseSuite<TornadoHighTierContext> tier = suites.getHighTier();
    ListIterator<BasePhase<? super TornadoHighTierContext>> lowering =
        tier.findPhase(HighTierLoweringPhase.class);
    if (lowering == null) {
      throw new LinkageError("the backend's phases are not those of TornadoVM 5.2");
    }
    BasePhase<? super TornadoHighTierContext> _ = lowering.previous();
    lowering.add(new ArithmeticPhase(syntax, printer, refusals));
  }

  @Override
  public Optional<NotApplicable> notApplicableTo(GraphState state) {
    return ALWAYS_APPLICABLE;
  }

  @Override
  protected void run(StructuredGraph graph, HighTierContext context) {
    if (Boolean.getBoolean("gyre.unfixed")) {
      return;
    }
    for (Node node : graph.getNodes().snapshot()) {
      switch (node) {
        case CompareNode compare when isFloating(compare.getX()) ->
            compare.replaceAtUsagesAndDelete(condition(graph, compare));
        case FloatNormalizeCompareNode compare ->
            compare.replaceAtUsagesAndDelete(normalized(graph, compare));
        case BinaryNode binary when isFloating(binary) ->
            replace(graph, binary, binary(binary), binary, binary.getX(), binary.getY());
        case UnaryNode unary ->
            replace(
                graph,
                unary,
                unary(unary),
                // A conversion is of the type that it ends with, if that is one.
                isFloating(unary) ? unary : unary.getValue(),
                unary.getValue(),
                unary.getValue());
        case ConstantNode constant when isSpecial(constant) ->
            constant.replaceAtUsages(bits(graph, constant));
        default -> {}
      }
    }
  }

  private static boolean isFloating(ValueNode node) {
    return node.stamp(NodeView.DEFAULT) instanceof FloatStamp;
  }

  /** Returns the type of a floating-point number. */
  private static ElementType typeOf(ValueNode node) {
    boolean isFloat = ((FloatStamp) node.stamp(NodeView.DEFAULT)).getBits() == Float.SIZE;
    return isFloat ? ElementType.FLOAT : ElementType.DOUBLE;
  }

  private void replace(
      StructuredGraph graph,
      FloatingNode node,
      @Nullable Arithmetic what,
      ValueNode typed,
      ValueNode x,
      ValueNode y) {
    if (what != null) {
      node.replaceAtUsagesAndDelete(text(graph, what, typeOf(typed), x, y));
    }
  }

  private static @Nullable Arithmetic binary(BinaryNode node) {
    return switch (node) {
      case AddNode _ -> Arithmetic.ADD;
      case SubNode _ -> Arithmetic.SUBTRACT;
      case MulNode _ -> Arithmetic.MULTIPLY;
      case FloatDivNode _ -> Arithmetic.DIVIDE;
      case RemNode _ -> Arithmetic.REMAINDER;
      default -> null;
    };
  }

  private static @Nullable Arithmetic unary(UnaryNode node) {
    return switch (node) {
      case SqrtNode _ -> Arithmetic.SQRT;
      case AbsNode _ when isFloating(node) -> Arithmetic.ABS;
      case NegateNode _ when isFloating(node) -> Arithmetic.NEGATE;
      case ReinterpretNode _ -> isFloating(node) ? Arithmetic.OF_BITS : Arithmetic.BITS;
      case FloatConvertNode convert ->
          switch (convert.getFloatConvert()) {
            case F2I, D2I -> Arithmetic.TO_INT;
            case F2L, D2L -> Arithmetic.TO_LONG;
            case I2F, I2D -> Arithmetic.OF_INT;
            case L2F, L2D -> Arithmetic.OF_LONG;
            case F2D, D2F -> Arithmetic.OF_OTHER;
            default -> null;
          };
      default -> null;
    };
  }

  private LogicNode condition(StructuredGraph graph, CompareNode compare) {
    Arithmetic what =
        switch (compare) {
          case FloatEqualsNode _ -> Arithmetic.EQUAL;
          case FloatLessThanNode less when less.unorderedIsTrue() ->
              Arithmetic.NOT_GREATER_OR_EQUAL;
          default -> Arithmetic.LESS;
        };
    ValueNode holds = number(graph, what, compare.getX(), compare.getY());
    return graph.addOrUnique(new IntegerEqualsNode(holds, ConstantNode.forInt(1, graph)));
  }

  /** Returns -1, 0 or 1: the sum of "greater" and minus "less". */
  private ValueNode normalized(StructuredGraph graph, FloatNormalizeCompareNode compare) {
    boolean low = compare.isUnorderedLess();
    Arithmetic less = low ? Arithmetic.NOT_GREATER_OR_EQUAL : Arithmetic.LESS;
    Arithmetic greater = low ? Arithmetic.LESS : Arithmetic.NOT_GREATER_OR_EQUAL;
    return graph.addOrUnique(
        new SubNode(
            number(graph, greater, compare.getY(), compare.getX()),
            number(graph, less, compare.getX(), compare.getY())));
  }

  private ValueNode number(StructuredGraph graph, Arithmetic what, ValueNode x, ValueNode y) {
    return text(graph, what, typeOf(x), StampFactory.forInteger(Integer.SIZE), x, y);
  }

  private ValueNode text(
      StructuredGraph graph, Arithmetic what, ElementType type, ValueNode x, ValueNode y) {
    Stamp stamp =
        switch (what) {
          case TO_INT -> StampFactory.forInteger(Integer.SIZE);
          case TO_LONG -> StampFactory.forInteger(Long.SIZE);
          case BITS -> StampFactory.forInteger(type.bytes() * Byte.SIZE);
          default ->
              StampFactory.forKind(type == ElementType.FLOAT ? JavaKind.Float : JavaKind.Double);
        };
    return text(graph, what, type, stamp, x, y);
  }

  private ValueNode text(
      StructuredGraph graph,
      Arithmetic what,
      ElementType type,
      Stamp stamp,
      ValueNode x,
      ValueNode y) {
    try {
      return graph.addOrUnique(
          new WrappingNode(stamp, syntax.arithmetic(what, type), printer, x, y));
    } catch (UnsupportedByDeviceException e) {
      refusals.accept(e);
      throw e;
    }
  }

  /** Returns whether a constant has no literal: infinity or NaN. */
  private static boolean isSpecial(ConstantNode constant) {
    return constant.asConstant() instanceof JavaConstant value
        && switch (value.getJavaKind()) {
          case Float -> !Float.isFinite(value.asFloat());
          case Double -> !Double.isFinite(value.asDouble());
          default -> false;
        };
  }

  private ValueNode bits(StructuredGraph graph, ConstantNode constant) {
    JavaConstant value = constant.asJavaConstant();
    ConstantNode bits =
        typeOf(constant) == ElementType.FLOAT
            ? ConstantNode.forInt(Float.floatToRawIntBits(value.asFloat()), graph)
            : ConstantNode.forLong(Double.doubleToRawLongBits(value.asDouble()), graph);
    return text(graph, Arithmetic.OF_BITS, typeOf(constant), bits, bits);
  }
}
