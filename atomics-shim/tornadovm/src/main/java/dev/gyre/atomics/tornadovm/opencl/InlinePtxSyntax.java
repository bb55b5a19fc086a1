package dev.gyre.atomics.tornadovm.opencl;

import dev.gyre.atomics.table.ElementType;
import dev.gyre.atomics.table.Fence;
import dev.gyre.atomics.table.Operation;
import dev.gyre.atomics.table.OperationKind;
import dev.gyre.atomics.table.Order;
import dev.gyre.atomics.table.Scope;
import dev.gyre.atomics.tornadovm.Arithmetic;
import dev.gyre.atomics.tornadovm.PlainFunction;
import dev.gyre.atomics.tornadovm.Syntax;
import dev.gyre.atomics.tornadovm.c.CDialect;
import dev.gyre.atomics.tornadovm.nvidia.InlinePtx;
import dev.gyre.atomics.tornadovm.nvidia.PtxSyntax;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * NVIDIA's OpenCL C, in which atomics are PTX in {@code asm} statements: it lacks C11 atomics of
 * some orders, and its own atomics are relaxed only.
 *
 * <p>Everything that is not atomic is plain OpenCL C.
 */
public final class InlinePtxSyntax implements Syntax {

  private final PtxSyntax ptx;
  private final InlinePtx inline = new InlinePtx(CDialect.OPENCL);
  private final OpenClSyntax plain;
  private final Map<String, String> pairs;

  public InlinePtxSyntax(OpenClFeatures features) {
    this.ptx = new PtxSyntax(features.declares(OpenClFeatures.REDUX));
    this.plain = new OpenClSyntax(features);
    this.pairs = inline.pairs(ptx, this);
  }

  @Override
  public String operation(Operation o) {
    boolean c =
        o.kind() != OperationKind.PAUSE && (o.order() == Order.PLAIN || o.scope() == Scope.THREAD);
    // Its compiler fuses a sum with the previous product.
    boolean sum = o.type().isFloating() && o.kind() == OperationKind.FETCH_ADD;
    return c && !sum ? plain.operation(o) : inline.statement(o, ptx.operation(o));
  }

  @Override
  public String fence(Fence f) {
    String text = ptx.fence(f);
    return text.isEmpty() ? "" : inline.fence(text);
  }

  @Override
  public String shared(int number, long bytes) {
    return plain.shared(number, bytes);
  }

  /**
   * Returns arithmetic; rounding instructions are PTX, because the compiler fuses products and
   * sums.
   */
  @Override
  public String arithmetic(Arithmetic what, ElementType type) {
    return switch (what) {
      case ADD, SUBTRACT, MULTIPLY, DIVIDE, SQRT ->
          inline.value(ptx.arithmetic(what, type), type, type);
      default -> plain.arithmetic(what, type);
    };
  }

  @Override
  public String function(PlainFunction function) {
    return function.isOfLanes()
        ? inline.statement(function, ptx.function(function))
        : plain.function(function);
  }

  @Override
  public @Nullable String pair(String load) {
    return pairs.get(load);
  }
}
