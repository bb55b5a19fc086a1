package dev.gyre.atomics.tornadovm.opencl;

import dev.gyre.atomics.table.ElementType;
import dev.gyre.atomics.table.Fence;
import dev.gyre.atomics.table.Operation;
import dev.gyre.atomics.table.OperationKind;
import dev.gyre.atomics.table.Order;
import dev.gyre.atomics.table.Scope;
import dev.gyre.atomics.tornadovm.PlainFunction;
import dev.gyre.atomics.tornadovm.Syntax;
import dev.gyre.atomics.tornadovm.nvidia.PtxSyntax;

/**
 * NVIDIA's OpenCL C, in which atomics are PTX in {@code asm} statements: its OpenCL C has no C11
 * atomics of every order, and its own atomics have none but relaxed order.
 *
 * <p>What is not atomic is plain OpenCL C.
 */
public final class InlinePtxSyntax implements Syntax {

  private final PtxSyntax ptx = new PtxSyntax(false);
  private final OpenClSyntax plain;

  public InlinePtxSyntax(OpenClFeatures features) {
    this.plain = new OpenClSyntax(features);
  }

  @Override
  public String operation(Operation o) {
    boolean c =
        o.kind() != OperationKind.PAUSE && (o.order() == Order.PLAIN || o.scope() == Scope.THREAD);
    return c ? plain.operation(o) : statement(o, ptx.operation(o));
  }

  private static String statement(Operation o, String text) {
    String element = o.type() == ElementType.INT ? "int" : "long";
    StringBuilder inputs = new StringBuilder();
    String translated = text;
    int operands = 0;
    if (text.contains("$r")) {
      translated = translated.replace("$r", "%" + operands++);
    }
    if (text.contains("$a")) {
      translated = translated.replace("$a", "[%" + operands++ + "]");
      inputs.append("\"l\"((ulong)($a))");
    }
    String argument = o.kind() == OperationKind.PAUSE ? "long" : element;
    for (String name : new String[] {"$x", "$y"}) {
      if (text.contains(name)) {
        translated = translated.replace(name, "%" + operands++);
        inputs.append(inputs.isEmpty() ? "" : ", ");
        inputs.append("\"%s\"((%s)(%s))".formatted(register(argument), argument, name));
      }
    }
    String output = text.contains("$r") ? "\"=%s\"($r)".formatted(register(result(o))) : "";
    return "asm volatile(\"%s\" : %s : %s : \"memory\");".formatted(translated, output, inputs);
  }

  private static String result(Operation o) {
    return switch (o.kind()) {
      case TEST, TEST_AND_SET, COMPARE_AND_SET -> "int";
      case PAUSE -> "long";
      default -> o.type().primitive();
    };
  }

  private static String register(String type) {
    return type.equals("int") ? "r" : "l";
  }

  @Override
  public String fence(Fence f) {
    String text = ptx.fence(f);
    return text.isEmpty() ? "" : "asm volatile(\"%s\" : : : \"memory\");".formatted(text);
  }

  @Override
  public String function(PlainFunction function) {
    return plain.function(function);
  }
}
