package dev.gyre.bench.device;

import dev.gyre.atomics.Memory;
import dev.gyre.atomics.ThreadLongs;
import dev.gyre.kernels.ClearLongs;
import dev.gyre.kernels.Launch;
import dev.gyre.kernels.LaunchMode;
import dev.gyre.kernels.Launcher;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Sums up what a launcher spends its time on, for one call at a time. Structures use {@link
 * #launcher}, which passes everything on. If launches and copies of a call overlap, the parts may
 * add up to more than the call takes.
 */
final class PhaseLauncher implements InvocationHandler, AutoCloseable {

  private final Launcher target;
  private final boolean clearsByKernel;
  private final Launcher launcher;
  private final List<Launch> launches = Collections.synchronizedList(new ArrayList<>());
  private final AtomicLong copyNanos = new AtomicLong();
  private boolean apart;

  /**
   * Makes a launcher in front of another one.
   *
   * @param clearsByKernel whether a kernel clears memory, so that its time is known
   */
  PhaseLauncher(Launcher target, boolean clearsByKernel) {
    this.target = target;
    this.clearsByKernel = clearsByKernel;
    this.launcher =
        (Launcher)
            Proxy.newProxyInstance(
                Launcher.class.getClassLoader(), new Class<?>[] {Launcher.class}, this);
  }

  /**
   * Times of a call, in nanoseconds.
   *
   * @param kernel on the device
   * @param transfer to the device and back
   * @param compile of kernels
   * @param endToEnd of the whole call, as its caller sees it
   */
  record Phases(long kernel, long transfer, long compile, long endToEnd) {}

  /** Returns the launcher that structures use. */
  Launcher launcher() {
    return launcher;
  }

  /** Runs a call, and starts each kernel of a chain alone, so that its time is known. */
  Phases measure(Runnable call) {
    return measure(call, true);
  }

  /** Returns the nanoseconds of a call that runs as it does for users, with chains as wholes. */
  long nanos(Runnable call) {
    return measure(call, false).endToEnd;
  }

  private synchronized Phases measure(Runnable call, boolean takeApart) {
    launches.clear();
    copyNanos.set(0);
    apart = takeApart;
    long start = System.nanoTime();
    call.run();
    long endToEnd = System.nanoTime() - start;
    apart = false;
    launches.forEach(Launch::join);
    return new Phases(
        sum(Launch::kernelNanos),
        sum(Launch::transferNanos) + copyNanos.get(),
        sum(Launch::compileNanos),
        endToEnd);
  }

  private long sum(Function<Launch, OptionalLong> part) {
    return launches.stream().mapToLong(launch -> part.apply(launch).orElse(0)).sum();
  }

  @Override
  public @Nullable Object invoke(Object proxy, Method method, Object @Nullable [] arguments)
      throws Throwable {
    return switch (method.getName()) {
      case "equals" -> isLauncher(first(arguments));
      case "hashCode" -> System.identityHashCode(proxy);
      case "parts" -> InvocationHandler.invokeDefault(proxy, method, arguments);
      case "run", "runChain" ->
          apart
              ? InvocationHandler.invokeDefault(proxy, method, arguments)
              : pass(method, arguments);
      case "clear" ->
          apart && clearsByKernel ? clear((Memory[]) first(arguments)) : pass(method, arguments);
      case "readBack", "copyOut" -> {
        long start = System.nanoTime();
        Object none = pass(method, arguments);
        long _ = copyNanos.addAndGet(System.nanoTime() - start);
        yield none;
      }
      case "start" -> {
        Launch launch = (Launch) Objects.requireNonNull(pass(method, arguments));
        launches.add(launch);
        yield launch;
      }
      default -> pass(method, arguments);
    };
  }

  private boolean isLauncher(Object other) {
    return Proxy.isProxyClass(other.getClass()) && Proxy.getInvocationHandler(other) == this;
  }

  private static Object first(Object @Nullable [] arguments) {
    return Objects.requireNonNull(arguments)[0];
  }

  private @Nullable Object clear(Memory... memories) {
    for (Memory memory : memories) {
      long length = Math.ceilDiv(memory.byteSize(), Long.BYTES);
      launcher
          .start(
              new ClearLongs(ThreadLongs.of(memory), length),
              launcher.shapeFor(Math.max(1, length)),
              LaunchMode.STRIDED)
          .join();
    }
    return null;
  }

  private @Nullable Object pass(Method method, Object @Nullable [] arguments) throws Throwable {
    try {
      return method.invoke(target, arguments);
    } catch (InvocationTargetException e) {
      throw e.getTargetException();
    }
  }

  @Override
  public void close() {
    target.close();
  }
}
