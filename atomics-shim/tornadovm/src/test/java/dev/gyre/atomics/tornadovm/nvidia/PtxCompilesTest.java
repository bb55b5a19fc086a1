package dev.gyre.atomics.tornadovm.nvidia;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.gyre.atomics.table.ElementType;
import dev.gyre.atomics.table.Fence;
import dev.gyre.atomics.table.Operation;
import dev.gyre.atomics.table.OperationKind;
import dev.gyre.atomics.table.OperationTable;
import dev.gyre.atomics.table.Space;
import dev.gyre.atomics.tornadovm.Arithmetic;
import dev.gyre.atomics.tornadovm.PlainFunction;
import dev.gyre.atomics.tornadovm.UnsupportedByDeviceException;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** NVIDIA's assembler takes every text of PTX; skipped where there is no {@code ptxas}. */
class PtxCompilesTest {

  private final StringBuilder kernel = new StringBuilder();

  /** Puts operands of some types into the places of a text, each time in a scope of its own. */
  private void add(
      String text, ElementType result, ElementType x, ElementType y, boolean isShared) {
    kernel.append(
        "{ .reg .%1$s r; .reg .%2$s x; .reg .%3$s y; ld.volatile.global.%2$s x, [memory]; ld.volatile.global.%3$s y, [memory]; "
            .formatted(type(result), type(x), type(y)));
    kernel.append(
        text.replace("$r", "r")
            .replace("$a", isShared ? "[at]" : "[memory]")
            .replace("$x", "x")
            .replace("$y", "y"));
    kernel.append(
        text.contains("$r")
            ? " st.volatile.global.%s [memory], r; }\n".formatted(type(result))
            : " }\n");
  }

  private static String type(ElementType type) {
    return (type.isFloating() ? "f" : "s") + type.bytes() * Byte.SIZE;
  }

  private void addAll(PtxSyntax syntax) {
    for (Operation o : OperationTable.operations()) {
      if (!o.kind().composite()) {
        ElementType argument = o.kind() == OperationKind.PAUSE ? ElementType.LONG : o.type();
        ElementType result =
            switch (o.kind()) {
              case TEST, TEST_AND_SET, COMPARE_AND_SET -> ElementType.INT;
              default -> argument;
            };
        add(syntax.operation(o), result, argument, argument, o.space() == Space.SHARED);
      }
    }
    for (Fence f : OperationTable.fences()) {
      kernel.append(syntax.fence(f)).append('\n');
    }
    add(syntax.shared(1, 20), ElementType.LONG, ElementType.INT, ElementType.INT, true);
    for (PlainFunction f : PlainFunction.values()) {
      ElementType result =
          switch (f) {
            case LESS_THAN_LONG, GET_BYTE, GET_UNSIGNED_BYTE -> ElementType.INT;
            case TO_LONG -> ElementType.LONG;
            default -> f.type();
          };
      ElementType x = f == PlainFunction.SET_BYTE ? ElementType.INT : f.type();
      boolean isSecondInt = f.parameters().size() > 1 && f.parameters().get(1) == int.class;
      add(syntax.function(f), result, x, isSecondInt ? ElementType.INT : f.type(), false);
    }
    for (Arithmetic.Row row : Arithmetic.rows()) {
      add(syntax, row);
    }
  }

  private void add(PtxSyntax syntax, Arithmetic.Row row) {
    String text;
    try {
      text = syntax.arithmetic(row.what(), row.type());
    } catch (UnsupportedByDeviceException e) {
      return;
    }
    boolean isDouble = row.type() == ElementType.DOUBLE;
    ElementType whole = isDouble ? ElementType.LONG : ElementType.INT;
    ElementType x =
        switch (row.what()) {
          case OF_INT -> ElementType.INT;
          case OF_LONG -> ElementType.LONG;
          case OF_BITS -> whole;
          case OF_OTHER -> isDouble ? ElementType.FLOAT : ElementType.DOUBLE;
          default -> row.type();
        };
    ElementType result =
        switch (row.what()) {
          case LESS, NOT_GREATER_OR_EQUAL, EQUAL, TO_INT -> ElementType.INT;
          case TO_LONG -> ElementType.LONG;
          case BITS -> whole;
          default -> row.type();
        };
    add(text, result, x, row.type(), false);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void everyTextIsPtx(boolean adds, @TempDir Path folder) throws IOException, InterruptedException {
    Optional<Path> assembler =
        Stream.of(System.getenv("PATH").split(File.pathSeparator, -1))
            .map(f -> Path.of(f, "ptxas"))
            .filter(Files::isExecutable)
            .findFirst();
    assumeTrue(assembler.isPresent(), "there is no ptxas");
    addAll(new PtxSyntax(adds));
    String target = adds ? "sm_80" : "sm_70";
    Path source =
        Files.writeString(
            folder.resolve("all.ptx"),
            """
            .version 7.0
            .target %s
            .address_size 64
            .visible .entry all(.param .u64 parameter) {
            .reg .b64 memory, at; .shared .align 8 .b8 elements[8];
            ld.param.u64 memory, [parameter]; mov.u64 at, elements;
            """
                    .formatted(target)
                + kernel
                + "ret; }\n");
    Process run =
        new ProcessBuilder(
                assembler.orElseThrow().toString(),
                "--compile-only",
                "-O0",
                "-arch=sm_90",
                source.toString(),
                "-o",
                folder.resolve("all.o").toString())
            .redirectErrorStream(true)
            .start();
    String said = new String(run.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(run.waitFor()).as(said).isZero();
  }
}
