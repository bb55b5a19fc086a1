package dev.gyre.kernels;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.gyre.atomics.Block;
import dev.gyre.atomics.Bytes;
import dev.gyre.atomics.DeviceInts;
import dev.gyre.atomics.DeviceLongs;
import dev.gyre.atomics.Memory;
import dev.gyre.atomics.SharedInts;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A launch that fails at an index out of bounds names kernel, component, index and length. */
@Timeout(60)
class IndexErrorsTest {

  private final JvmLauncher launcher = JvmLauncher.ofWorkers(2);
  private final Memory memory = Memory.ofLongs(10);
  private final Memory other = Memory.ofLongs(10);

  @AfterEach
  void close() {
    launcher.close();
    memory.close();
    other.close();
  }

  interface Step {
    long apply(long value);
  }

  record Twice() implements Step {
    @Override
    public long apply(long value) {
      return 2 * value;
    }
  }

  record Sets(long seed, DeviceLongs parents, DeviceInts ranks) {}

  /** Reads and writes at an index; with a strategy, so that it runs in specialised code. */
  record Read(DeviceLongs values, Sets sets, Bytes bytes, Step step, int which, long index)
      implements Kernel {
    @Override
    public void run(int thread, LaunchShape shape) {
      switch (which) {
        case 0 -> values.set(0, step.apply(values.get(index)));
        case 1 -> sets.parents().storeRelease(index, 1);
        case 2 -> {
          long _ = sets.ranks().fetchMaxRelaxed(index, 1);
        }
        case 3 -> bytes.set(index, (byte) 1);
        default -> sets.ranks().wakeAll(index);
      }
    }
  }

  record Both(DeviceLongs first, DeviceLongs second) implements Kernel {
    @Override
    public void run(int thread, LaunchShape shape) {
      second.set(10, first.get(9));
    }
  }

  record InBlock(SharedInts counts, DeviceLongs values) implements Kernel {
    @Override
    public void run(int thread, LaunchShape shape) {
      counts.set(thread % shape.blockSize(), 1);
      Block.barrier();
      values.set(thread, counts.get(4));
    }
  }

  private String failure(Kernel kernel, LaunchShape shape) {
    LaunchException e =
        catchThrowableOfType(LaunchException.class, () -> launcher.run(kernel, shape));
    assertThat(e).hasCauseInstanceOf(IndexOutOfBoundsException.class);
    assertThat(e.getMessage()).contains(kernel.name());
    return e.getMessage();
  }

  private String failure(int which, long index) {
    DeviceLongs parents = DeviceLongs.of(other);
    Sets sets = new Sets(7, parents, DeviceInts.of(other));
    return failure(
        new Read(DeviceLongs.of(memory), sets, Bytes.of(memory), new Twice(), which, index),
        LaunchShape.ofThreads(3));
  }

  @Test
  void aComponentIsNamed() {
    assertThat(failure(0, 12))
        .endsWith("index 12 is out of bounds of component values, which has 10 elements");
    assertThat(failure(0, -1))
        .endsWith("index -1 is out of bounds of component values, which has 10 elements");
    assertThat(failure(3, 80))
        .endsWith("index 80 is out of bounds of component bytes, which has 80 elements");
  }

  @Test
  void aComponentOfARecordWithinIsNamedByItsPath() {
    assertThat(failure(1, 10))
        .endsWith("index 10 is out of bounds of component sets.parents, which has 10 elements");
    assertThat(failure(2, Long.MIN_VALUE))
        .endsWith(
            "index "
                + Long.MIN_VALUE
                + " is out of bounds of component sets.ranks, which has 20"
                + " elements");
    assertThat(failure(4, 20))
        .endsWith("index 20 is out of bounds of component sets.ranks, which has 20 elements");
  }

  @Test
  void handlesOfOneMemoryAreToldApart() {
    assertThat(
            failure(
                new Both(DeviceLongs.of(memory), DeviceLongs.of(memory)), LaunchShape.ofThreads(1)))
        .endsWith("index 10 is out of bounds of component second, which has 10 elements");
  }

  @Test
  void componentsThatAreOneHandleAreBothNamed() {
    DeviceLongs handle = DeviceLongs.of(memory);
    assertThat(failure(new Both(handle, handle), LaunchShape.ofThreads(1)))
        .endsWith("index 10 is out of bounds of component first or second, which has 10 elements");
  }

  @Test
  void sharedMemoryOfABlockIsNamed() {
    assertThat(
            failure(new InBlock(SharedInts.of(4), DeviceLongs.of(memory)), new LaunchShape(2, 4)))
        .endsWith("index 4 is out of bounds of component counts, which has 4 elements");
  }

  @Test
  void aLambdaHasNoComponents() {
    DeviceLongs values = DeviceLongs.of(memory);
    assertThat(failure((thread, shape) -> values.set(10, 1), LaunchShape.ofThreads(1)))
        .contains("index 10 is out of bounds of a handle with 10 elements");
  }
}
