package dev.gyre.kernels.tornadovm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.gyre.atomics.Memory;
import dev.gyre.atomics.ThreadLongs;
import dev.gyre.atomics.table.ElementType;
import dev.gyre.atomics.table.Operation;
import dev.gyre.atomics.table.OperationTable;
import dev.gyre.atomics.table.Scope;
import dev.gyre.atomics.tornadovm.UnsupportedByDeviceException;
import dev.gyre.kernels.JvmLauncher;
import dev.gyre.kernels.Kernel;
import dev.gyre.kernels.LaunchException;
import dev.gyre.kernels.LaunchShape;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Every operation of every handle, on a device: what it is compiled to, and what it does. */
@ExtendWith(DeviceUnderTest.class)
class OperationsTest {

  private static final long[] VALUES = {
    0,
    1,
    -1,
    2,
    42,
    -42,
    255,
    256,
    65535,
    0x7fff_ffffL,
    0x8000_0000L,
    0xffff_ffffL,
    -0x8000_0000L,
    0x1_0000_0000L,
    Long.MAX_VALUE,
    Long.MIN_VALUE,
    0x0123_4567_89ab_cdefL
  };

  private static final double[] FLOATS = {
    0.0,
    -0.0,
    1,
    -1,
    0.1,
    -42.5,
    1e10,
    Float.MAX_VALUE,
    Float.MIN_VALUE,
    -1e-40,
    Float.MIN_NORMAL,
    Double.POSITIVE_INFINITY,
    Double.NEGATIVE_INFINITY,
    Double.NaN,
    Math.PI,
    1 << 24,
    -1e-8
  };

  private static final double[] DOUBLES = {
    0.0,
    -0.0,
    1,
    -1,
    0.1,
    -42.5,
    1e100,
    Double.MAX_VALUE,
    Double.MIN_VALUE,
    -1e-310,
    Double.MIN_NORMAL,
    Double.POSITIVE_INFINITY,
    Double.NEGATIVE_INFINITY,
    Double.NaN,
    Math.PI,
    1L << 53,
    -1e-16
  };

  private static final int COUNT = VALUES.length * VALUES.length;

  /** An element, or its bits. */
  private static long value(ElementType type, int number) {
    return switch (type) {
      case INT, LONG -> VALUES[number];
      case FLOAT -> Float.floatToRawIntBits((float) FLOATS[number]);
      case DOUBLE -> Double.doubleToRawLongBits(DOUBLES[number]);
    };
  }

  /** A kernel with its memories. */
  private record Case(Kernel kernel, Memory cells, Memory operands, Memory results)
      implements AutoCloseable {
    @Override
    public void close() {
      cells.close();
      operands.close();
      results.close();
    }
  }

  static Stream<Arguments> handles() {
    return Stream.of(Scope.values())
        .flatMap(s -> Stream.of(ElementType.values()).map(t -> Arguments.of(s, t)));
  }

  private static Case newCase(Scope scope, ElementType type) {
    int operations = OperationTable.operations(scope, type).size();
    Memory cells = Memory.ofLongs((long) COUNT * operations);
    Memory operands = Memory.ofLongs(2L * COUNT);
    Memory results = Memory.ofLongs((long) COUNT * operations);
    for (int i = 0; i < COUNT; i++) {
      long x = value(type, i % VALUES.length);
      long y = value(type, i / VALUES.length);
      operands.segment().setAtIndex(ValueLayout.JAVA_LONG, 2L * i, x);
      operands.segment().setAtIndex(ValueLayout.JAVA_LONG, 2L * i + 1, y);
      for (int k = 0; k < operations; k++) {
        // Every third element is what compareAndSet expects.
        long cell = i % 3 == 0 ? x : y;
        long index = (long) i * operations + k;
        switch (type) {
          case INT, FLOAT -> cells.segment().setAtIndex(ValueLayout.JAVA_INT, index, (int) cell);
          case LONG, DOUBLE -> cells.segment().setAtIndex(ValueLayout.JAVA_LONG, index, cell);
        }
      }
    }
    return new Case(kernel(scope, type, cells, operands, results), cells, operands, results);
  }

  private static Kernel kernel(
      Scope scope, ElementType type, Memory cells, Memory operands, Memory results) {
    ThreadLongs in = ThreadLongs.of(operands);
    ThreadLongs out = ThreadLongs.of(results);
    String handle = scope.prefix() + type.suffix();
    try {
      Object access =
          Class.forName("dev.gyre.atomics." + handle)
              .getMethod("of", Memory.class)
              .invoke(null, cells);
      return (Kernel)
          Class.forName(OperationsTest.class.getPackageName() + ".All" + handle)
              .getDeclaredConstructors()[0]
              .newInstance(access, in, out, COUNT);
    } catch (ReflectiveOperationException e) {
      throw new LinkageError(e.getMessage(), e);
    }
  }

  private static Case sharedCase(ElementType type) {
    Case global = newCase(Scope.BLOCK, type);
    int operations = OperationTable.shared(type).size();
    try {
      Class<?> handle = Class.forName("dev.gyre.atomics.Shared" + type.suffix());
      Class<?> cells = Class.forName("dev.gyre.atomics.Thread" + type.suffix());
      Kernel kernel =
          (Kernel)
              Class.forName(OperationsTest.class.getPackageName() + ".AllShared" + type.suffix())
                  .getDeclaredConstructors()[0]
                  .newInstance(
                      handle.getMethod("of", int.class).invoke(null, operations),
                      cells.getMethod("of", Memory.class).invoke(null, global.cells),
                      ThreadLongs.of(global.operands),
                      ThreadLongs.of(global.results),
                      COUNT);
      return new Case(kernel, global.cells, global.operands, global.results);
    } catch (ReflectiveOperationException e) {
      throw new LinkageError(e.getMessage(), e);
    }
  }

  @ParameterizedTest
  @EnumSource(ElementType.class)
  void everyOperationDoesItInMemoryThatABlockShares(ElementType type) {
    try (TornadoLauncher launcher = open();
        JvmLauncher jvm = JvmLauncher.create();
        Case device = sharedCase(type);
        Case reference = sharedCase(type)) {
      assumeTrue(!refuses(launcher, Scope.BLOCK, type), "the device refuses block scope");
      launcher.run(device.kernel(), LaunchShape.ofThreads(16));
      launcher.readBack(device.cells(), device.results());
      jvm.run(reference.kernel(), LaunchShape.ofThreads(2));
      oneNaN(type, device.cells());
      oneNaN(type, reference.cells());
      assertSame(
          Scope.BLOCK, type, "result", device.results(), reference.results(), ElementType.LONG);
      assertSame(Scope.BLOCK, type, "element", device.cells(), reference.cells(), type);
      String source = launcher.source(device.kernel());
      for (Operation o : OperationTable.shared(type)) {
        if (!o.kind().composite()) {
          assertThat(pattern(launcher.text(o)).matcher(source).find()).as("%s", o).isTrue();
        }
      }
    }
  }

  private static TornadoLauncher open() {
    return DeviceUnderTest.open();
  }

  private static boolean refuses(TornadoLauncher launcher, Scope scope, ElementType type) {
    try {
      for (Operation o : OperationTable.operations(scope, type)) {
        if (!o.kind().composite()) {
          String _ = launcher.text(o);
        }
      }
      return false;
    } catch (UnsupportedByDeviceException e) {
      return true;
    }
  }

  @ParameterizedTest
  @MethodSource("handles")
  void everyOperationIsCompiledToItsText(Scope scope, ElementType type) {
    try (TornadoLauncher launcher = open();
        Case c = newCase(scope, type)) {
      assumeTrue(!refuses(launcher, scope, type), "the device refuses " + scope);
      String source = launcher.source(c.kernel());
      int at = 0;
      for (Operation o : OperationTable.operations(scope, type)) {
        if (!o.kind().composite()) {
          Matcher m = pattern(launcher.text(o)).matcher(source);
          assertThat(m.find(at)).as("%s: %s in%n%s", o, launcher.text(o), source).isTrue();
          at = m.end();
        }
      }
    }
  }

  /** The text with any operand in each of its places. */
  static Pattern pattern(String text) {
    List<String> parts = new ArrayList<>();
    for (String part : text.split("\\$[raxy]", -1)) {
      parts.add(Pattern.quote(part));
    }
    return Pattern.compile(String.join("\\[?-?\\w+\\]?", parts));
  }

  @ParameterizedTest
  @MethodSource("handles")
  void everyOperationDoesWhatItDoesOnTheJvm(Scope scope, ElementType type) {
    try (TornadoLauncher launcher = open();
        JvmLauncher jvm = JvmLauncher.create();
        Case device = newCase(scope, type);
        Case reference = newCase(scope, type)) {
      assumeTrue(!refuses(launcher, scope, type), "the device refuses " + scope);
      launcher.run(device.kernel(), launcher.shapeFor(COUNT));
      launcher.readBack(device.cells(), device.results());
      jvm.run(reference.kernel(), LaunchShape.ofThreads(2));
      assertSame(scope, type, "result", device.results(), reference.results(), ElementType.LONG);
      oneNaN(type, device.cells());
      oneNaN(type, reference.cells());
      assertSame(scope, type, "element", device.cells(), reference.cells(), type);
    }
  }

  /** Which NaN a sum is, is up to the device. */
  private static void oneNaN(ElementType type, Memory cells) {
    MemorySegment all = cells.segment();
    for (long i = 0; type == ElementType.FLOAT && i < all.byteSize() / Float.BYTES; i++) {
      float f = all.getAtIndex(ValueLayout.JAVA_FLOAT, i);
      all.setAtIndex(ValueLayout.JAVA_INT, i, Float.floatToIntBits(f));
    }
    for (long i = 0; type == ElementType.DOUBLE && i < all.byteSize() / Double.BYTES; i++) {
      double d = all.getAtIndex(ValueLayout.JAVA_DOUBLE, i);
      all.setAtIndex(ValueLayout.JAVA_LONG, i, Double.doubleToLongBits(d));
    }
  }

  private static void assertSame(
      Scope scope, ElementType type, String what, Memory actual, Memory expected, ElementType of) {
    long byteAt = actual.segment().mismatch(expected.segment());
    if (byteAt >= 0) {
      List<Operation> operations = OperationTable.operations(scope, type);
      long index = byteAt / of.bytes();
      int set = (int) (index / operations.size());
      throw new AssertionError(
          "%s of %s with x = %d, y = %d differs"
              .formatted(
                  what,
                  operations.get((int) (index % operations.size())),
                  value(type, set % VALUES.length),
                  value(type, set / VALUES.length)));
    }
  }

  @ParameterizedTest
  @MethodSource("handles")
  void whatTheDeviceCannotDoIsRefusedByName(Scope scope, ElementType type) {
    try (TornadoLauncher launcher = open();
        Case c = newCase(scope, type)) {
      assumeTrue(refuses(launcher, scope, type), "the device does all of it");
      assertThatThrownBy(() -> launcher.run(c.kernel(), LaunchShape.ofThreads(1)))
          .isInstanceOf(LaunchException.class)
          .hasMessageContaining(scope.prefix() + type.suffix())
          .hasMessageContaining(c.kernel().name())
          .hasMessageContaining(DeviceUnderTest.target().label())
          .hasCauseInstanceOf(UnsupportedByDeviceException.class);
    }
  }
}
