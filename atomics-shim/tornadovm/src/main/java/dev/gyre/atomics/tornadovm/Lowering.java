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
 * Registers the shim with the compiler of one of TornadoVM's devices.
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
   * Returns the lowering for a device, of which there is one. The device's compiler learns of it
   * before its first compilation: cached kernels need none.
   *
   * @param tasks knows the methods that stand for kernels
   */
  public static Lowering install(TornadoXPUDevice device, TaskPlugin tasks) {
    return INSTALLED.computeIfAbsent(device, d -> of(DeviceCompilers.of(d), tasks));
  }

  private static Lowering of(DeviceCompiler compiler, TaskPlugin tasks) {
    // Throws if the header does not fit before payloads.
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
    compiler.fix();
  }

  /** Makes the device current for the calling thread. */
  public void bindThread() {
    compiler.bindThread();
  }

  /** Lets TornadoVM build the graph of a task for the device, before it generates code. */
  public void sketch(CompilableTask task) {
    register();
    compiler.configure(task.meta());
    Sketches.make(compiler.backend(), task);
  }

  /**
   * Returns the text of an operation on the device: statements in which {@code $r} stands for the
   * result, {@code $a} for the address, {@code $x} and {@code $y} for the arguments after the
   * index.
   *
   * @throws UnsupportedByDeviceException if the device does not support it
   * @throws IllegalArgumentException if the operation is composite
   */
  public String text(Operation operation) {
    return syntax.operation(operation);
  }

  /**
   * Returns the text of a fence on the device; empty if it needs no statement.
   *
   * @throws UnsupportedByDeviceException if the device does not support it
   */
  public String text(Fence fence) {
    return syntax.fence(fence);
  }

  /**
   * Returns the texts of the arithmetic of {@link Unsigned} on the device, by the names of its
   * functions in the pinned texts, such as {@code SHIFT_RIGHT_INT}.
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
   * Returns the text of a compiled kernel, in the device's language.
   *
   * @throws MiscompiledKernelException if the text visibly differs from the kernel
   */
  public String source(TornadoInstalledCode code) {
    String source = compiler.source(code);
    Optional<String> flaw = compiler.flaw(source);
    if (flaw.isPresent()) {
      throw new MiscompiledKernelException(flaw.get());
    }
    return source;
  }

  /** Returns the name of a kernel in its text. */
  public String entry(TornadoInstalledCode code) {
    return compiler.entry(code);
  }

  /**
   * Lets the driver compile the text of a kernel from another process with the same {@link
   * #identity}.
   *
   * @param plan number of TornadoVM's execution plan
   * @param task task of any method
   * @param entry name of the kernel in the text
   */
  public TornadoInstalledCode install(long plan, CompilableTask task, String entry, String source) {
    compiler.configure(task.meta());
    return compiler.install(plan, task, entry, source);
  }

  /**
   * Returns the compiled image of a kernel's text, which the driver can load without compiling;
   * empty if the driver has its own cache, or does not export images.
   */
  public ByteBuffer image(TornadoInstalledCode code) {
    return compiler.image(code);
  }

  /**
   * Lets the driver load an {@link #image} of another process with the same {@link #identity}.
   *
   * @param entry name of the kernel in the text
   * @param source text of the image
   * @throws GyreException if the driver refuses it
   */
  public TornadoInstalledCode load(String entry, String source, ByteBuffer image) {
    return compiler.load(entry, source, image);
  }

  /**
   * Returns what the text of a kernel depends on besides the kernel and these classes: the device,
   * its driver, the compiler of texts, and the alignment of payloads.
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
   * Returns how many blocks of a size fit on one compute unit when they run a kernel; at least 1.
   * Runs on the thread for which the device is current.
   */
  public int blocksPerUnit(TornadoInstalledCode code, int blockSize) {
    return compiler.blocksPerUnit(code, blockSize);
  }

  /** Returns the shared memory of a block on the device, in bytes. */
  public long sharedBytes() {
    return compiler.sharedBytes();
  }

  /**
   * Returns the refusals since the last call: TornadoVM passes on the message of an exception, not
   * the exception.
   */
  public List<GyreException> takeRefusals() {
    List<GyreException> taken = List.copyOf(refusals);
    refusals.removeAll(taken);
    return taken;
  }
}
