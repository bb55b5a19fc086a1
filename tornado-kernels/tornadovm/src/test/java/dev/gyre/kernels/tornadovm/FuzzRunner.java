package dev.gyre.kernels.tornadovm;

import dev.gyre.atomics.DeviceInts;
import dev.gyre.atomics.DeviceLongs;
import dev.gyre.atomics.Memory;
import dev.gyre.atomics.ThreadLongs;
import dev.gyre.atomics.tornadovm.MiscompiledKernelException;
import dev.gyre.kernels.Kernel;
import dev.gyre.kernels.Launch;
import dev.gyre.kernels.LaunchException;
import dev.gyre.kernels.LaunchMode;
import dev.gyre.kernels.LaunchShape;
import java.io.File;
import java.io.IOException;
import java.io.StringWriter;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/** Compiles a body of a device function, runs it on the JVM and on a device, and compares. */
final class FuzzRunner {

  private static final AtomicInteger NUMBERS = new AtomicInteger();
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

  /** Elements; each value meets every other in some place. */
  private static final int COUNT = VALUES.length * VALUES.length;

  private static final long HANG_NANOS = 60_000_000_000L;

  private static int refused;

  private FuzzRunner() {}

  /** How many programs were refused because TornadoVM lost their control flow. */
  static int refused() {
    return refused;
  }

  /** What differs, or an empty text; that also where the kernel was refused as miscompiled. */
  static String difference(TornadoLauncher launcher, String body) {
    try (Memory in = Memory.ofLongs(4L * COUNT);
        Memory cells = Memory.ofInts(COUNT);
        Memory longs = Memory.ofLongs(COUNT);
        Memory out = Memory.ofLongs(4L * COUNT);
        Memory cellsHere = Memory.ofInts(COUNT);
        Memory longsHere = Memory.ofLongs(COUNT);
        Memory outHere = Memory.ofLongs(4L * COUNT)) {
      fill(in, cells, longs);
      cellsHere.segment().copyFrom(cells.segment());
      longsHere.segment().copyFrom(longs.segment());
      Class<? extends Record> type = compile(body);
      Kernel there = kernel(type, in, cells, longs, out);
      kernel(type, in, cellsHere, longsHere, outHere).run(0, LaunchShape.ofThreads(1));
      try {
        Launch launch = launcher.start(there, launcher.shapeFor(COUNT), LaunchMode.STRIDED);
        awaitOrHalt(launch, body);
        launch.join();
      } catch (LaunchException e) {
        if (e.getCause() instanceof MiscompiledKernelException) {
          refused++;
          return "";
        }
        return "does not run: " + e.getMessage();
      }
      launcher.readBack(cells, longs, out);
      return different("out", in, out, outHere, 32)
          + different("cells", in, cells, cellsHere, 4)
          + different("longs", in, longs, longsHere, 8);
    } catch (IOException | ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }

  /** What a body is compiled to, in the device's language. */
  static String source(TornadoLauncher launcher, String body) {
    try (Memory in = Memory.ofLongs(4L * COUNT);
        Memory cells = Memory.ofInts(COUNT);
        Memory longs = Memory.ofLongs(COUNT);
        Memory out = Memory.ofLongs(4L * COUNT)) {
      Class<? extends Record> type = compile(body);
      return launcher.source(kernel(type, in, cells, longs, out));
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

  private static void fill(Memory in, Memory cells, Memory longs) {
    int n = VALUES.length;
    for (int i = 0; i < COUNT; i++) {
      long[] operands = {
        VALUES[i % n], VALUES[i / n], VALUES[(i / n + i) % n], VALUES[(7 * i) % n]
      };
      MemorySegment.copy(
          operands, 0, in.segment(), ValueLayout.JAVA_LONG, 32L * i, operands.length);
      cells.segment().setAtIndex(ValueLayout.JAVA_INT, i, (int) VALUES[(3 * i) % n]);
      longs.segment().setAtIndex(ValueLayout.JAVA_LONG, i, VALUES[(5 * i) % n]);
    }
  }

  private static String different(String what, Memory in, Memory a, Memory b, int bytesPerElement) {
    long at = a.segment().mismatch(b.segment());
    if (at < 0) {
      return "";
    }
    long element = at / bytesPerElement;
    return "%s of element %d, byte %d, with a = %d, b = %d, c = %d, d = %d; "
        .formatted(
            what,
            element,
            at % bytesPerElement,
            (int) in.segment().getAtIndex(ValueLayout.JAVA_LONG, 4 * element),
            (int) in.segment().getAtIndex(ValueLayout.JAVA_LONG, 4 * element + 1),
            in.segment().getAtIndex(ValueLayout.JAVA_LONG, 4 * element + 2),
            in.segment().getAtIndex(ValueLayout.JAVA_LONG, 4 * element + 3));
  }

  private static Kernel kernel(
      Class<? extends Record> type, Memory in, Memory cells, Memory longs, Memory out)
      throws ReflectiveOperationException {
    var constructor = type.getDeclaredConstructors()[0];
    constructor.setAccessible(true);
    return (Kernel)
        constructor.newInstance(
            ThreadLongs.of(in),
            DeviceInts.of(cells),
            DeviceLongs.of(longs),
            ThreadLongs.of(out),
            COUNT);
  }

  /** Compiles into the folder that this class was loaded from, which is on the class path. */
  private static Class<? extends Record> compile(String body)
      throws IOException, ClassNotFoundException {
    String name = "Fuzz" + ProcessHandle.current().pid() + "x" + NUMBERS.incrementAndGet();
    Path classes;
    try {
      classes =
          Path.of(FuzzRunner.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    } catch (java.net.URISyntaxException e) {
      throw new IOException(e);
    }
    Path folder = Files.createTempDirectory("gyre-fuzz");
    Path source = Files.writeString(folder.resolve(name + ".java"), program(name, body));
    JavaCompiler javac = ToolProvider.getSystemJavaCompiler();
    StringWriter errors = new StringWriter();
    try (StandardJavaFileManager files = javac.getStandardFileManager(null, null, null)) {
      List<String> options =
          List.of(
              "-g",
              "-proc:none",
              "-d",
              classes.toString(),
              "-cp",
              System.getProperty("java.class.path")
                  + File.pathSeparator
                  + System.getProperty("jdk.module.path"));
      if (!javac
          .getTask(errors, files, null, options, null, files.getJavaFileObjects(source))
          .call()) {
        throw new IllegalStateException(errors + program(name, body));
      }
    } finally {
      Files.delete(source);
      Files.delete(folder);
    }
    for (Path p : List.of(classes.resolve("dev/gyre/kernels/tornadovm/" + name + ".class"))) {
      p.toFile().deleteOnExit();
    }
    return Class.forName("dev.gyre.kernels.tornadovm." + name).asSubclass(Record.class);
  }

  private static String program(String name, String body) {
    return """
    package dev.gyre.kernels.tornadovm;
    import dev.gyre.atomics.*;
    import dev.gyre.kernels.*;
    record $Name(ThreadLongs in, DeviceInts cells, DeviceLongs longs, ThreadLongs out, int count)
        implements Kernel {
      public void run(int thread, LaunchShape shape) {
        all(thread, shape.threads(), in, cells, longs, out, count);
      }
      static void all(int thread, int threads, ThreadLongs in, DeviceInts cells,
          DeviceLongs longs, ThreadLongs out, int count) {
        for (int at = thread; at < count; at += threads) {
          one(at, in, cells, longs, out);
        }
      }
      static void one(long at, ThreadLongs in, DeviceInts cells, DeviceLongs longs, ThreadLongs out) {
        int a = (int) in.get(4 * at);
        int b = (int) in.get(4 * at + 1);
        long c = in.get(4 * at + 2);
        long d = in.get(4 * at + 3);
    $body
        out.set(4 * at, a);
        out.set(4 * at + 1, b);
        out.set(4 * at + 2, c);
        out.set(4 * at + 3, d);
      }
    }
    """
        .replace("$Name", name)
        .replace("$body", body);
  }
}
