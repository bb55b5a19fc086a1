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
 * Writes the handles ({@code DeviceInts} and so on) and {@code Fences} from {@link OperationTable},
 * with the bodies that the JVM runs. The build calls it; its argument is the source folder.
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

  /** Writes only what changed, so that an unchanged table recompiles nothing. */
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

          /** For plain accesses: as all elements are aligned, it need not look whether one is. */
          private static final VarHandle PLAIN = ValueLayout.JAVA_$VAR_UNALIGNED.varHandle();

          private static final long MAX_LENGTH = Long.MAX_VALUE / $bytes;

          private final MemorySegment segment;
          private final long length;
        $made
          /** Number of elements; for the host. */
          public long length() {
            return length;
          }

          /**
           * Scales an index to bytes. The segment checks the offset; this keeps the scaling from
           * wrapping around, with a constant bound, so that it costs nothing in a loop.
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
        .replace("$who", who(scope))
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
       * Handle with $scope scope to elements of type {@code $T}: $who
       *
       * <p>The package describes what all handles have in common.
       */\
      """;

  private static final String ABOUT_SHARED =
      """
      /**
       * Elements of type {@code $T} that the threads of a block share, and no others reach; $who
       *
       * <p>The package describes what all handles have in common, and {@link SharedHandle} what
       * those of shared memory have.
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

        /** Gives access to a memory, as many whole elements as it holds. */
        public static $Handle of(Memory memory) {
          return new $Handle(memory);
        }

        /** The memory that this gives access to; for the host. */
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
         * A component of a kernel: each block has as many elements, which are not set to anything.
         *
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

  private static String who(Scope scope) {
    return switch (scope) {
      case THREAD -> "no other thread may use them at the same time.";
      case BLOCK -> "atomic among the threads of one block.";
      case DEVICE -> "atomic among the threads of one device.";
      case SYSTEM -> "atomic among all threads, of the host and of every device.";
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
      case GET -> "Reads an element, plainly.";
      case SET -> "Writes an element, plainly.";
      case LOAD -> "Reads an element.";
      case STORE -> "Writes an element.";
      case EXCHANGE -> "Writes an element and returns the value before.";
      case COMPARE_AND_EXCHANGE ->
          "Writes {@code desired} where the element %s; returns the value before."
              .formatted(equalsExpected(o));
      case COMPARE_AND_SET ->
          "Writes {@code desired} where the element %s; returns whether it did."
              .formatted(equalsExpected(o));
      case FETCH_ADD ->
          o.type().isFloating()
              ? "Adds to an element; returns the value before."
              : "Adds to an element, wrapping around; returns the value before.";
      case FETCH_SUB -> "Subtracts from an element, wrapping around; returns the value before.";
      case FETCH_AND -> "Ands an element with {@code operand}; returns the value before.";
      case FETCH_OR -> "Ors an element with {@code operand}; returns the value before.";
      case FETCH_XOR -> "Xors an element with {@code operand}; returns the value before.";
      case FETCH_MIN ->
          o.type().isFloating()
              ? "Writes {@link Math#min} of element and operand; returns the value before."
              : "Writes the smaller, signed, of element and operand; returns the value before.";
      case FETCH_MAX ->
          o.type().isFloating()
              ? "Writes {@link Math#max} of element and operand; returns the value before."
              : "Writes the larger, signed, of element and operand; returns the value before.";
      case TEST -> "Whether a flag, an element that is not 0, is set.";
      case TEST_AND_SET -> "Sets a flag to 1; returns whether it was set before.";
      case CLEAR -> "Clears a flag, to 0.";
      case WAIT_WHILE_EQUAL ->
          """
          Waits, backing off, while an element equals {@code value}; returns what it read last. That
          is {@code value} itself where the wait ended without a change: after {@code pollLimit} more
          polls, or because the thread was interrupted (JVM).
          """;
      case PAUSE ->
          """
          Backs off once from polling an element, the longer the more {@code polls} went before;
          returns the new number of polls, {@link Long#MAX_VALUE} to give up.
          """;
      case WAKE_ALL ->
          "Wakes the threads that wait for an element to change; on a device they poll.";
    };
  }

  private static String equalsExpected(Operation o) {
    return o.type().isFloating() ? "has the bits of {@code expected}" : "equals {@code expected}";
  }

  private static String fences() {
    StringBuilder methods = new StringBuilder();
    for (Fence f : OperationTable.fences()) {
      methods.append(
          "\n  /** Fence of %s scope, order %s. */\n  public static void %s() {\n%s  }\n"
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
     * Fences, as {@code cuda::atomic_thread_fence}: order the accesses before them and after them
     * among the threads of a scope, together with relaxed accesses to an element on both sides.
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
