package dev.gyre.kernels;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gyre.atomics.Memory;
import dev.gyre.atomics.ThreadLongs;
import java.io.IOException;
import java.io.InputStream;
import java.lang.ref.WeakReference;
import java.lang.reflect.Method;
import java.util.List;
import java.util.function.LongUnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Copies of kernels: they do the same, in other classes, and go when they are not used. */
class SpecializedCodeTest {

  private static final int LENGTH = 8;

  private final Memory memory = Memory.ofLongs(LENGTH);
  private final ThreadLongs longs = ThreadLongs.of(memory);

  @AfterEach
  void close() {
    memory.close();
  }

  /** What becomes of a number; nothing here is public. */
  private sealed interface Change permits Add, Scale, Both {}

  private record Add(long what) implements Change {}

  private record Scale(long by) implements Change {}

  private record Both(Change first, LongUnaryOperator second) implements Change {}

  private record Negate() implements LongUnaryOperator {
    @Override
    public long applyAsLong(long x) {
      return Helper.negated(x);
    }
  }

  /** What copies call outside of their tree. */
  private static final class Helper {
    private static final long FACTOR = Long.parseLong("-1");
    static long calls;

    private static long negated(long x) {
      return FACTOR * x;
    }
  }

  private static long changed(Change change, long x) {
    return switch (change) {
      case Add a -> x + a.what();
      case Scale s -> x * s.by();
      case Both b -> b.second().applyAsLong(changed(b.first(), x));
    };
  }

  /** Changes all, and tells in the last element which class did it. */
  private record ChangeAll(ThreadLongs longs, Change change) implements Kernel {
    @Override
    public void run(int thread, LaunchShape shape) {
      for (int i = 0; i < LENGTH - 1; i++) {
        longs.set(i, changed(change, longs.get(i)));
      }
      longs.set(LENGTH - 1, System.identityHashCode(getClass()));
    }
  }

  /** What a record may be called by beside {@link Kernel}. */
  public interface Asked {
    /** What it takes and returns has one class. */
    record Answer(long what) {}

    long answer();

    default Answer told(Answer before) {
      return new Answer(before.what() + answer());
    }

    Kernel kernel();
  }

  private record Answering(ThreadLongs longs, Change change) implements Asked, Kernel {
    @Override
    public long answer() {
      return changed(change, 1);
    }

    @Override
    public Kernel kernel() {
      return new ChangeAll(longs, change);
    }

    @Override
    public void run(int thread, LaunchShape shape) {
      longs.set(0, answer());
    }
  }

  /** Reads a private field of a record beside it, and nothing of the class that both are in. */
  private record Neighbour(ThreadLongs longs, Add add, LongUnaryOperator change) implements Kernel {
    @Override
    public void run(int thread, LaunchShape shape) {
      longs.set(0, change.applyAsLong(add.what));
    }
  }

  private record Counting(ThreadLongs longs, LongUnaryOperator change) implements Kernel {
    @Override
    public void run(int thread, LaunchShape shape) {
      Helper.calls++;
      longs.set(0, change.applyAsLong(longs.get(0)));
    }
  }

  private record Listing(ThreadLongs longs, Iterable<Long> values) implements Kernel {
    @Override
    public void run(int thread, LaunchShape shape) {
      for (long value : values) {
        longs.set(0, value);
      }
    }
  }

  private void fill() {
    for (int i = 0; i < LENGTH; i++) {
      longs.set(i, i);
    }
  }

  @Test
  void aCopyReadsPrivatePartsOfRecordsBesideIt() {
    try (Launcher launcher = JvmLauncher.ofWorkers(1)) {
      launcher.run(new Neighbour(longs, new Add(7), new Negate()), LaunchShape.ofThreads(1));
    }
    assertThat(longs.get(0)).isEqualTo(-7);
  }

  @Test
  void aCopyDoesTheSameInClassesOfItsOwn() {
    Kernel original = new ChangeAll(longs, new Both(new Scale(3), new Negate()));
    Kernel copy = SpecializedCode.of(original);
    assertThat(copy.getClass()).isNotEqualTo(original.getClass());
    assertThat(copy.name()).isEqualTo("ChangeAll");
    assertThat(copy.toString()).isEqualTo(original.toString());
    fill();
    copy.run(0, LaunchShape.ofThreads(1));
    for (int i = 0; i < LENGTH - 1; i++) {
      assertThat(longs.get(i)).isEqualTo(-3L * i);
    }
    assertThat(longs.get(LENGTH - 1)).isEqualTo(System.identityHashCode(copy.getClass()));
  }

  /** Not reached by the kernel in it, so that there is no copy, which may not look at it. */
  private static final class Outside {
    private Outside() {}

    record Inside(ThreadLongs longs, LongUnaryOperator change) implements Kernel {
      @Override
      public void run(int thread, LaunchShape shape) {
        longs.set(thread, change.applyAsLong(thread));
      }
    }

    record Twice() implements LongUnaryOperator {
      @Override
      public long applyAsLong(long x) {
        return 2 * x;
      }
    }
  }

  @Test
  void aCopyHasItsNameWithoutTheClassAround() {
    Kernel kernel = new Outside.Inside(longs, new Outside.Twice());
    assertThat(SpecializedCode.of(kernel).name()).isEqualTo("Inside").isEqualTo(kernel.name());
    try (JvmLauncher launcher = JvmLauncher.ofWorkers(1)) {
      launcher.run(kernel, LaunchShape.ofThreads(LENGTH));
    }
    assertThat(longs.get(3)).isEqualTo(6);
  }

  @Test
  void aRecordMayBeCalledByAnyOfItsInterfaces() {
    Answering record = new Answering(longs, new Add(6));
    Kernel kernel = SpecializedCode.of(record);
    Asked asked = SpecializedCode.of(Asked.class, record);
    kernel.run(0, LaunchShape.ofThreads(1));
    assertThat(longs.get(0)).isEqualTo(7);
    assertThat(asked.answer()).isEqualTo(7);
    assertThat(asked.told(new Asked.Answer(1))).isEqualTo(new Asked.Answer(8));
    assertThat(asked.getClass()).isNotIn(record.getClass(), kernel.getClass());
    assertThat(asked.kernel().getClass().getClassLoader())
        .isEqualTo(asked.getClass().getClassLoader());
  }

  private record Plain(ThreadLongs longs, Add change) implements Asked {
    @Override
    public long answer() {
      return changed(change, 1);
    }

    @Override
    public Kernel kernel() {
      return new ChangeAll(longs, change);
    }
  }

  private record Other(ThreadLongs longs, Scale change) implements Asked {
    @Override
    public long answer() {
      return changed(change, 1);
    }

    @Override
    public Kernel kernel() {
      return new ChangeAll(longs, change);
    }
  }

  @Test
  void theFirstOfThoseThatShareCodeHasTheOriginals() {
    Plain plain = new Plain(longs, new Add(6));
    Other other = new Other(longs, new Scale(6));
    assertThat(SpecializedCode.apart(Asked.class, plain, Change.class)).isSameAs(plain);
    Asked copy = SpecializedCode.apart(Asked.class, other, Change.class);
    assertThat(copy.getClass()).isNotEqualTo(Other.class);
    assertThat(copy.answer()).isEqualTo(6);
    assertThat(SpecializedCode.apart(Asked.class, plain, Change.class)).isSameAs(plain);
    // Of those that share something else, another one is the first.
    assertThat(SpecializedCode.apart(Asked.class, other, Scale.class)).isSameAs(other);
  }

  @Test
  void withAnotherStrategyItIsAnotherOne() {
    Answering answering = new Answering(longs, new Add(6));
    assertThat(SpecializedCode.apart(Asked.class, answering, Answering.class)).isSameAs(answering);
    Answering same = new Answering(longs, new Add(7));
    assertThat(SpecializedCode.apart(Asked.class, same, Answering.class)).isSameAs(same);
    Asked copy =
        SpecializedCode.apart(Asked.class, new Answering(longs, new Scale(6)), Answering.class);
    assertThat(copy.getClass()).isNotEqualTo(Answering.class);
    assertThat(copy.answer()).isEqualTo(6);
  }

  @Test
  void eachTreeHasOneCopy() {
    Class<?> add = SpecializedCode.of(new ChangeAll(longs, new Add(1))).getClass();
    assertThat(SpecializedCode.of(new ChangeAll(longs, new Add(2))).getClass()).isEqualTo(add);
    assertThat(SpecializedCode.of(new ChangeAll(longs, new Scale(1))).getClass()).isNotEqualTo(add);
    Kernel copy = SpecializedCode.of(new ChangeAll(longs, new Add(3)));
    assertThat(SpecializedCode.of(copy)).isSameAs(copy);
  }

  @Test
  void theJvmLauncherRunsCopiesOfKernelsWithStrategies() {
    try (JvmLauncher launcher = JvmLauncher.ofWorkers(1)) {
      Kernel kernel = new ChangeAll(longs, new Add(1));
      launcher.run(kernel, LaunchShape.ofThreads(1));
      assertThat(longs.get(LENGTH - 1))
          .isEqualTo(System.identityHashCode(SpecializedCode.of(kernel).getClass()));
    }
  }

  /** Each time that its class is initialised it is another one. */
  private record Salted() implements LongUnaryOperator {
    private static final long SALT = System.nanoTime();

    @Override
    public long applyAsLong(long x) {
      return x ^ SALT;
    }
  }

  @Test
  void whatAnInitialiserFindsByChanceHasNoCopy() {
    Kernel salted = new ChangeAll(longs, new Both(new Add(0), new Salted()));
    assertThatThrownBy(() -> SpecializedCode.of(salted))
        .isInstanceOf(KernelException.class)
        .hasMessageContainingAll("Salted.SALT, which is another value each time");
    try (JvmLauncher launcher = JvmLauncher.ofWorkers(1)) {
      longs.set(0, 5);
      launcher.run(salted, LaunchShape.ofThreads(1));
      assertThat(longs.get(0)).isEqualTo(5 ^ Salted.SALT);
    }
  }

  @Test
  void whatCannotBeCopiedRunsAsItIs() {
    Kernel counting = new Counting(longs, new Negate());
    assertThatThrownBy(() -> SpecializedCode.of(counting))
        .isInstanceOf(KernelException.class)
        .hasMessageContainingAll("kernel Counting", "Helper.calls, which is static and may change");
    Kernel listing = new Listing(longs, List.of(7L));
    assertThatThrownBy(() -> SpecializedCode.of(listing))
        .isInstanceOf(KernelException.class)
        .hasMessageContaining("component values is a");
    try (JvmLauncher launcher = JvmLauncher.ofWorkers(1)) {
      Helper.calls = 0;
      longs.set(0, 5);
      launcher.run(counting, LaunchShape.ofThreads(1));
      assertThat(Helper.calls).isEqualTo(1);
      assertThat(longs.get(0)).isEqualTo(-5);
      launcher.run(listing, LaunchShape.ofThreads(1));
      assertThat(longs.get(0)).isEqualTo(7);
    }
  }

  /** Defines this test and what is nested in it anew. */
  private static final class Another extends ClassLoader {
    Another() {
      super(SpecializedCodeTest.class.getClassLoader());
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
      synchronized (getClassLoadingLock(name)) {
        Class<?> found = findLoadedClass(name);
        if (found != null || !name.startsWith(SpecializedCodeTest.class.getName())) {
          return found != null ? found : super.loadClass(name, resolve);
        }
        try (InputStream in = getResourceAsStream(name.replace('.', '/') + ".class")) {
          byte[] bytes = in.readAllBytes();
          return defineClass(name, bytes, 0, bytes.length);
        } catch (IOException e) {
          throw new ClassNotFoundException(name, e);
        }
      }
    }
  }

  /** A kernel of this class's own loader. */
  static Kernel addOne(ThreadLongs longs) {
    return new ChangeAll(longs, new Add(1));
  }

  private record OtherAsked(ThreadLongs longs, LongUnaryOperator change) implements Asked {
    @Override
    public long answer() {
      return change.applyAsLong(1);
    }

    @Override
    public Kernel kernel() {
      return new Changing(longs, change);
    }
  }

  private record Raised(long by) implements LongUnaryOperator {
    @Override
    public long applyAsLong(long x) {
      return x + by;
    }
  }

  private record Changing(ThreadLongs longs, LongUnaryOperator change) implements Kernel {
    @Override
    public void run(int thread, LaunchShape shape) {
      longs.set(thread, change.applyAsLong(longs.get(thread)));
    }
  }

  /** A strategy of this class's own loader. */
  static LongUnaryOperator adding() {
    return new Raised(1);
  }

  private static <T> T made(ClassLoader loader, String method, Class<T> type, Object... arguments)
      throws ReflectiveOperationException {
    Class<?>[] types = arguments.length == 0 ? new Class<?>[0] : new Class<?>[] {ThreadLongs.class};
    Method making =
        Class.forName(SpecializedCodeTest.class.getName(), true, loader)
            .getDeclaredMethod(method, types);
    making.setAccessible(true);
    return type.cast(making.invoke(null, arguments));
  }

  private static void assertUnloaded(WeakReference<ClassLoader> loader) {
    for (int i = 0; i < 50 && loader.get() != null; i++) {
      System.gc();
    }
    assertThat(loader.get()).isNull();
  }

  private WeakReference<ClassLoader> copyOfAnother() throws ReflectiveOperationException {
    ClassLoader another = new Another();
    Kernel kernel = made(another, "addOne", Kernel.class, longs);
    assertThat(SpecializedCode.of(kernel).getClass())
        .isNotEqualTo(SpecializedCode.of(addOne(longs)).getClass());
    return new WeakReference<>(another);
  }

  @Test
  void copiesDoNotHoldTheirOriginals() throws ReflectiveOperationException {
    assertUnloaded(copyOfAnother());
  }

  /** What shares code in the test below, and nowhere else. */
  private interface Pinned {}

  private WeakReference<ClassLoader> firstOfAnother() throws ReflectiveOperationException {
    ClassLoader another = new Another();
    LongUnaryOperator adding = made(another, "adding", LongUnaryOperator.class);
    OtherAsked first = new OtherAsked(longs, adding);
    assertThat(SpecializedCode.apart(Asked.class, first, Pinned.class)).isSameAs(first);
    OtherAsked next = new OtherAsked(longs, new Raised(1));
    assertThat(SpecializedCode.apart(Asked.class, next, Pinned.class)).isNotSameAs(next);
    System.gc();
    assertThat(SpecializedCode.apart(Asked.class, first, Pinned.class)).isSameAs(first);
    return new WeakReference<>(another);
  }

  @Test
  void theFirstOfThoseThatShareCodeIsUnloaded() throws ReflectiveOperationException {
    assertUnloaded(firstOfAnother());
    // Its place is free again.
    OtherAsked next = new OtherAsked(longs, new Raised(1));
    assertThat(SpecializedCode.apart(Asked.class, next, Pinned.class)).isSameAs(next);
  }
}
