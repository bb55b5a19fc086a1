package dev.gyre.atomics.tornadovm.nvidia;

import dev.gyre.atomics.table.ElementType;
import dev.gyre.atomics.table.Operation;
import dev.gyre.atomics.table.OperationKind;
import dev.gyre.atomics.table.OperationTable;
import dev.gyre.atomics.tornadovm.PlainFunction;
import dev.gyre.atomics.tornadovm.Syntax;
import dev.gyre.atomics.tornadovm.c.CDialect;
import java.util.HashMap;
import java.util.Map;

/** PTX in {@code asm} statements of NVIDIA's C dialects. */
public final class InlinePtx {

  private final CDialect dialect;

  public InlinePtx(CDialect dialect) {
    this.dialect = dialect;
  }

  /** Returns the text of an operation from its PTX. */
  public String statement(Operation o, String text) {
    ElementType arguments = o.kind() == OperationKind.PAUSE ? ElementType.LONG : o.type();
    return statement(text, arguments, result(o));
  }

  /** Returns the text of a warp function from its PTX. */
  public String statement(PlainFunction function, String text) {
    return "asm volatile(%s : \"memory\");"
        .formatted(operands(text, function.type(), ElementType.INT, function.type()));
  }

  /**
   * Returns, for each load by its text in a dialect, the text that loads two neighbours at once.
   *
   * @param syntax the dialect, whose operations are partly statements of this class
   */
  public Map<String, String> pairs(PtxSyntax ptx, Syntax syntax) {
    Map<String, String> pairs = new HashMap<>();
    for (Operation o : OperationTable.operations()) {
      String pair = o.kind().composite() ? null : ptx.pair(ptx.operation(o));
      if (pair != null) {
        pairs.put(syntax.operation(o), statement(o, pair));
      }
    }
    return pairs;
  }

  /** Returns a statement without operands across which no memory access moves. */
  public String fence(String text) {
    return "asm volatile(\"%s\" : : : \"memory\");".formatted(text);
  }

  /**
   * Returns a statement across which no memory access moves.
   *
   * @param text PTX with the placeholders of a {@link dev.gyre.atomics.tornadovm.Syntax}
   * @param arguments type of the arguments
   * @param result type of the result
   */
  public String statement(String text, ElementType arguments, ElementType result) {
    return "asm volatile(%s : \"memory\");".formatted(operands(text, arguments, arguments, result));
  }

  /** Returns a statement without an effect except its result; the parameters are as above. */
  public String value(String text, ElementType arguments, ElementType result) {
    return "asm(%s);".formatted(operands(text, arguments, arguments, result));
  }

  private String operands(String text, ElementType x, ElementType y, ElementType result) {
    StringBuilder inputs = new StringBuilder();
    StringBuilder outputs = new StringBuilder();
    // A register such as %lanemask_lt needs two percent signs.
    String translated = text.replace("%", "%%");
    int operands = 0;
    for (String name : new String[] {"$r", "$s"}) {
      if (text.contains(name)) {
        translated = translated.replace(name, "%" + operands++);
        outputs.append(outputs.isEmpty() ? "" : ", ");
        outputs.append("\"=%s\"(%s)".formatted(register(result), name));
      }
    }
    if (text.contains("$a")) {
      translated = translated.replace("$a", "[%" + operands++ + "]");
      inputs.append("\"l\"((%s)($a))".formatted(dialect.unsigned(Long.SIZE)));
    }
    for (String name : new String[] {"$x", "$y"}) {
      if (text.contains(name)) {
        ElementType type = name.equals("$x") ? x : y;
        translated = translated.replace(name, "%" + operands++);
        inputs.append(inputs.isEmpty() ? "" : ", ");
        inputs.append("\"%s\"((%s)(%s))".formatted(register(type), dialect.type(type), name));
      }
    }
    return "\"%s\" : %s : %s".formatted(translated, outputs, inputs);
  }

  private static ElementType result(Operation o) {
    return switch (o.kind()) {
      case TEST, TEST_AND_SET, COMPARE_AND_SET -> ElementType.INT;
      case PAUSE -> ElementType.LONG;
      default -> o.type();
    };
  }

  private static String register(ElementType type) {
    return switch (type) {
      case INT -> "r";
      case LONG -> "l";
      case FLOAT -> "f";
      case DOUBLE -> "d";
    };
  }
}
