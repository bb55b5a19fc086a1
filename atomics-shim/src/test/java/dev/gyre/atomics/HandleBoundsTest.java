package dev.gyre.atomics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gyre.atomics.table.Operation;
import dev.gyre.atomics.table.OperationTable;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class HandleBoundsTest {

  static List<Operation> operations() {
    return OperationTable.operations();
  }

  @ParameterizedTest
  @MethodSource("operations")
  void indexOutOfBoundsThrows(Operation o) {
    try (Memory memory = Memory.ofBytes(4L * o.type().bytes())) {
      Object handle = Methods.handle(o, memory);
      for (long index : new long[] {-1, -16, 4, 5, 1L << 40, (1L << 60) + 1, Long.MIN_VALUE / 16}) {
        assertThatThrownBy(() -> Methods.call(handle, o, index, 0, 0))
            .as("%s at %d", o, index)
            .isInstanceOf(IndexOutOfBoundsException.class);
      }
      // Scaling alone would turn these into offsets of elements that are there.
      for (long index : new long[] {1L << 61, (1L << 61) + 1, 1L << 62, (1L << 62) + 1, 3L << 62}) {
        assertThatThrownBy(() -> Methods.call(handle, o, index, 0, 0))
            .as("%s at %d", o, index)
            .isInstanceOf(IndexOutOfBoundsException.class);
      }
      assertThat(memory.segment().asByteBuffer().getLong(0)).isZero();
    }
  }

  @ParameterizedTest
  @MethodSource("operations")
  void useAfterCloseThrows(Operation o) {
    Memory memory = Memory.ofBytes(4L * o.type().bytes());
    Object handle = Methods.handle(o, memory);
    memory.close();
    if (o.kind().form() != dev.gyre.atomics.table.OperationKind.Form.PAUSE
        && o.kind().form() != dev.gyre.atomics.table.OperationKind.Form.WAKE) {
      assertThatThrownBy(() -> Methods.call(handle, o, 1, 0, 0))
          .isInstanceOf(IllegalStateException.class);
    }
    assertThatThrownBy(() -> DeviceInts.of(memory)).isInstanceOf(ClosedException.class);
  }

  @Test
  void handleSeesWholeElementsOnly() {
    try (Memory memory = Memory.ofBytes(15)) {
      assertThat(DeviceInts.of(memory).length()).isEqualTo(3);
      assertThat(DeviceLongs.of(memory).length()).isEqualTo(1);
      assertThat(Bytes.of(memory).length()).isEqualTo(15);
    }
  }

  @Test
  void bytesAreChecked() {
    try (Memory memory = Memory.ofBytes(3)) {
      Bytes bytes = Bytes.of(memory);
      bytes.set(2, (byte) -56);
      assertThat(bytes.get(2)).isEqualTo((byte) -56);
      assertThat(bytes.getUnsigned(2)).isEqualTo(200);
      for (long index : new long[] {-1, 3, Long.MAX_VALUE}) {
        assertThatThrownBy(() -> bytes.get(index)).isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> bytes.set(index, (byte) 0))
            .isInstanceOf(IndexOutOfBoundsException.class);
      }
    }
  }
}
