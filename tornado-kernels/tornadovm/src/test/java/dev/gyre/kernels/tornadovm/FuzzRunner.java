package dev.gyre.kernels.tornadovm;

import static java.util.Map.entry;

import dev.gyre.atomics.DeviceDoubles;
import dev.gyre.atomics.DeviceFloats;
import dev.gyre.atomics.DeviceInts;
import dev.gyre.atomics.DeviceLongs;
import dev.gyre.atomics.Lanes;
import dev.gyre.atomics.Memory;
import dev.gyre.atomics.SharedDoubles;
import dev.gyre.atomics.SharedFloats;
import dev.gyre.atomics.SharedInts;
import dev.gyre.atomics.SharedLongs;
import dev.gyre.atomics.ThreadInts;
import dev.gyre.atomics.ThreadLongs;
import dev.gyre.atomics.tornadovm.MiscompiledKernelException;
import dev.gyre.kernels.JvmLauncher;
import dev.gyre.kernels.Kernel;
import dev.gyre.kernels.Launch;
import dev.gyre.kernels.LaunchException;
import dev.gyre.kernels.LaunchMode;
import dev.gyre.kernels.LaunchShape;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;

/** Runs a body of a device function on the JVM and on a device, and compares. */
final class FuzzRunner {

  private static final long[] VALUES = {
    0,
    1,
    -1,
    2,
    31,
    32,
    33,
    63,
    64,
    65,
    -42,
    255,
    0x7fff_ffffL,
    0x8000_0000L,
    0xffff_ffffL,
    0x1_0000_0000L,
    Long.MAX_VALUE,
    Long.MIN_VALUE,
    0x0123_4567_89ab_cdefL,
    -0x7fff_ffffL
  };

  private static final float[] FLOATS = {
    0,
    -0.0f,
    1,
    -1,
    0.1f,
    -42.5f,
    3,
    1.0e-40f,
    -Float.MIN_VALUE,
    Float.MIN_NORMAL,
    Float.MAX_VALUE,
    Float.POSITIVE_INFINITY,
    Float.NEGATIVE_INFINITY,
    Float.NaN,
    16_777_216,
    2.147_483_6e9f,
    -9.223_372e18f,
    (float) Math.PI,
    1.0e-8f,
    -7.5e20f
  };

  private static final double[] DOUBLES = {
    0,
    -0.0,
    1,
    -1,
    0.1,
    -42.5,
    3,
    1.0e-310,
    -Double.MIN_VALUE,
    Double.MIN_NORMAL,
    Double.MAX_VALUE,
    Double.POSITIVE_INFINITY,
    Double.NEGATIVE_INFINITY,
    Double.NaN,
    9_007_199_254_740_992.0,
    2_147_483_647.5,
    -9.223_372_036_854_776e18,
    Math.PI,
    1.0e-20,
    -7.5e300
  };

  /** Longs of an element that go in, and that come out. */
  private static final long WIDTH = 8;

  private static final long OUT = 12;

  /** Elements, of whole blocks; each value meets every other in some place. */
  private static final int COUNT =
      Math.ceilDiv(VALUES.length * VALUES.length, FuzzSource.BLOCK) * FuzzSource.BLOCK;

  private static final long HANG_NANOS = 60_000_000_000L;

  private static int refused;

  private FuzzRunner() {}

  /** How many programs were refused because TornadoVM lost their control flow. */
  static int refused() {
    return refused;
  }

  /** What a program works on. */
  private record Data(
      Memory in, Memory cells, Memory longs, Memory floats, Memory doubles, Memory out)
      implements AutoCloseable {

    static Data filled() {
      Data data =
          new Data(
              Memory.ofLongs(WIDTH * COUNT),
              Memory.ofInts(COUNT),
              Memory.ofLongs(COUNT),
              Memory.ofFloats(COUNT),
              Memory.ofDoubles(COUNT),
              Memory.ofLongs(OUT * COUNT));
      data.fill();
      return data;
    }

    private void fill() {
      int n = VALUES.length;
      for (int i = 0; i < COUNT; i++) {
        int j = i / n % n;
        long[] operands = {
          VALUES[i % n],
          VALUES[j],
          VALUES[(j + i) % n],
          VALUES[(7 * i) % n],
          Float.floatToRawIntBits(FLOATS[i % n]),
          Float.floatToRawIntBits(FLOATS[j]),
          Double.doubleToRawLongBits(DOUBLES[(j + i) % n]),
          Double.doubleToRawLongBits(DOUBLES[(7 * i) % n])
        };
        MemorySegment.copy(
            operands, 0, in.segment(), ValueLayout.JAVA_LONG, 8L * WIDTH * i, operands.length);
        cells.segment().setAtIndex(ValueLayout.JAVA_INT, i, (int) VALUES[(3 * i) % n]);
        longs.segment().setAtIndex(ValueLayout.JAVA_LONG, i, VALUES[(5 * i) % n]);
        floats.segment().setAtIndex(ValueLayout.JAVA_FLOAT, i, FLOATS[(3 * i) % n]);
        doubles.segment().setAtIndex(ValueLayout.JAVA_DOUBLE, i, DOUBLES[(5 * i) % n]);
      }
    }

    /** Which NaN comes out is up to the device. */
    void takeOneNaN() {
      for (int i = 0; i < COUNT; i++) {
        float f = floats.segment().getAtIndex(ValueLayout.JAVA_FLOAT, i);
        floats.segment().setAtIndex(ValueLayout.JAVA_INT, i, Float.floatToIntBits(f));
        double d = doubles.segment().getAtIndex(ValueLayout.JAVA_DOUBLE, i);
        doubles.segment().setAtIndex(ValueLayout.JAVA_LONG, i, Double.doubleToLongBits(d));
      }
    }

    /**
     * A kernel on it.
     *
     * @param width lanes of a warp, where the kernel plays them
     */
    Kernel kernel(Class<? extends Record> type, int width) throws ReflectiveOperationException {
      Map<String, Object> components =
          Map.ofEntries(
              entry("in", ThreadLongs.of(in)),
              entry("cells", DeviceInts.of(cells)),
              entry("longs", DeviceLongs.of(longs)),
              entry("floats", DeviceFloats.of(floats)),
              entry("doubles", DeviceDoubles.of(doubles)),
              entry("out", ThreadLongs.of(out)),
              entry("count", COUNT),
              entry("si", SharedInts.of(FuzzSource.BLOCK)),
              entry("sl", SharedLongs.of(FuzzSource.BLOCK)),
              entry("sf", SharedFloats.of(FuzzSource.BLOCK)),
              entry("sd", SharedDoubles.of(FuzzSource.BLOCK)),
              entry("warps", new JvmWarps(SharedLongs.of(FuzzSource.BLOCK), width)));
      Object[] arguments =
          Arrays.stream(type.getRecordComponents()).map(c -> components.get(c.getName())).toArray();
      var constructor = type.getDeclaredConstructors()[0];
      constructor.setAccessible(true);
      return (Kernel) constructor.newInstance(arguments);
    }

    @Override
    public void close() {
      List.of(in, cells, longs, floats, doubles, out).forEach(Memory::close);
    }
  }

  /** What differs, or an empty text; that also where the kernel was refused as miscompiled. */
  static String difference(TornadoLauncher launcher, String body) {
    return difference(launcher, body, width(launcher));
  }

  /** The same, with warps of some width on the JVM. */
  static String difference(TornadoLauncher launcher, String body, int width) {
    boolean together = FuzzSource.isTogether(body);
    LaunchShape blocks = new LaunchShape(COUNT / FuzzSource.BLOCK, FuzzSource.BLOCK);
    try (Data there = Data.filled();
        Data here = Data.filled()) {
      try {
        Launch launch =
            launcher.start(
                there.kernel(FuzzSource.forDevice(body), 1),
                together ? blocks : launcher.shapeFor(COUNT),
                LaunchMode.STRIDED);
        awaitOrHalt(launch, body);
        launch.join();
      } catch (LaunchException e) {
        if (e.getCause() instanceof MiscompiledKernelException) {
          refused++;
          return "";
        }
        return "does not run: " + e.getMessage();
      }
      launcher.readBack(there.cells, there.longs, there.floats, there.doubles, there.out);
      if (together) {
        try (JvmLauncher jvm = JvmLauncher.create()) {
          jvm.run(here.kernel(FuzzSource.forJvm(body, width), width), blocks);
        }
      } else {
        here.kernel(FuzzSource.forDevice(body), 1).run(0, LaunchShape.ofThreads(1));
      }
      there.takeOneNaN();
      here.takeOneNaN();
      return different("out", here.in, there.out, here.out, Long.BYTES * (int) OUT)
          + different("cells", here.in, there.cells, here.cells, Integer.BYTES)
          + different("longs", here.in, there.longs, here.longs, Long.BYTES)
          + different("floats", here.in, there.floats, here.floats, Float.BYTES)
          + different("doubles", here.in, there.doubles, here.doubles, Double.BYTES);
    } catch (IOException | ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Asks a device for the lanes of its warps. */
  record Width(ThreadInts told) implements Kernel {
    @Override
    public void run(int thread, LaunchShape shape) {
      told.set(thread, Lanes.width());
    }
  }

  /** Lanes of a warp of a device. */
  static int width(TornadoLauncher launcher) {
    try (Memory told = Memory.ofInts(FuzzSource.BLOCK)) {
      Width kernel = new Width(ThreadInts.of(told));
      launcher.run(kernel, new LaunchShape(1, FuzzSource.BLOCK));
      launcher.readBack(told);
      return kernel.told().get(0);
    }
  }

  /** What a body is compiled to, in the device's language. */
  static String source(TornadoLauncher launcher, String body) {
    try (Data data = Data.filled()) {
      return launcher.source(data.kernel(FuzzSource.forDevice(body), 1));
    } catch (IOException | ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Nothing can stop a kernel: where one runs for ever, this JVM ends and says which. */
  private static void awaitOrHalt(Launch launch, String body) {
    long end = System.nanoTime() + HANG_NANOS;
    while (!launch.isDone()) {
      if (System.nanoTime() > end) {
        System.out.println("A kernel does not end:\n" + body);
        Runtime.getRuntime().halt(1);
      }
      LockSupport.parkNanos(100_000);
    }
  }

  private static String different(String what, Memory in, Memory a, Memory b, int bytesPerElement) {
    long at = a.segment().mismatch(b.segment());
    if (at < 0) {
      return "";
    }
    long element = at / bytesPerElement;
    Object[] operands = new Object[(int) WIDTH];
    for (int i = 0; i < operands.length; i++) {
      operands[i] = in.segment().getAtIndex(ValueLayout.JAVA_LONG, WIDTH * element + i);
    }
    return "%s of element %d, byte %d, with ".formatted(what, element, at % bytesPerElement)
        + "a = %d, b = %d, c = %d, d = %d, and bits f = %x, g = %x, x = %x, y = %x; "
            .formatted(operands);
  }
}
