package dev.gyre.atomics.tornadovm.nvidia;

import dev.gyre.atomics.table.ElementType;
import dev.gyre.atomics.table.Operation;
import dev.gyre.atomics.table.OperationKind;
import dev.gyre.atomics.tornadovm.c.CDialect;

/** PTX in {@code asm} statements of NVIDIA's dialects of C. */
public final class InlinePtx {

  private final CDialect dialect;

  public InlinePtx(CDialect dialect) {
    this.dialect = dialect;
  }

  /** The text of an operation, given that in PTX. */
  public String statement(Operation o, String text) {
    int bits = o.kind() == OperationKind.PAUSE ? Long.SIZE : o.type().bytes() * Byte.SIZE;
    return statement(text, bits, resultBits(o));
  }

  /** A statement without operands that no access to memory moves across. */
  public String fence(String text) {
    return "asm volatile(\"%s\" : : : \"memory\");".formatted(text);
  }

  /**
   * A statement that no access to memory moves across.
   *
   * @param text PTX with the places of a {@link dev.gyre.atomics.tornadovm.Syntax}
   * @param bits width of the arguments
   * @param resultBits width of the result
   */
  public String statement(String text, int bits, int resultBits) {
    StringBuilder inputs = new StringBuilder();
    StringBuilder outputs = new StringBuilder();
    // A register such as %lanemask_lt is written with two of them.
    String translated = text.replace("%", "%%");
    int operands = 0;
    for (String name : new String[] {"$r", "$s"}) {
      if (text.contains(name)) {
        translated = translated.replace(name, "%" + operands++);
        outputs.append(outputs.isEmpty() ? "" : ", ");
        outputs.append("\"=%s\"(%s)".formatted(register(resultBits), name));
      }
    }
    if (text.contains("$a")) {
      translated = translated.replace("$a", "[%" + operands++ + "]");
      inputs.append("\"l\"((%s)($a))".formatted(dialect.unsigned(Long.SIZE)));
    }
    for (String name : new String[] {"$x", "$y"}) {
      if (text.contains(name)) {
        translated = translated.replace(name, "%" + operands++);
        inputs.append(inputs.isEmpty() ? "" : ", ");
        inputs.append("\"%s\"((%s)(%s))".formatted(register(bits), dialect.signed(bits), name));
      }
    }
    return "asm volatile(\"%s\" : %s : %s : \"memory\");".formatted(translated, outputs, inputs);
  }

  private static int resultBits(Operation o) {
    return switch (o.kind()) {
      case TEST, TEST_AND_SET, COMPARE_AND_SET -> Integer.SIZE;
      case PAUSE -> Long.SIZE;
      default -> o.type() == ElementType.INT ? Integer.SIZE : Long.SIZE;
    };
  }

  private static String register(int bits) {
    return bits > Integer.SIZE ? "l" : "r";
  }
}
