package dev.gyre.kernels.tornadovm;

import java.io.File;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/**
 * The Java text of a kernel around the body of a random program, and its class.
 *
 * <p>A body whose threads work together ({@link FuzzMeetings}) has one thread for each element, in
 * blocks of {@link #BLOCK}. To run it on the JVM, where a warp has one lane, as a device with more
 * runs it, {@code Lanes} is {@link JvmWarps} there.
 */
final class FuzzSource {

  /** Threads of a block that work together: whole warps. */
  static final int BLOCK = 64;

  private static final AtomicInteger NUMBERS = new AtomicInteger();

  private FuzzSource() {}

  /** Whether the threads of a block work together. */
  static boolean isTogether(String body) {
    return Pattern.compile("\\b(Block|Lanes|me|block|s[ilfd])\\b").matcher(body).find();
  }

  /** The kernel for a device. */
  static Class<? extends Record> forDevice(String body) throws IOException, ClassNotFoundException {
    return compile(body, "");
  }

  /**
   * The kernel that gives on the JVM what a device gives with warps of some width: with one lane,
   * as the JVM's own have, it is the device's kernel.
   */
  static Class<? extends Record> forJvm(String body, int width)
      throws IOException, ClassNotFoundException {
    if (width == 1) {
      return forDevice(body);
    }
    String lanes =
        Pattern.compile("\\bLanes\\.(\\w+)\\((\\))?")
            .matcher(body)
            .replaceAll(
                call -> "warps." + call.group(1) + (call.group(2) == null ? "(me, " : "(me)"));
    return compile(lanes, ", JvmWarps warps");
  }

  /** Compiles into the folder that this class was loaded from, which is on the class path. */
  private static Class<? extends Record> compile(String body, String more)
      throws IOException, ClassNotFoundException {
    String name = "Fuzz" + ProcessHandle.current().pid() + "x" + NUMBERS.incrementAndGet();
    String text = program(name, body, more);
    Path classes;
    try {
      classes =
          Path.of(FuzzSource.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    } catch (java.net.URISyntaxException e) {
      throw new IOException(e);
    }
    Path folder = Files.createTempDirectory("gyre-fuzz");
    Path source = Files.writeString(folder.resolve(name + ".java"), text);
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
        throw new IllegalStateException(errors + text);
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

  private static final String FLOATS_IN =
      """
          float f = Float.intBitsToFloat((int) in.get(8 * at + 4));
          float g = Float.intBitsToFloat((int) in.get(8 * at + 5));
          double x = Double.longBitsToDouble(in.get(8 * at + 6));
          double y = Double.longBitsToDouble(in.get(8 * at + 7));
      """;

  private static final String FLOATS_OUT =
      """
          out.set(12 * at + 4, f == f ? Float.floatToRawIntBits(f) : 1);
          out.set(12 * at + 5, g == g ? Float.floatToRawIntBits(g) : 1);
          out.set(12 * at + 6, x == x ? Double.doubleToRawLongBits(x) : 1);
          out.set(12 * at + 7, y == y ? Double.doubleToRawLongBits(y) : 1);
      """;

  private static final String SHARED_FLOATS_IN = "    sf.set(me, f);\n    sd.set(me, x);\n";

  private static final String SHARED_FLOATS_OUT =
      """
          float u = sf.get(me);
          double v = sd.get(me);
          out.set(12 * at + 10, u == u ? Float.floatToRawIntBits(u) : 1);
          out.set(12 * at + 11, v == v ? Double.doubleToRawLongBits(v) : 1);
      """;

  private static final String SHARED_IN =
      "    si.set(me, a);\n    sl.set(me, c);\n$floats    Block.barrier();\n";

  private static final String SHARED_OUT =
      "    out.set(12 * at + 8, si.get(me));\n    out.set(12 * at + 9, sl.get(me));\n$floats";

  private static final String EACH_ALONE =
      """
        for (int at = thread; at < count; at += shape.threads()) {
          one(at, 0, 0);
        }
      """;

  private static final String TOGETHER =
      """
        int size = shape.blockSize();
        one(thread, thread % size, thread / size);
      """;

  private static String program(String name, String body, String more) {
    boolean floating = Pattern.compile("\\b([fgxy]|floats|doubles|s[fd])\\b").matcher(body).find();
    boolean together = isTogether(body);
    String shared = together ? ", SharedInts si, SharedLongs sl" : "";
    String sharedFloats = together && floating ? ", SharedFloats sf, SharedDoubles sd" : "";
    return """
    package dev.gyre.kernels.tornadovm;
    import dev.gyre.atomics.*;
    import dev.gyre.kernels.*;
    record $Name(ThreadLongs in, DeviceInts cells, DeviceLongs longs, DeviceFloats floats,
        DeviceDoubles doubles, ThreadLongs out, int count$components)
        implements Kernel {
      public void run(int thread, LaunchShape shape) {
    $loop  }
      void one(long at, int me, int block) {
        int a = (int) in.get(8 * at);
        int b = (int) in.get(8 * at + 1);
        long c = in.get(8 * at + 2);
        long d = in.get(8 * at + 3);
    $floatsIn$sharedIn$body$sharedOut$floatsOut
        out.set(12 * at, a);
        out.set(12 * at + 1, b);
        out.set(12 * at + 2, c);
        out.set(12 * at + 3, d);
      }
    }
    """
        .replace("$components", shared + sharedFloats + more)
        .replace("$loop", together ? TOGETHER : EACH_ALONE)
        .replace("$floatsIn", floating ? FLOATS_IN : "")
        .replace("$floatsOut", floating ? FLOATS_OUT : "")
        .replace(
            "$sharedIn",
            together ? SHARED_IN.replace("$floats", floating ? SHARED_FLOATS_IN : "") : "")
        .replace(
            "$sharedOut",
            together ? SHARED_OUT.replace("$floats", floating ? SHARED_FLOATS_OUT : "") : "")
        .replace("$Name", name)
        .replace("$body", body);
  }
}
