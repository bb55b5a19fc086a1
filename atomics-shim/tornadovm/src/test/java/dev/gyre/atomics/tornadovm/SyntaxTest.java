package dev.gyre.atomics.tornadovm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gyre.atomics.Block;
import dev.gyre.atomics.Bytes;
import dev.gyre.atomics.Fences;
import dev.gyre.atomics.Lanes;
import dev.gyre.atomics.Unsigned;
import dev.gyre.atomics.table.ElementType;
import dev.gyre.atomics.table.Fence;
import dev.gyre.atomics.table.Operation;
import dev.gyre.atomics.table.OperationKind;
import dev.gyre.atomics.table.OperationTable;
import dev.gyre.atomics.table.Order;
import dev.gyre.atomics.table.Scope;
import dev.gyre.atomics.tornadovm.cuda.CudaSyntax;
import dev.gyre.atomics.tornadovm.nvidia.PtxSyntax;
import dev.gyre.atomics.tornadovm.opencl.InlinePtxSyntax;
import dev.gyre.atomics.tornadovm.opencl.OpenClFeatures;
import dev.gyre.atomics.tornadovm.opencl.OpenClSyntax;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Pins the text of every operation, fence and function in each language. The expected texts are in
 * {@code ptx.txt}, {@code opencl.txt} and {@code inline-ptx.txt}; run with {@code
 * -Dgyre.pin=FOLDER} to write them anew, and read the difference.
 */
class SyntaxTest {

  private static final OpenClFeatures ALL =
      new OpenClFeatures(
          "a device",
          "its maker",
          Set.of(
              "__opencl_c_atomic_order_acq_rel",
              "__opencl_c_atomic_order_seq_cst",
              "__opencl_c_atomic_scope_device",
              "__opencl_c_atomic_scope_all_devices",
              OpenClFeatures.SUBNORMAL_FLOATS,
              OpenClFeatures.ROUNDED_DIVISION,
              OpenClFeatures.DOUBLES,
              OpenClFeatures.REDUX));

  static Syntax syntax(String language) {
    return switch (language) {
      case "ptx" -> new PtxSyntax(true);
      case "opencl" -> new OpenClSyntax(ALL);
      case "cuda" -> new CudaSyntax(true);
      default -> new InlinePtxSyntax(ALL);
    };
  }

  private static List<String> lines(Syntax syntax) {
    List<String> lines = new ArrayList<>();
    for (Operation o : OperationTable.operations()) {
      if (!o.kind().composite()) {
        lines.add((o + ": " + syntax.operation(o)).strip());
      }
    }
    for (Fence f : OperationTable.fences()) {
      lines.add(("Fences." + f.method() + ": " + syntax.fence(f)).strip());
    }
    for (Arithmetic.Row row : Arithmetic.rows()) {
      lines.add(row + ": " + text(syntax, row));
    }
    lines.add("shared: " + syntax.shared(3, 20));
    for (PlainFunction f : PlainFunction.values()) {
      lines.add(f.name() + ": " + syntax.function(f));
    }
    return lines;
  }

  private static String text(Syntax syntax, Arithmetic.Row row) {
    try {
      return syntax.arithmetic(row.what(), row.type());
    } catch (UnsupportedByDeviceException e) {
      return "refused: " + e.getMessage();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"ptx", "opencl", "inline-ptx", "cuda"})
  void everyRowOfTheTableHasThePinnedText(String language) throws IOException {
    List<String> lines = lines(syntax(language));
    String folder = System.getProperty("gyre.pin");
    if (folder != null) {
      Files.write(Path.of(folder, language + ".txt"), lines);
    }
    try (InputStream pinned = SyntaxTest.class.getResourceAsStream(language + ".txt")) {
      assertThat(lines)
          .isEqualTo(new String(pinned.readAllBytes(), StandardCharsets.UTF_8).lines().toList());
    }
  }

  @Test
  void orderAndScopeAreInThePtx() {
    assertThat(text(OperationKind.LOAD, Order.ACQUIRE, Scope.BLOCK))
        .isEqualTo("ld.acquire.cta.global.b32 $r, $a;");
    assertThat(text(OperationKind.STORE, Order.RELEASE, Scope.SYSTEM))
        .isEqualTo("st.release.sys.global.b32 $a, $x;");
    assertThat(text(OperationKind.COMPARE_AND_EXCHANGE, Order.ACQ_REL, Scope.DEVICE))
        .isEqualTo("atom.acq_rel.gpu.global.cas.b32 $r, $a, $x, $y;");
    assertThat(text(OperationKind.FETCH_MIN, Order.SEQ_CST, Scope.DEVICE))
        .isEqualTo("fence.sc.gpu; atom.acquire.gpu.global.min.s32 $r, $a, $x;");
  }

  private static String text(OperationKind kind, Order order, Scope scope) {
    return new PtxSyntax(true).operation(new Operation(kind, order, scope, ElementType.INT));
  }

  @Test
  void whatADeviceDoesNotDeclareIsRefusedByName() {
    OpenClSyntax weak = new OpenClSyntax(new OpenClFeatures("weak one", "its maker", Set.of()));
    Operation relaxed =
        new Operation(OperationKind.FETCH_ADD, Order.RELAXED, Scope.BLOCK, ElementType.INT);
    assertThat(weak.operation(relaxed)).contains("memory_order_relaxed, memory_scope_work_group");
    Operation acquire =
        new Operation(OperationKind.LOAD, Order.ACQUIRE, Scope.BLOCK, ElementType.LONG);
    assertThatThrownBy(() -> weak.operation(acquire))
        .isInstanceOf(UnsupportedByDeviceException.class)
        .hasMessageContaining("BlockLongs.loadAcquire")
        .hasMessageContaining("weak one")
        .hasMessageContaining("__opencl_c_atomic_order_acq_rel");
    assertThatThrownBy(() -> weak.fence(new Fence(Scope.SYSTEM, Order.SEQ_CST)))
        .isInstanceOf(UnsupportedByDeviceException.class)
        .hasMessageContaining("systemSeqCst");
  }

  @Test
  void everyMethodOfAHandleIsARowOfTheTable() throws ClassNotFoundException {
    Set<String> host = Set.of("of", "memory", "length");
    for (Scope scope : Scope.values()) {
      for (ElementType type : ElementType.values()) {
        List<String> rows =
            OperationTable.operations(scope, type).stream().map(Operation::method).toList();
        Class<?> handle = Class.forName("dev.gyre.atomics." + scope.prefix() + type.suffix());
        assertThat(
                Arrays.stream(handle.getDeclaredMethods())
                    .filter(m -> Modifier.isPublic(m.getModifiers()))
                    .map(Method::getName))
            .allMatch(m -> rows.contains(m) || host.contains(m));
      }
    }
  }

  @Test
  void everyFunctionThatDevicesCallIsLowered() {
    List<String> lowered =
        Arrays.stream(PlainFunction.values()).map(f -> f + " " + f.parameters()).toList();
    for (Class<?> functions : List.of(Unsigned.class, Lanes.class, Block.class)) {
      for (Method m : functions.getDeclaredMethods()) {
        // A broadcast is a shuffle.
        if (Modifier.isPublic(m.getModifiers()) && !m.getName().equals("broadcast")) {
          assertThat(lowered)
              .contains(functions.getSimpleName() + "." + m.getName() + " " + parameters(m));
        }
      }
    }
    for (String name : List.of("get", "getUnsigned", "set")) {
      assertThat(lowered).anyMatch(f -> f.startsWith("Bytes." + name + " "));
    }
    assertThat(Bytes.class.getDeclaredMethods()).isNotEmpty();
    assertThat(OperationTable.fences())
        .hasSize((int) Arrays.stream(Fences.class.getDeclaredMethods()).count());
  }

  private static List<Class<?>> parameters(Method m) {
    return List.of(m.getParameterTypes());
  }
}
