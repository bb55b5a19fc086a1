package dev.gyre.atomics.generator;

import dev.gyre.atomics.table.ElementType;
import dev.gyre.atomics.table.Fence;
import dev.gyre.atomics.table.Operation;
import dev.gyre.atomics.table.OperationKind;
import dev.gyre.atomics.table.OperationTable;
import dev.gyre.atomics.table.Scope;
import dev.gyre.atomics.table.Space;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Generates the handles ({@code DeviceInts} and so on) and {@code Fences} from {@link
 * OperationTable}, with the bodies that the JVM runs. The build calls it with the source folder as
 * its argument.
 */
public final class GenerateHandles {

  private GenerateHandles() {}

  public static void main(String[] args) throws IOException {
    Path folder = Path.of(args[0]).resolve("dev/gyre/atomics");
    Files.createDirectories(folder);
    for (Scope scope : Scope.values()) {
      for (ElementType type : ElementType.values()) {
        write(
            folder.resolve(scope.prefix() + type.suffix() + ".java"),
            handle(OperationTable.operations(scope, type)));
      }
    }
    for (ElementType type : ElementType.values()) {
      write(
          folder.resolve("Shared" + type.suffix() + ".java"), handle(OperationTable.shared(type)));
    }
    write(folder.resolve("Fences.java"), fences());
  }

  /** Writes a file only if it changed, so that an unchanged table recompiles nothing. */
  private static void write(Path file, String text) throws IOException {
    if (!Files.exists(file) || !Files.readString(file).equals(text)) {
      Files.writeString(file, text);
    }
  }

  private static String handle(List<Operation> operations) {
    Scope scope = operations.getFirst().scope();
    ElementType type = operations.getFirst().type();
    boolean shared = operations.getFirst().space() == Space.SHARED;
    StringBuilder methods = new StringBuilder();
    for (Operation o : operations) {
      methods.append(method(o));
    }
    String text =
        """
        package dev.gyre.atomics;

        import java.lang.foreign.MemorySegment;
        import java.lang.foreign.ValueLayout;
        import java.lang.invoke.VarHandle;
        import java.util.Objects;

        $about
        public final class $Handle implements $Interface {

          private static final VarHandle $VAR = ValueLayout.JAVA_$VAR.varHandle();

          /** For plain accesses. All elements are aligned; this layout drops the check. */
          private static final VarHandle PLAIN = ValueLayout.JAVA_$VAR_UNALIGNED.varHandle();

          private static final long MAX_LENGTH = Long.MAX_VALUE / $bytes;

          private final MemorySegment segment;
          private final long length;
        $made
          /** Returns the number of elements. Only the host calls it. */
          public long length() {
            return length;
          }

          /**
           * Scales an index to bytes. The segment checks the offset. This check only prevents an
           * overflow of the scaling; its bound is constant, so that HotSpot drops it in a loop.
           */
          private static long offset(long index) {
            return Objects.checkIndex(index, MAX_LENGTH) << $shift;
          }

          private long address(long index) {
            if (index < 0 || index >= length) {
              throw outOfBounds(index);
            }
            return segment.address() + offset(index);
          }

          private ElementIndexException outOfBounds(long index) {
            return new ElementIndexException(this, index, segment.byteSize() / $bytes);
          }
        $methods}
        """;
    return text.replace("$methods", methods)
        .replace("$made", shared ? MADE_OF_LENGTH : MADE_OF_MEMORY)
        .replace("$about", shared ? ABOUT_SHARED : ABOUT)
        .replace("$Interface", shared ? "SharedHandle" : "Handle")
        .replace("$sharers", sharers(scope))
        .replace("$scope", scope.prefix().toLowerCase())
        .replace("$shift", Integer.toString(Integer.numberOfTrailingZeros(type.bytes())))
        .replace("$bytes", Integer.toString(type.bytes()))
        .replace("$VAR", type.name())
        .replace("$Handle", operations.getFirst().handle())
        .replace("$T", type.primitive());
  }

  private static final String ABOUT =
      """
      /**
       * Handle with $scope scope to elements of type {@code $T}: $sharers
       *
       * <pre>{@code
       * $Handle elements = $Handle.of(memory);
       * $T first = elements.loadAcquire(0);
       * }</pre>
       *
       * <p>The package describes indexes, memory orders and errors of all handles.
       *
       * @since 0.1.0
       */\
      """;

  private static final String ABOUT_SHARED =
      """
      /**
       * Elements of type {@code $T} in the shared memory of a block: $sharers
       *
       * <p>The package describes indexes, memory orders and errors of all handles. {@link
       * SharedHandle} describes shared memory.
       *
       * @since 0.1.0
       */\
      """;

  private static final String MADE_OF_MEMORY =
      """
        private final Memory memory;

        private $Handle(Memory memory) {
          this.segment = memory.segment();
          this.length = segment.byteSize() / $bytes;
          this.memory = memory;
        }

        /**
         * Returns a handle to all whole elements of a memory.
         *
         * @throws ClosedException if the memory is closed
         */
        public static $Handle of(Memory memory) {
          return new $Handle(memory);
        }

        /** Returns the memory. Only the host calls it. */
        @Override
        public Memory memory() {
          return memory;
        }
      """;

  private static final String MADE_OF_LENGTH =
      """
        private $Handle(MemorySegment segment, long length) {
          this.segment = segment;
          this.length = length;
        }

        /**
         * Returns a component for a kernel: each block has so many elements, with any values.
         *
         * @param length number of elements of a block
         * @throws IllegalArgumentException if {@code length} is less than 1
         */
        public static $Handle of(int length) {
          SharedHandle.check(length);
          return new $Handle(MemorySegment.NULL, length);
        }

        @Override
        public $Handle in(Memory memory) {
          return new $Handle(memory.segment(), length);
        }

        @Override
        public long byteSize() {
          return length * $bytes;
        }
      """;

  private static String sharers(Scope scope) {
    return switch (scope) {
      case THREAD -> "no other thread may access them at the same time.";
      case BLOCK -> "operations are atomic among the threads of one block.";
      case DEVICE -> "operations are atomic among the threads of one device.";
      case SYSTEM -> "operations are atomic among all threads of the host and of all devices.";
    };
  }

  private static String method(Operation o) {
    return "\n  "
        + javadoc(description(o))
        + "\n  public "
        + signature(o)
        + " {\n"
        + HandleBodies.body(o)
        + "  }\n";
  }

  private static String javadoc(String text) {
    return text.contains("\n")
        ? "/**\n   * " + text.strip().replace("\n", "\n   * ") + "\n   */"
        : "/** " + text + " */";
  }

  private static String signature(Operation o) {
    String t = o.type().primitive();
    String name = o.method();
    return switch (o.kind().form()) {
      case LOAD -> t + " " + name + "(long index)";
      case STORE -> "void " + name + "(long index, " + t + " value)";
      case UPDATE -> t + " " + name + "(long index, " + t + " operand)";
      case COMPARE ->
          (o.kind() == OperationKind.COMPARE_AND_SET ? "boolean" : t)
              + " %s(long index, %s expected, %s desired)".formatted(name, t, t);
      case FLAG -> "boolean " + name + "(long index)";
      case CLEAR, WAKE -> "void " + name + "(long index)";
      case WAIT -> t + " " + name + "(long index, " + t + " value, long pollLimit)";
      case PAUSE -> "long " + name + "(long index, long polls)";
    };
  }

  private static String description(Operation o) {
    return switch (o.kind()) {
      case GET -> "Reads an element, plain.";
      case SET -> "Writes an element, plain.";
      case LOAD -> "Reads an element.";
      case STORE -> "Writes an element.";
      case EXCHANGE -> "Writes an element; returns the old value.";
      case COMPARE_AND_EXCHANGE ->
          "Writes {@code desired} if the element %s; returns the old value."
              .formatted(equalsExpected(o));
      case COMPARE_AND_SET ->
          "Writes {@code desired} if the element %s; returns whether it wrote."
              .formatted(equalsExpected(o));
      case FETCH_ADD ->
          o.type().isFloating()
              ? "Adds to an element; returns the old value."
              : "Adds to an element, with wrap-around; returns the old value.";
      case FETCH_SUB -> "Subtracts from an element, with wrap-around; returns the old value.";
      case FETCH_AND -> "Ands an element with {@code operand}; returns the old value.";
      case FETCH_OR -> "Ors an element with {@code operand}; returns the old value.";
      case FETCH_XOR -> "Xors an element with {@code operand}; returns the old value.";
      case FETCH_MIN ->
          o.type().isFloating()
              ? "Writes {@link Math#min} of element and operand; returns the old value."
              : "Writes the smaller, signed, of element and operand; returns the old value.";
      case FETCH_MAX ->
          o.type().isFloating()
              ? "Writes {@link Math#max} of element and operand; returns the old value."
              : "Writes the larger, signed, of element and operand; returns the old value.";
      case TEST -> "Returns whether a flag is set: an element that is not 0.";
      case TEST_AND_SET -> "Sets a flag to 1; returns whether it was set before.";
      case CLEAR -> "Sets a flag to 0.";
      case WAIT_WHILE_EQUAL ->
          """
          Waits, with back-off, while an element equals {@code value}; returns the last value that
          it read. That is {@code value} itself if the wait ended without a change: after {@code
          pollLimit} more polls, or because the thread was interrupted (JVM).
          """;
      case PAUSE ->
          """
          Backs off once between polls of an element; the more {@code polls} came before, the
          longer. Returns the new number of polls, or {@link Long#MAX_VALUE} to give up.
          """;
      case WAKE_ALL ->
          "Wakes the threads that wait for an element to change. On a device, threads poll"
              + " instead.";
    };
  }

  private static String equalsExpected(Operation o) {
    return o.type().isFloating() ? "has the bits of {@code expected}" : "equals {@code expected}";
  }

  private static String fences() {
    StringBuilder methods = new StringBuilder();
    for (Fence f : OperationTable.fences()) {
      methods.append(
          "\n  /** Fence with %s scope and order %s. */\n  public static void %s() {\n%s  }\n"
              .formatted(
                  f.scope().prefix().toLowerCase(),
                  f.order().name().toLowerCase(),
                  f.method(),
                  fenceBody(f)));
    }
    return """
    package dev.gyre.atomics;

    import java.lang.invoke.VarHandle;

    /**
     * Fences that order memory accesses among the threads of a scope, as {@code
     * cuda::atomic_thread_fence} does.
     *
     * <p>A fence orders the accesses before it and after it. Two threads synchronize by a fence in
     * each of them and relaxed accesses to one element between the fences:
     *
     * <pre>{@code
     * // writer                      // reader
     * data.set(0, 42);               while (flags.loadRelaxed(0) == 0) {}
     * Fences.deviceRelease();        Fences.deviceAcquire();
     * flags.storeRelaxed(0, 1);      int seen = data.get(0);
     * }</pre>
     *
     * @since 0.1.0
     */
    public final class Fences {

      private Fences() {}
    """
        + methods
        + "}\n";
  }

  private static String fenceBody(Fence f) {
    if (f.scope() == Scope.THREAD) {
      return "    // A thread sees its own accesses in program order.\n";
    }
    return switch (f.order()) {
      case ACQUIRE -> "    VarHandle.acquireFence();\n";
      case RELEASE -> "    VarHandle.releaseFence();\n";
      case ACQ_REL -> "    VarHandle.acquireFence();\n    VarHandle.releaseFence();\n";
      default -> "    VarHandle.fullFence();\n";
    };
  }
}
