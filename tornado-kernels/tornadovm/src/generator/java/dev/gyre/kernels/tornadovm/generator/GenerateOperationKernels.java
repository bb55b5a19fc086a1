package dev.gyre.kernels.tornadovm.generator;

import dev.gyre.atomics.table.ElementType;
import dev.gyre.atomics.table.Operation;
import dev.gyre.atomics.table.OperationTable;
import dev.gyre.atomics.table.Scope;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Generates test kernels, one per handle, that call every operation of the handle once, each on a
 * separate element, in the table's order. The argument is the source folder.
 */
public final class GenerateOperationKernels {

  private GenerateOperationKernels() {}

  public static void main(String[] args) throws IOException {
    Path folder = Path.of(args[0]).resolve("dev/gyre/kernels/tornadovm");
    Files.createDirectories(folder);
    for (Scope scope : Scope.values()) {
      for (ElementType type : ElementType.values()) {
        String name = "All" + scope.prefix() + type.suffix();
        Files.writeString(folder.resolve(name + ".java"), kernel(name, scope, type));
      }
    }
    for (ElementType type : ElementType.values()) {
      String name = "AllShared" + type.suffix();
      Files.writeString(folder.resolve(name + ".java"), shared(name, type));
    }
  }

  private static String kernel(String name, Scope scope, ElementType type) {
    StringBuilder calls = new StringBuilder();
    List<Operation> operations = OperationTable.operations(scope, type);
    for (int i = 0; i < operations.size(); i++) {
      calls.append(call(operations.get(i), i));
    }
    String handle = scope.prefix() + type.suffix();
    return """
    package dev.gyre.kernels.tornadovm;

    import dev.gyre.atomics.$Handle;
    import dev.gyre.atomics.ThreadLongs;
    import dev.gyre.kernels.Kernel;
    import dev.gyre.kernels.LaunchShape;

    public record $Name($Handle cells, ThreadLongs operands, ThreadLongs results, int count)
        implements Kernel {

      @Override
      public void run(int thread, LaunchShape shape) {
        all(thread, shape.threads(), cells, operands, results, count);
      }

      static void all(
          int thread,
          int threads,
          $Handle cells,
          ThreadLongs operands,
          ThreadLongs results,
          int count) {
        for (int i = thread; i < count; i += threads) {
          $T x = $x;
          $T y = $y;
          long at = (long) i * $count;
    $calls    }
      }
    }
    """
        .replace("$calls", calls)
        .replace("$count", Integer.toString(operations.size()))
        .replace("$Name", name)
        .replace("$Handle", handle)
        .replace("$x", ofBits(type, "operands.get(2 * i)"))
        .replace("$y", ofBits(type, "operands.get(2 * i + 1)"))
        .replace("$T", type.primitive());
  }

  /**
   * Returns the kernel of a shared handle: each block has one thread, which copies elements to
   * shared memory and back.
   */
  private static String shared(String name, ElementType type) {
    StringBuilder calls = new StringBuilder();
    List<Operation> operations = OperationTable.shared(type);
    for (int i = 0; i < operations.size(); i++) {
      calls.append(call(operations.get(i), i).replace("cells.", "shared.").replace("(at + ", "("));
    }
    return """
    package dev.gyre.kernels.tornadovm;

    import dev.gyre.atomics.Shared$Suffix;
    import dev.gyre.atomics.Thread$Suffix;
    import dev.gyre.atomics.ThreadLongs;
    import dev.gyre.kernels.Kernel;
    import dev.gyre.kernels.LaunchShape;

    public record $Name(
        Shared$Suffix shared,
        Thread$Suffix cells,
        ThreadLongs operands,
        ThreadLongs results,
        int count)
        implements Kernel {

      static final int OPERATIONS = $count;

      @Override
      public void run(int thread, LaunchShape shape) {
        for (int i = thread; i < count; i += shape.threads()) {
          $T x = $x;
          $T y = $y;
          long at = (long) i * OPERATIONS;
          for (int k = 0; k < OPERATIONS; k++) {
            shared.set(k, cells.get(at + k));
          }
    $calls      for (int k = 0; k < OPERATIONS; k++) {
            cells.set(at + k, shared.get(k));
          }
        }
      }
    }
    """
        .replace("$calls", calls.toString().replace("results.set(", "results.set(at + "))
        .replace("$count", Integer.toString(operations.size()))
        .replace("$Name", name)
        .replace("$Suffix", type.suffix())
        .replace("$x", ofBits(type, "operands.get(2 * i)"))
        .replace("$y", ofBits(type, "operands.get(2 * i + 1)"))
        .replace("$T", type.primitive());
  }

  /** Returns an element from the bits of a long. */
  private static String ofBits(ElementType type, String bits) {
    return switch (type) {
      case INT -> "(int) " + bits;
      case LONG -> bits;
      case FLOAT -> "Float.intBitsToFloat((int) " + bits + ")";
      case DOUBLE -> "Double.longBitsToDouble(" + bits + ")";
    };
  }

  private static String bits(ElementType type, String value) {
    return switch (type) {
      case INT, LONG -> value;
      case FLOAT -> "Float.floatToRawIntBits(" + value + ")";
      case DOUBLE -> "Double.doubleToRawLongBits(" + value + ")";
    };
  }

  private static String call(Operation o, int number) {
    String at = "at + " + number;
    String method = "cells." + o.method() + "(" + at;
    String value =
        switch (o.kind().form()) {
          case LOAD -> method + ")";
          case UPDATE -> method + ", x)";
          case COMPARE -> method + ", x, y)";
          case FLAG -> method + ")";
          case WAIT -> method + ", x, 3)";
          case PAUSE -> method + ", " + number + " & 3)";
          case STORE -> method + ", x)";
          case CLEAR, WAKE -> method + ")";
        };
    boolean isBoolean =
        switch (o.kind()) {
          case COMPARE_AND_SET, TEST, TEST_AND_SET -> true;
          default -> false;
        };
    boolean isVoid =
        switch (o.kind().form()) {
          case STORE, CLEAR, WAKE -> true;
          default -> false;
        };
    return isVoid
        ? "      %s;\n".formatted(value)
        : "      results.set(%s, %s);\n"
            .formatted(at, isBoolean ? value + " ? 1 : 0" : bits(o.type(), value));
  }
}
