package dev.gyre.structures.fuzz;

import dev.gyre.atomics.Memory;
import dev.gyre.kernels.sync.SyncLayout;
import dev.gyre.structures.Checks;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/**
 * The device functions of a scope, called by threads of the JVM; the scopes have the same names.
 */
final class SyncWords implements SyncAdapter<Integer> {

  private static final int LATCH = 0;
  private static final int BARRIER = SyncLayout.WORDS;
  private static final int SEMAPHORE = 2 * SyncLayout.WORDS;

  private static final int FEW_POLLS = 3;
  private static final int ALL_POLLS = Integer.MAX_VALUE;

  private final Memory memory = Memory.ofInts(3L * SyncLayout.WORDS);
  private final Map<String, Method> functions = new ConcurrentHashMap<>();
  private final String scope;
  private final Object words;

  SyncWords(String scope, Function<Memory, Object> words) {
    this.scope = scope;
    this.words = words.apply(memory);
  }

  /** Calls a function with the words of its structure, and so many numbers; void is 0. */
  private int call(String type, String name, Object... numbers) {
    Object[] all = new Object[numbers.length + 1];
    all[0] = words;
    System.arraycopy(numbers, 0, all, 1, numbers.length);
    return invoke(function(type, name, all.length), all);
  }

  private Method function(String type, String name, int parameters) {
    return functions.computeIfAbsent(type + name + parameters, _ -> find(type, name, parameters));
  }

  private Method find(String type, String name, int parameters) {
    try {
      return Arrays.stream(Class.forName("dev.gyre.kernels.sync." + scope + type).getMethods())
          .filter(m -> m.getName().equals(name) && m.getParameterCount() == parameters)
          .findFirst()
          .orElseThrow();
    } catch (ClassNotFoundException e) {
      throw new LinkageError(e.getMessage(), e);
    }
  }

  private static int invoke(Method function, Object... arguments) {
    try {
      return function.invoke(null, arguments) instanceof Integer number ? number : 0;
    } catch (InvocationTargetException e) {
      throw new AssertionError(function + ": " + e.getCause(), e.getCause());
    } catch (IllegalAccessException e) {
      throw new LinkageError(e.getMessage(), e);
    }
  }

  private static int polls(boolean shortly) {
    return shortly ? FEW_POLLS : ALL_POLLS;
  }

  private static void done(int result) {
    Checks.same("a wait that has no end", SyncLayout.DONE, result);
  }

  @Override
  public void newLatch(int count) {
    int _ = call("Latch", "init", LATCH, count);
  }

  @Override
  public void countDown(int n) {
    int _ = call("Latch", "countDown", LATCH, n);
  }

  @Override
  public boolean isOpen() {
    return call("Latch", "tryWait", LATCH) == 1;
  }

  @Override
  public boolean awaitOpen(boolean shortly) {
    return call("Latch", "await", LATCH, polls(shortly)) == SyncLayout.DONE;
  }

  @Override
  public void countDownAndWait(int n) {
    done(call("Latch", "arriveAndWait", LATCH, n, ALL_POLLS));
  }

  @Override
  public void newBarrier(int expected) {
    int _ = call("Barrier", "init", BARRIER, expected);
  }

  @Override
  public Integer arrive(int arrivals) {
    return call("Barrier", "arrive", BARRIER, arrivals);
  }

  @Override
  public Integer arriveAndDrop() {
    return call("Barrier", "arriveAndDrop", BARRIER);
  }

  @Override
  public boolean isLast(Integer arrival) {
    return invoke(function("Barrier", "isLast", 1), arrival) == 1;
  }

  @Override
  public void complete(Integer last) {
    int _ = call("Barrier", "complete", BARRIER);
  }

  @Override
  public boolean hasEnded(Integer arrival) {
    return call("Barrier", "tryWait", BARRIER, arrival) == 1;
  }

  @Override
  public boolean awaitEnd(Integer arrival, boolean shortly) {
    return call("Barrier", "await", BARRIER, arrival, polls(shortly)) == SyncLayout.DONE;
  }

  @Override
  public void arriveAndWait() {
    done(call("Barrier", "arriveAndWait", BARRIER, ALL_POLLS));
  }

  @Override
  public void newSemaphore(int permits) {
    int _ = call("Semaphore", "init", SEMAPHORE, permits);
  }

  @Override
  public boolean tryAcquire() {
    return call("Semaphore", "tryAcquire", SEMAPHORE) == SyncLayout.DONE;
  }

  @Override
  public void acquire(long way) {
    done(call("Semaphore", "acquire", SEMAPHORE, ALL_POLLS));
  }

  @Override
  public void release(int n) {
    int _ = call("Semaphore", "release", SEMAPHORE, n);
  }

  /** Device functions refuse nothing. */
  @Override
  public void refused(int left, int permits) {
    Checks.same("open", left == 0, isOpen());
  }

  /** A wait in vain says that it is stuck; the ticket of the semaphore is lost. */
  @Override
  public void interrupted() {
    newSemaphore(0);
    Checks.same("stuck", SyncLayout.STUCK, call("Semaphore", "acquire", SEMAPHORE, FEW_POLLS));
    release(1);
    Checks.same("the permit that was lost", false, tryAcquire());
  }

  @Override
  public void close() {
    memory.close();
  }
}
