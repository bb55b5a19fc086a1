package dev.gyre.atomics.tornadovm;

import dev.gyre.atomics.GyreException;
import dev.gyre.atomics.Unsigned;
import dev.gyre.atomics.table.Fence;
import dev.gyre.atomics.table.Operation;
import dev.gyre.atomics.tornadovm.graal.ArithmeticPhase;
import dev.gyre.atomics.tornadovm.graal.DissolvePhase;
import dev.gyre.atomics.tornadovm.graal.ShimPlugins;
import dev.gyre.atomics.tornadovm.graal.Sketches;
import dev.gyre.atomics.tornadovm.graal.TaskPlugin;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import uk.ac.manchester.tornado.api.types.arrays.TornadoNativeArray;
import uk.ac.manchester.tornado.runtime.common.TornadoInstalledCode;
import uk.ac.manchester.tornado.runtime.common.TornadoXPUDevice;
import uk.ac.manchester.tornado.runtime.tasks.CompilableTask;

/**
 * The shim, made known to the compiler of one of TornadoVM's devices.
 *
 * <p>Install it before a kernel is compiled for the device. Thread-safe.
 */
public final class Lowering {

  private static final Map<TornadoXPUDevice, Lowering> INSTALLED = new ConcurrentHashMap<>();

  private final DeviceCompiler compiler;
  private final Syntax syntax;
  private final TaskPlugin tasks;
  private final List<GyreException> refusals = new CopyOnWriteArrayList<>();

  /** Guarded by this. */
  private boolean registered;

  private Lowering(DeviceCompiler compiler, TaskPlugin tasks) {
    this.compiler = compiler;
    this.syntax = compiler.syntax();
    this.tasks = tasks;
  }

  /**
   * The lowering for a device, of which there is one. The device's compiler learns of it when it is
   * to compile for the first time: kernels that were kept need none.
   *
   * @param tasks knows the methods that stand for kernels
   */
  public static Lowering install(TornadoXPUDevice device, TaskPlugin tasks) {
    return INSTALLED.computeIfAbsent(device, d -> of(DeviceCompilers.of(d), tasks));
  }

  private static Lowering of(DeviceCompiler compiler, TaskPlugin tasks) {
    // Refuses a header that does not fit before payloads.
    long _ = compiler.payloadAlignment();
    return new Lowering(compiler, tasks);
  }

  private synchronized void register() {
    if (registered) {
      return;
    }
    registered = true;
    new ShimPlugins(compiler.backend(), syntax, compiler.printer(), refusals::add).register();
    ArithmeticPhase.install(compiler.suites(), syntax, compiler.printer(), refusals::add);
    DissolvePhase.install(compiler.backend(), tasks, syntax, compiler.printer(), refusals::add);
    compiler.mend();
  }

  /** Makes the device current on the thread that calls this. */
  public void bindThread() {
    compiler.bindThread();
  }

  /** Has TornadoVM make the graph of a task for the device, before it makes code of it. */
  public void sketch(CompilableTask task) {
    register();
    compiler.configure(task.meta());
    Sketches.make(compiler.backend(), task);
  }

  /**
   * What an operation becomes on the device: statements in which {@code $r} stands for the result,
   * {@code $a} for the address, {@code $x} and {@code $y} for the arguments after the index.
   *
   * @throws UnsupportedByDeviceException if the device cannot do it
   * @throws IllegalArgumentException if the operation is composite
   */
  public String text(Operation operation) {
    return syntax.operation(operation);
  }

  /**
   * What a fence becomes on the device; nothing, where it needs no statement.
   *
   * @throws UnsupportedByDeviceException if the device cannot do it
   */
  public String text(Fence fence) {
    return syntax.fence(fence);
  }

  /**
   * What the arithmetic of {@link Unsigned} becomes on the device, by the names of its functions in
   * the pinned texts, such as {@code SHIFT_RIGHT_INT}.
   */
  public Map<String, String> unsignedTexts() {
    Map<String, String> texts = new TreeMap<>();
    for (PlainFunction f : PlainFunction.values()) {
      if (f.holder() == Unsigned.class) {
        texts.put(f.name(), syntax.function(f));
      }
    }
    return texts;
  }

  /**
   * The text, in the device's language, that a kernel was compiled to.
   *
   * @throws MiscompiledKernelException if it is seen to do something else than the kernel
   */
  public String source(TornadoInstalledCode code) {
    String source = compiler.source(code);
    Optional<String> flaw = compiler.flaw(source);
    if (flaw.isPresent()) {
      throw new MiscompiledKernelException(flaw.get());
    }
    return source;
  }

  /** The name of a kernel in its text. */
  public String entry(TornadoInstalledCode code) {
    return compiler.entry(code);
  }

  /**
   * Has the driver make code of a text that a kernel was compiled to in another process, where all
   * that {@link #identity} tells was the same.
   *
   * @param plan number of TornadoVM's execution plan
   * @param task of any method
   * @param entry the kernel's name in it
   */
  public TornadoInstalledCode install(long plan, CompilableTask task, String entry, String source) {
    compiler.configure(task.meta());
    return compiler.install(plan, task, entry, source);
  }

  /**
   * What was made of a kernel's text in this process and the driver needs not compile again; empty
   * where the driver keeps that itself, or does not give it away.
   */
  public ByteBuffer image(TornadoInstalledCode code) {
    return compiler.image(code);
  }

  /**
   * Has the driver load what {@link #image} was in another process, where all that {@link
   * #identity} tells was the same.
   *
   * @param entry the kernel's name in it
   * @param source the text that it was made of
   * @throws GyreException if the driver does not take it
   */
  public TornadoInstalledCode load(String entry, String source, ByteBuffer image) {
    return compiler.load(entry, source, image);
  }

  /**
   * What the text of a kernel depends on beside the kernel and these classes: the device, its
   * driver, what makes code of texts, and how payloads lie.
   */
  public String identity() {
    TornadoXPUDevice device = compiler.device();
    return "%s|%s|%s|%s|%s|%s|%d|%d"
        .formatted(
            device.getTornadoVMBackend(),
            device.getPhysicalDevice().getDeviceName().strip(),
            device.getDeviceType(),
            compiler.driver(),
            compiler.translator(),
            compiler.computeCapability(),
            TornadoNativeArray.ARRAY_HEADER,
            compiler.payloadAlignment());
  }

  /**
   * How many blocks of a size one compute unit of the device has room for when they run a kernel;
   * at least 1. On the thread that the device is current on.
   */
  public int blocksPerUnit(TornadoInstalledCode code, int blockSize) {
    return compiler.blocksPerUnit(code, blockSize);
  }

  /** How much memory a block can share on the device, in bytes. */
  public long sharedBytes() {
    return compiler.sharedBytes();
  }

  /**
   * What was refused since the last call: TornadoVM passes on the message of an exception, not the
   * exception.
   */
  public List<GyreException> takeRefusals() {
    List<GyreException> taken = List.copyOf(refusals);
    refusals.removeAll(taken);
    return taken;
  }
}
