package dev.gyre.atomics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.channels.Pipe;
import java.nio.channels.ReadableByteChannel;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class MemoryTest {

  @Test
  void payloadIsZeroAndAlignedToTheHeaderSize() {
    try (Memory memory = Memory.ofLongs(1000)) {
      assertThat(memory.byteSize()).isEqualTo(8000);
      assertThat(memory.segment().address() % Memory.HEADER_BYTES).isZero();
      assertThat(memory.segmentWithHeader().byteSize()).isEqualTo(8000 + Memory.HEADER_BYTES);
      assertThat(memory.segment().address() - memory.segmentWithHeader().address())
          .isEqualTo(Memory.HEADER_BYTES);
      assertThat(memory.segment().toArray(ValueLayout.JAVA_LONG)).containsOnly(0);
    }
  }

  @Test
  void emptyMemoryIsLegal() {
    try (Memory memory = Memory.ofInts(0)) {
      assertThat(memory.byteSize()).isZero();
      assertThat(DeviceInts.of(memory).length()).isZero();
    }
  }

  @Test
  void absurdSizesAreRefused() {
    assertThatThrownBy(() -> Memory.ofInts(-1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("-1");
    assertThatThrownBy(() -> Memory.ofLongs(Long.MAX_VALUE))
        .isInstanceOf(MemoryExhaustedException.class);
    assertThatThrownBy(() -> Memory.ofBytes(Long.MAX_VALUE - 1))
        .isInstanceOf(MemoryExhaustedException.class);
    assertThatThrownBy(() -> Memory.ofLongs(1L << 50))
        .isInstanceOf(MemoryExhaustedException.class)
        .hasMessageContaining("gyre.memory.limit");
  }

  @Test
  void aRangeIsWithinItsMemory() {
    try (Memory memory = Memory.ofBytes(24)) {
      MemoryRange range = memory.range(8, 16);
      assertThat(range.memory()).isSameAs(memory);
      assertThat(List.of(range.from(), range.byteSize())).containsExactly(8L, 16L);
      assertThat(memory.first(24)).isEqualTo(memory.range(0, 24));
      MemoryRange all = memory;
      assertThat(List.of(all.from(), all.byteSize())).containsExactly(0L, 24L);
      for (long[] bad : new long[][] {{-1, 1}, {0, -1}, {0, 25}, {9, 16}, {25, 0}}) {
        assertThatThrownBy(() -> memory.range(bad[0], bad[1]))
            .isInstanceOf(IllegalArgumentException.class)
            .hasMessage(
                "a range of %d bytes at offset %d is outside a memory of 24 bytes"
                    .formatted(bad[1], bad[0]));
      }
    }
  }

  /** As unmapping does if the heap is exhausted. */
  @Test
  void memoryIsFreedOnceEvenIfTheActionOfItsEndFails() {
    long open = openMemories();
    try (Arena arena = Arena.ofShared()) {
      MemorySegment block = arena.allocate(Memory.HEADER_BYTES + 8, Memory.HEADER_BYTES);
      Memory memory =
          Memory.ofBlock(
              block,
              8,
              () -> {
                throw new OutOfMemoryError("no heap");
              });
      assertThat(openMemories()).isEqualTo(open + 1);
      assertThatThrownBy(memory::close).isInstanceOf(OutOfMemoryError.class);
      memory.close();
      assertThat(openMemories()).isEqualTo(open);
    }
  }

  private static long openMemories() {
    return Long.parseLong(Memory.unclosed().replaceFirst(" .*", ""));
  }

  @Test
  void closedMemoryCountsNoMore() {
    long total =
        ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getTotalMemorySize();
    // Far more than there is, one after the other.
    for (int i = 0; i < 16; i++) {
      MemoryBudget.PROCESS.take(total / 2);
      assertThatThrownBy(() -> MemoryBudget.PROCESS.take(total / 2))
          .isInstanceOf(MemoryExhaustedException.class);
      MemoryBudget.PROCESS.giveBack(total / 2);
    }
  }

  @Test
  void oddSizesAreGivenBackAsTheyWereTaken() {
    for (int i = 0; i < 100; i++) {
      Memory.ofBytes(1).close();
    }
    try (Memory memory = Memory.ofBytes(1)) {
      assertThat(memory.byteSize()).isEqualTo(1);
    }
  }

  @Test
  void closingRunsTheActionsInReverseAndOnce() {
    List<String> ran = new ArrayList<>();
    Memory memory = Memory.ofBytes(8);
    memory.beforeFree(() -> ran.add("first"));
    memory.beforeFree(() -> ran.add("second"));
    assertThat(memory.isClosed()).isFalse();
    memory.close();
    memory.close();
    assertThat(memory.isClosed()).isTrue();
    assertThat(ran).containsExactly("second", "first");
    assertThatThrownBy(memory::segment).isInstanceOf(ClosedException.class);
    assertThatThrownBy(memory::segmentWithHeader).isInstanceOf(ClosedException.class);
    assertThatThrownBy(() -> memory.beforeFree(() -> {})).isInstanceOf(ClosedException.class);
  }

  @Test
  void closingBesideAnAccessFreesNothingAndIsRepeated() throws Exception {
    List<String> ran = new ArrayList<>();
    Memory memory = Memory.ofBytes(8);
    memory.beforeFree(() -> ran.add("once"));
    ByteBuffer bytes = memory.segment().asByteBuffer();
    Pipe pipe = Pipe.open();
    Thread reader = Thread.ofPlatform().start(() -> fill(bytes, pipe.source()));
    while (!isReading(reader)) {
      Thread.sleep(1);
    }
    assertThatThrownBy(memory::close).isInstanceOf(MemoryInUseException.class);
    assertThatThrownBy(memory::close).isInstanceOf(MemoryInUseException.class);
    assertThat(bytes.get(0)).isZero();
    pipe.sink().close();
    reader.join();
    memory.close();
    memory.close();
    assertThatThrownBy(() -> bytes.get(0)).isInstanceOf(IllegalStateException.class);
    assertThat(ran).containsExactly("once");
    pipe.source().close();
  }

  private static void fill(ByteBuffer bytes, ReadableByteChannel source) {
    try {
      assertThat(source.read(bytes)).isNegative();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static boolean isReading(Thread thread) {
    return Arrays.stream(thread.getStackTrace()).anyMatch(e -> e.getMethodName().equals("read0"));
  }

  @Test
  void anActionThatThrowsLeavesNothingBehind() {
    List<String> ran = new ArrayList<>();
    Memory memory = Memory.ofBytes(8);
    MemorySegment segment = memory.segment();
    memory.beforeFree(() -> ran.add("first"));
    for (String name : List.of("second", "third")) {
      memory.beforeFree(
          () -> {
            throw new GyreException(name);
          });
    }
    assertThatThrownBy(memory::close)
        .hasMessage("third")
        .satisfies(e -> assertThat(e.getSuppressed()).hasSize(1));
    assertThat(ran).containsExactly("first");
    assertThat(segment.scope().isAlive()).isFalse();
    memory.close();
  }

  @Test
  void whoUsesAMemoryKeepsItFromBeingFreed() {
    List<String> ran = new ArrayList<>();
    boolean[] used = {true};
    Memory memory = Memory.ofBytes(8);
    MemorySegment segment = memory.segment();
    memory.beforeFree(() -> ran.add("first"));
    memory.beforeFree(
        () -> {
          if (used[0]) {
            throw new MemoryInUseException("used", null);
          }
          ran.add("second");
        });
    memory.beforeFree(
        () -> {
          throw new GyreException("third");
        });
    assertThatThrownBy(memory::close)
        .isInstanceOf(MemoryInUseException.class)
        .satisfies(e -> assertThat(e.getSuppressed()).hasSize(1));
    assertThatThrownBy(memory::segment).isInstanceOf(ClosedException.class);
    assertThat(segment.scope().isAlive()).isTrue();
    used[0] = false;
    memory.close();
    memory.close();
    assertThat(segment.scope().isAlive()).isFalse();
    assertThat(ran).containsExactly("first", "second");
  }

  @Test
  void anActionThatIsForgottenDoesNotRun() {
    List<String> ran = new ArrayList<>();
    Memory memory = Memory.ofBytes(8);
    Runnable action = () -> ran.add("forgotten");
    memory.beforeFree(() -> ran.add("first"));
    memory.beforeFree(action);
    memory.forget(action);
    memory.forget(action);
    memory.close();
    assertThat(ran).containsExactly("first");
  }

  @Test
  @Timeout(60)
  void whoAsksWhileAMemoryWaitsToBeFreedIsToldAtOnce() throws Exception {
    CountDownLatch waits = new CountDownLatch(1);
    CountDownLatch goesOn = new CountDownLatch(1);
    Memory memory = Memory.ofBytes(8);
    memory.beforeFree(
        () -> {
          waits.countDown();
          try {
            goesOn.await();
          } catch (InterruptedException e) {
            throw new IllegalStateException(e);
          }
        });
    Thread closer = Thread.ofPlatform().start(memory::close);
    waits.await();
    assertThat(memory.isClosed()).isTrue();
    assertThatThrownBy(memory::segment).isInstanceOf(ClosedException.class);
    assertThatThrownBy(() -> memory.beforeFree(() -> {})).isInstanceOf(ClosedException.class);
    goesOn.countDown();
    closer.join();
  }

  @Test
  void severalHandlesSeeOneMemory() {
    try (Memory memory = Memory.ofLongs(2)) {
      DeviceLongs.of(memory).set(1, 0x0000_0002_0000_0001L);
      assertThat(DeviceInts.of(memory).get(2)).isEqualTo(1);
      assertThat(DeviceInts.of(memory).get(3)).isEqualTo(2);
    }
  }
}
