package dev.gyre.kernels.tornadovm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gyre.atomics.Bytes;
import dev.gyre.atomics.DeviceInts;
import dev.gyre.atomics.DeviceLongs;
import dev.gyre.atomics.Memory;
import dev.gyre.atomics.ThreadInts;
import dev.gyre.atomics.ThreadLongs;
import dev.gyre.atomics.tornadovm.UncompilableKernelException;
import dev.gyre.elsewhere.Elsewhere;
import dev.gyre.kernels.Kernel;
import dev.gyre.kernels.KernelException;
import dev.gyre.kernels.LaunchException;
import dev.gyre.kernels.LaunchShape;
import dev.gyre.kernels.examples.LetterHistogram;
import dev.gyre.kernels.tornadovm.RecordKernels.AddUp;
import dev.gyre.kernels.tornadovm.RecordKernels.Ask;
import dev.gyre.kernels.tornadovm.RecordKernels.Batch;
import dev.gyre.kernels.tornadovm.RecordKernels.Hash;
import dev.gyre.kernels.tornadovm.RecordKernels.InsertAll;
import dev.gyre.kernels.tornadovm.RecordKernels.Numbers;
import dev.gyre.kernels.tornadovm.RecordKernels.Oracle;
import dev.gyre.kernels.tornadovm.RecordKernels.Slots;
import dev.gyre.kernels.tornadovm.RecordKernels.Tell;
import java.io.IOException;
import java.io.InputStream;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.CodeTransform;
import java.lang.classfile.MethodTransform;
import java.lang.reflect.Constructor;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.Function;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Kernels that are plain records: what runs on a device, and what is refused. */
@ExtendWith(DeviceUnderTest.class)
class RecordKernelsTest {

  private static final int SLOTS = 1 << 12;
  private static final int KEYS = 10_000;

  /** A batch of keys, some of them several times, and what a map of them holds. */
  private static Map<Long, Long> fill(Memory keys, Memory values) {
    Map<Long, Long> expected = new HashMap<>();
    SplittableRandom random = new SplittableRandom(20);
    for (int i = 0; i < KEYS; i++) {
      long key = random.nextInt(SLOTS / 2) * 1_000_003L - 5;
      ThreadLongs.of(keys).set(i, key);
      ThreadLongs.of(values).set(i, i & 15);
      expected.merge(key, i & 15L, Long::sum);
    }
    return expected;
  }

  private static Map<Long, Long> read(Memory states, Memory keys, Memory values) {
    Map<Long, Long> found = new HashMap<>();
    for (int s = 0; s < SLOTS; s++) {
      if (ThreadInts.of(states).get(s) == 2) {
        found.put(ThreadLongs.of(keys).get(s), ThreadLongs.of(values).get(s));
      }
    }
    return found;
  }

  /** The strategies' classes are all loaded and used, here and on the device. */
  @Test
  void aKernelRunsWithEachOfSeveralHashes() {
    try (TornadoLauncher launcher = DeviceUnderTest.open();
        Memory inKeys = Memory.ofLongs(KEYS);
        Memory inValues = Memory.ofLongs(KEYS)) {
      Map<Long, Long> expected = fill(inKeys, inValues);
      for (Hash hash :
          List.of(
              RecordKernels.fibonacci(1),
              RecordKernels.mixed(2),
              RecordKernels.fibonacci(Long.MAX_VALUE))) {
        for (boolean here : new boolean[] {true, false}) {
          try (Memory states = Memory.ofInts(SLOTS);
              Memory keys = Memory.ofLongs(SLOTS);
              Memory values = Memory.ofLongs(SLOTS);
              Memory inserted = Memory.ofLongs(1)) {
            Kernel kernel =
                new InsertAll<>(
                    Slots.of(states, keys, values, hash),
                    new Batch(ThreadLongs.of(inKeys), ThreadLongs.of(inValues), KEYS),
                    DeviceLongs.of(inserted));
            if (here) {
              kernel.run(0, LaunchShape.ofThreads(1));
            } else {
              launcher.run(kernel, launcher.shapeFor(KEYS));
              launcher.readBack(states, keys, values, inserted);
            }
            assertThat(read(states, keys, values)).as("%s", hash).isEqualTo(expected);
            assertThat(ThreadLongs.of(inserted).get(0)).isEqualTo(expected.size());
          }
        }
      }
    }
  }

  private static Kernel insertAll(Memory ints, Memory longs, Hash hash) {
    return new InsertAll<>(
        Slots.of(ints, longs, longs, hash),
        new Batch(ThreadLongs.of(longs), ThreadLongs.of(longs), 0),
        DeviceLongs.of(longs));
  }

  @Test
  void codeIsKeptByTheTreeOfRecords() {
    try (TornadoLauncher launcher = DeviceUnderTest.open();
        Memory ints = Memory.ofInts(8);
        Memory longs = Memory.ofLongs(8)) {
      String one = launcher.source(insertAll(ints, longs, RecordKernels.fibonacci(1)));
      String two = launcher.source(insertAll(ints, longs, RecordKernels.mixed(1)));
      assertThat(one).isNotEqualTo(two);
      // Other numbers are the same code, not the same text compiled again.
      assertThat(launcher.source(insertAll(ints, longs, RecordKernels.fibonacci(2)))).isSameAs(one);
      assertThat(launcher.source(insertAll(ints, longs, RecordKernels.mixed(2)))).isSameAs(two);
    }
  }

  @Test
  void numbersOfEveryTypeArriveAsTheyAre() {
    try (TornadoLauncher launcher = DeviceUnderTest.open();
        Memory out = Memory.ofLongs(10);
        Memory here = Memory.ofLongs(10)) {
      LaunchShape shape = new LaunchShape(3, 2);
      List<String> sources = new ArrayList<>();
      for (Numbers numbers :
          List.of(
              new Numbers(-1, Long.MIN_VALUE, -0.1f, Math.PI, true, (byte) -7),
              new Numbers(
                  Integer.MIN_VALUE, -1, Float.MIN_VALUE, -Double.MAX_VALUE, false, (byte) 127),
              new Numbers(Integer.MAX_VALUE, 1L << 53, 1e30f, 1e-300, true, Byte.MIN_VALUE))) {
        Kernel kernel = new Tell(numbers, ThreadLongs.of(out), 1.5f);
        launcher.run(kernel, shape);
        launcher.readBack(out);
        new Tell(numbers, ThreadLongs.of(here), 1.5f).run(0, shape);
        for (int i = 0; i < 10; i++) {
          assertThat(ThreadLongs.of(out).get(i))
              .as("number %d of %s", i, numbers)
              .isEqualTo(ThreadLongs.of(here).get(i));
        }
        sources.add(launcher.source(kernel));
        assertThat(sources)
            .as("compiled once")
            .allSatisfy(s -> assertThat(s).isSameAs(sources.getFirst()));
      }
    }
  }

  @Test
  void recordsMadeOnTheDeviceDissolve() {
    int threads = 4;
    int length = 1_000;
    try (TornadoLauncher launcher = DeviceUnderTest.open();
        Memory in = Memory.ofLongs(length);
        Memory out = Memory.ofLongs(4L * threads);
        Memory here = Memory.ofLongs(4L * threads)) {
      SplittableRandom random = new SplittableRandom(3);
      for (int i = 0; i < length; i++) {
        ThreadLongs.of(in).set(i, random.nextLong());
      }
      LaunchShape shape = LaunchShape.ofThreads(threads);
      launcher.run(new AddUp(ThreadLongs.of(in), ThreadLongs.of(out), length), shape);
      launcher.readBack(out);
      for (int t = 0; t < threads; t++) {
        new AddUp(ThreadLongs.of(in), ThreadLongs.of(here), length).run(t, shape);
      }
      assertThat(out.segment().mismatch(here.segment())).isEqualTo(-1);
    }
  }

  /**
   * Defines a class and those nested in it anew, without names of variables and numbers of lines.
   */
  private static final class Bare extends ClassLoader {
    private final String prefix;

    Bare(Class<?> type) {
      super(type.getClassLoader());
      this.prefix = type.getName();
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
      synchronized (getClassLoadingLock(name)) {
        Class<?> found = findLoadedClass(name);
        if (found != null || !name.startsWith(prefix)) {
          return found != null ? found : super.loadClass(name, resolve);
        }
        try (InputStream in = getResourceAsStream(name.replace('.', '/') + ".class")) {
          ClassFile bare = ClassFile.of(ClassFile.DebugElementsOption.DROP_DEBUG);
          byte[] bytes =
              bare.transformClass(
                  bare.parse(in.readAllBytes()),
                  ClassTransform.transformingMethods(
                      MethodTransform.transformingCode(CodeTransform.ACCEPT_ALL)));
          return defineClass(name, bytes, 0, bytes.length);
        } catch (IOException e) {
          throw new ClassNotFoundException(name, e);
        }
      }
    }
  }

  @Test
  void anybodysKernelRuns() throws ReflectiveOperationException {
    Class<?> bare = Class.forName(Elsewhere.class.getName(), true, new Bare(Elsewhere.class));
    assertThat(bare).isNotEqualTo(Elsewhere.class);
    try (TornadoLauncher launcher = DeviceUnderTest.open();
        Memory longs = Memory.ofLongs(100)) {
      Kernel mine = Elsewhere.addFive(longs);
      Kernel other = (Kernel) bare.getMethod("addFive", Memory.class).invoke(null, longs);
      assertThat(other.getClass()).isNotEqualTo(mine.getClass());
      launcher.run(mine, launcher.shapeFor(100));
      launcher.run(other, launcher.shapeFor(100));
      launcher.readBack(longs);
      for (int i = 0; i < 100; i++) {
        assertThat(ThreadLongs.of(longs).get(i)).isEqualTo(10);
      }
    }
  }

  static Stream<Arguments> refused() {
    Function<ThreadLongs, Kernel> recursive = out -> new RecordKernels.Recursive(out, 3);
    return Stream.of(
        Arguments.of(recursive, "Recursive", "up", "recursively"),
        Arguments.of(
            (Function<ThreadLongs, Kernel>) RecordKernels.Keeping::new,
            "Keeping",
            "run",
            "calls java.lang.System.identityHashCode"),
        Arguments.of(
            (Function<ThreadLongs, Kernel>) RecordKernels.Throwing::new,
            "Throwing",
            "run",
            "creates a java.lang.IllegalStateException"),
        Arguments.of(
            (Function<ThreadLongs, Kernel>) RecordKernels.Telling::new,
            "Telling",
            "run",
            "calls java.lang.System.nanoTime"));
  }

  @ParameterizedTest
  @MethodSource("refused")
  void whatNoDeviceCanDoIsRefusedByKernelMethodAndReason(
      Function<ThreadLongs, Kernel> maker, String kernel, String method, String reason) {
    try (TornadoLauncher launcher = DeviceUnderTest.open();
        Memory out = Memory.ofLongs(8)) {
      for (int tries = 0; tries < 2; tries++) {
        assertThatThrownBy(
                () -> launcher.run(maker.apply(ThreadLongs.of(out)), LaunchShape.ofThreads(1)))
            .isInstanceOf(LaunchException.class)
            .hasCauseInstanceOf(UncompilableKernelException.class)
            .hasMessageContainingAll("kernel " + kernel, kernel + "." + method, reason);
      }
    }
  }

  @Test
  void aStrategyThatThrowsIsRefusedByItsNameAndNothingRan() {
    try (TornadoLauncher launcher = DeviceUnderTest.open();
        Memory out = Memory.ofLongs(8)) {
      ThreadLongs.of(out).set(0, 77);
      Kernel kernel =
          new RecordKernels.Asking(new RecordKernels.Refusing(100), ThreadLongs.of(out));
      assertThatThrownBy(() -> launcher.run(kernel, LaunchShape.ofThreads(8)))
          .isInstanceOf(LaunchException.class)
          .hasCauseInstanceOf(UncompilableKernelException.class)
          .hasMessageContainingAll(
              "kernel Asking",
              "Refusing.of",
              "creates a java.lang.IllegalArgumentException",
              "return an outcome instead of an exception");
      assertThat(ThreadLongs.of(out).get(0)).isEqualTo(77);
    }
  }

  /** Only the line is not known then. */
  @Test
  void aClassWithoutItsTablesIsRefusedByTheSameNames() throws ReflectiveOperationException {
    Class<?> type = RecordKernels.Throwing.class;
    Constructor<?> maker =
        Class.forName(type.getName(), true, new Bare(type))
            .getDeclaredConstructor(ThreadLongs.class);
    maker.setAccessible(true);
    try (TornadoLauncher launcher = DeviceUnderTest.open();
        Memory out = Memory.ofLongs(8)) {
      Kernel kernel = (Kernel) maker.newInstance(ThreadLongs.of(out));
      assertThat(kernel.getClass()).isNotEqualTo(type);
      assertThatThrownBy(() -> launcher.run(kernel, LaunchShape.ofThreads(1)))
          .isInstanceOf(LaunchException.class)
          .hasCauseInstanceOf(UncompilableKernelException.class)
          .hasMessageContainingAll(
              "kernel Throwing", "Throwing.run", "creates a java.lang.IllegalStateException");
    }
  }

  @Test
  void objectsOfALibraryDissolveToo() {
    try (TornadoLauncher launcher = DeviceUnderTest.open();
        Memory out = Memory.ofLongs(8)) {
      launcher.run(new RecordKernels.Wrapping(ThreadLongs.of(out)), LaunchShape.ofThreads(8));
      launcher.readBack(out);
      assertThat(ThreadLongs.of(out).get(7)).isEqualTo(3);
    }
  }

  @Test
  void aSegmentThatIsNoMemoryIsRefused() {
    try (TornadoLauncher launcher = DeviceUnderTest.open();
        Memory memory = Memory.ofLongs(256)) {
      Kernel kernel = new LetterHistogram(Bytes.of(memory.segment()), 1, DeviceLongs.of(memory));
      assertThatThrownBy(() -> launcher.run(kernel, LaunchShape.ofThreads(1)))
          .isInstanceOf(LaunchException.class)
          .hasCauseInstanceOf(KernelException.class)
          .hasMessageContainingAll("LetterHistogram", "component text is a segment");
    }
  }

  @Test
  void whatMethodsAnswerIsYesOrNo() {
    int count = 1000;
    List<List<Long>> answers = new ArrayList<>();
    for (boolean here : new boolean[] {true, false}) {
      try (TornadoLauncher launcher = DeviceUnderTest.open();
          Memory flags = Memory.ofInts(count);
          Memory told = Memory.ofLongs(count)) {
        DeviceInts ints = DeviceInts.of(flags);
        for (int i = 0; i < count; i++) {
          ints.set(i, i % 5);
        }
        Kernel kernel = new Ask(new Oracle(ints), ThreadLongs.of(told), count);
        if (here) {
          kernel.run(0, LaunchShape.ofThreads(1));
        } else {
          launcher.run(kernel, launcher.shapeForEach(count));
          launcher.readBack(told);
        }
        answers.add(LongStream.range(0, count).mapToObj(ThreadLongs.of(told)::get).toList());
      }
    }
    assertThat(answers.getLast()).isEqualTo(answers.getFirst()).contains(0L, 101L, -101L, -1100L);
  }
}
