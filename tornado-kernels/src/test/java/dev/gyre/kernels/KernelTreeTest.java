package dev.gyre.kernels;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gyre.atomics.Bytes;
import dev.gyre.atomics.DeviceInts;
import dev.gyre.atomics.DeviceLongs;
import dev.gyre.atomics.Handle;
import dev.gyre.atomics.Memory;
import dev.gyre.atomics.table.ElementType;
import dev.gyre.atomics.table.Scope;
import dev.gyre.kernels.KernelTree.Branch;
import dev.gyre.kernels.KernelTree.Leaf;
import java.util.List;
import java.util.function.LongUnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What kernels are made of: which trees are equal, what is a number, and what is refused. */
class KernelTreeTest {

  private final Memory memory = Memory.ofLongs(8);

  @AfterEach
  void close() {
    memory.close();
  }

  private interface Hash {
    long hash(long key);
  }

  private record Twice(long seed) implements Hash {
    @Override
    public long hash(long key) {
      return 2 * key + seed;
    }
  }

  private record Thrice(long seed) implements Hash {
    @Override
    public long hash(long key) {
      return 3 * key + seed;
    }
  }

  private record Slots<H extends Hash>(DeviceLongs keys, H hash, long capacity) {}

  private record Fill<H extends Hash>(Slots<H> slots, int limit) implements Kernel {
    @Override
    public void run(int thread, LaunchShape shape) {
      slots.keys().set(thread, slots.hash().hash(limit));
    }
  }

  private record Anything(@Nullable Object value) implements Kernel {
    @Override
    public void run(int thread, LaunchShape shape) {}
  }

  private record Text(long length, Bytes bytes) {}

  private record Deep(Anything inner) {}

  private record Numbers(int i, long l, float f, double d, boolean t, byte b) implements Kernel {
    @Override
    public void run(int thread, LaunchShape shape) {}
  }

  private record Small(short s) implements Kernel {
    @Override
    public void run(int thread, LaunchShape shape) {}
  }

  private record Letters(char c) implements Kernel {
    @Override
    public void run(int thread, LaunchShape shape) {}
  }

  /** Checks what it is given, as records may. */
  private record Checked(long value) implements Kernel {
    Checked {
      if (value < 0) {
        throw new IllegalArgumentException("negative");
      }
    }

    @Override
    public void run(int thread, LaunchShape shape) {}
  }

  private Fill<Hash> fill(Hash hash, long capacity) {
    return new Fill<>(new Slots<>(DeviceLongs.of(memory), hash, capacity), 3);
  }

  @Test
  void aTreeIsItsRecordClasses() {
    Branch twice = KernelTree.of(fill(new Twice(7), 8)).root();
    assertThat(twice).isEqualTo(KernelTree.of(fill(new Twice(9), 16)).root());
    assertThat(twice).isNotEqualTo(KernelTree.of(fill(new Thrice(7), 8)).root());
    assertThat(twice)
        .isEqualTo(
            new Branch(
                Fill.class,
                List.of(
                    new Branch(
                        Slots.class,
                        List.of(
                            new Leaf(DeviceLongs.class),
                            new Branch(Twice.class, List.of(new Leaf(long.class))),
                            new Leaf(long.class))),
                    new Leaf(int.class))));
  }

  @Test
  void handlesOfOtherClassesBehindOneTypeMakeAnotherTree() {
    assertThat(KernelTree.of(new Anything(DeviceLongs.of(memory))).root())
        .isNotEqualTo(KernelTree.of(new Anything(DeviceInts.of(memory))).root());
  }

  @Test
  void valuesComeInTheOrderOfTheComponents() {
    KernelTree tree = KernelTree.of(fill(new Twice(7), 8));
    assertThat(tree.numbers()).containsExactly(7L, 8L, 3L);
    assertThat(tree.memories()).containsExactly(memory);
    assertThat(tree.root().leaves()).hasSize(4);
  }

  @Test
  void noNumberIsNarrowed() {
    KernelTree tree =
        KernelTree.of(new Numbers(-1, Long.MIN_VALUE, -0.1f, Math.PI, true, (byte) -7));
    assertThat(tree.numbers())
        .containsExactly(
            -1L,
            Long.MIN_VALUE,
            (long) Float.floatToRawIntBits(-0.1f),
            Double.doubleToRawLongBits(Math.PI),
            1L,
            -7L);
  }

  @Test
  void aKernelIsMadeAnewFromItsComponents() {
    for (Kernel kernel :
        List.of(
            fill(new Twice(7), 8),
            new Numbers(-1, Long.MIN_VALUE, Float.NaN, Math.PI, true, (byte) -7),
            new Checked(3))) {
      Kernel again = (Kernel) KernelTree.of(kernel).remake(type -> type);
      assertThat(again).isEqualTo(kernel).isNotSameAs(kernel);
    }
  }

  @Test
  void everyHandleOfTheTableIsOne() throws ClassNotFoundException {
    for (Scope scope : Scope.values()) {
      for (ElementType type : ElementType.values()) {
        assertThat(Handle.class)
            .isAssignableFrom(Class.forName("dev.gyre.atomics." + scope.prefix() + type.suffix()));
      }
    }
    assertThat(KernelTree.of(new Anything(Bytes.of(memory))).memories()).containsExactly(memory);
  }

  @Test
  void aMappedSegmentHasNoMemory() {
    KernelTree tree = KernelTree.of(new Anything(new Text(3, Bytes.of(memory.segment()))));
    assertThatThrownBy(tree::memories)
        .isInstanceOf(KernelException.class)
        .hasMessageContaining("kernel Anything, component value.bytes is a segment");
  }

  @Test
  void strategiesAreComponentsDeclaredAsInterfaces() {
    assertThat(KernelTree.declaresStrategy(Fill.class)).isTrue();
    assertThat(KernelTree.declaresStrategy(Numbers.class)).isFalse();
  }

  static Stream<Arguments> refused() {
    LongUnaryOperator lambda = x -> x + 1;
    return Stream.of(
        Arguments.of(
            new Anything(null),
            "kernel Anything, component value of type java.lang.Object is null"),
        Arguments.of(
            new Anything("text"), "component value is a java.lang.String, which is not a handle"),
        Arguments.of(
            new Anything(7L),
            "component value is a java.lang.Long, which is not a handle, a primitive number"),
        Arguments.of(new Anything(new long[1]), "component value is a [J, which is not a handle"),
        Arguments.of(new Anything(lambda), "component value is a " + lambda.getClass().getName()),
        Arguments.of(
            new Anything(Thread.State.NEW),
            "component value is a java.lang.Thread$State, an enum, which devices do not support"),
        Arguments.of(
            new Anything(new Deep(new Anything(null))),
            "component value.inner is a " + Anything.class.getName() + " inside of another"),
        Arguments.of(
            new Small((short) 1),
            "kernel Small, component s is a short; of numbers a kernel has int, long"),
        Arguments.of(
            new Letters('c'),
            "kernel Letters, component c is a char; of numbers a kernel has int, long"));
  }

  @ParameterizedTest
  @MethodSource("refused")
  void whatNoKernelHasIsRefusedByNameAndReason(Kernel kernel, String message) {
    assertThatThrownBy(() -> KernelTree.of(kernel))
        .isInstanceOf(KernelException.class)
        .hasMessageContaining(message);
  }

  private record Ten(
      long a, long b, long c, long d, long e, long f, long g, long h, long i, Object j) {}

  private record Hundred(Ten a, Ten b, Ten c, Ten d, Ten e, Ten f, Ten g, Ten h, Ten i, Object j) {}

  private record Forty(Ten a, Ten b, Ten c, Ten d) {}

  private record Many(Hundred hundred, Ten ten, Object last) implements Kernel {
    @Override
    public void run(int thread, LaunchShape shape) {}
  }

  @Test
  void moreComponentsThanAMethodTakesAreRefused() {
    DeviceLongs handle = DeviceLongs.of(memory);
    Ten ten = new Ten(0, 1, 2, 3, 4, 5, 6, 7, 8, handle);
    Hundred hundred = new Hundred(ten, ten, ten, ten, ten, ten, ten, ten, ten, new Twice(1));
    assertThat(KernelTree.of(new Many(hundred, ten, handle)).root().leaves()).hasSize(102);
    Kernel more = new Many(hundred, ten, new Anything(new Forty(ten, ten, ten, ten)));
    assertThatThrownBy(() -> KernelTree.of(more))
        .isInstanceOf(KernelException.class)
        .hasMessageContaining("kernel Many has 141 handles and numbers, of 120 at most");
  }

  @Test
  void aLambdaIsNoRecord() {
    Kernel kernel = (thread, shape) -> {};
    assertThatThrownBy(() -> KernelTree.of(kernel))
        .isInstanceOf(KernelException.class)
        .hasMessageContaining("is not a record");
  }
}
