package dev.gyre.atomics.tornadovm.cuda;

import dev.gyre.atomics.table.ElementType;
import dev.gyre.atomics.table.Fence;
import dev.gyre.atomics.table.Operation;
import dev.gyre.atomics.table.Order;
import dev.gyre.atomics.table.Scope;
import dev.gyre.atomics.table.Space;
import dev.gyre.atomics.tornadovm.Arithmetic;
import dev.gyre.atomics.tornadovm.PlainFunction;
import dev.gyre.atomics.tornadovm.Syntax;
import dev.gyre.atomics.tornadovm.c.CDialect;
import dev.gyre.atomics.tornadovm.c.CFloats;
import dev.gyre.atomics.tornadovm.c.PlainC;
import dev.gyre.atomics.tornadovm.nvidia.InlinePtx;
import dev.gyre.atomics.tornadovm.nvidia.PtxSyntax;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * CUDA C for NVRTC without headers. Atomic, ordered and warp operations are PTX in {@code asm}
 * statements, because CUDA C without {@code libcu++} has no loads and stores with an order and a
 * scope. Plain operations are C.
 */
public final class CudaSyntax implements Syntax {

  private final PtxSyntax ptx;
  private final InlinePtx inline = new InlinePtx(CDialect.CUDA);
  private final PlainC plain = new PlainC(CDialect.CUDA);
  private final CFloats floats = new CFloats(CDialect.CUDA);
  private final Map<String, String> pairs;

  /**
   * @param adds whether the device has {@code redux.sync}, from compute capability 8.0 on
   */
  public CudaSyntax(boolean adds) {
    this.ptx = new PtxSyntax(adds);
    this.pairs = inline.pairs(ptx, this);
  }

  @Override
  public String operation(Operation o) {
    return switch (o.kind()) {
      case WAKE_ALL -> "";
      case PAUSE -> inline.statement(o, ptx.operation(o));
      default ->
          o.space() == Space.GLOBAL && (o.order() == Order.PLAIN || o.scope() == Scope.THREAD)
              ? plain.operation(o)
              : inline.statement(o, ptx.operation(o));
    };
  }

  @Override
  public String fence(Fence f) {
    String text = ptx.fence(f);
    return text.isEmpty() ? "" : inline.fence(text);
  }

  @Override
  public String shared(int number, long bytes) {
    return "__shared__ long long gyre_s%1$d[%2$d]; asm volatile(\"cvta.to.shared.u64 %%0, %%1;\" : \"=l\"($r) : \"l\"((unsigned long long)gyre_s%1$d));"
        .formatted(number, Math.ceilDiv(bytes, Long.BYTES));
  }

  @Override
  public String arithmetic(Arithmetic what, ElementType type) {
    return floats.arithmetic(what, type);
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
