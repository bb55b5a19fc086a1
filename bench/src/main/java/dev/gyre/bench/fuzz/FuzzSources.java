package dev.gyre.bench.fuzz;

import dev.gyre.atomics.Bytes;
import dev.gyre.atomics.DeviceInts;
import dev.gyre.atomics.DeviceLongs;
import dev.gyre.atomics.Memory;
import dev.gyre.kernels.JvmLauncher;
import dev.gyre.kernels.LaunchShape;
import dev.gyre.kernels.Launcher;
import dev.gyre.kernels.MemoryKind;
import dev.gyre.kernels.MemoryKindException;
import dev.gyre.kernels.map.OpenItems;
import dev.gyre.structures.map.Ints;
import dev.gyre.structures.map.Longs;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Where keys and values of one call lie: in arrays, memory of a kind, segments, or on the device;
 * and what kernels work on. Closed, it closes all of it.
 */
final class FuzzSources implements AutoCloseable {

  /** Ways there are. */
  static final int WAYS = 4;

  private static final List<MemoryKind> KINDS =
      List.of(MemoryKind.PINNED, MemoryKind.UNIFIED, MemoryKind.ORDINARY);

  private final @Nullable Launcher device;
  private final int way;
  private final List<Memory> memories = new ArrayList<>();
  private final List<Runnable> copies = new ArrayList<>();

  /**
   * Of one call.
   *
   * @param device where the map is; null on the JVM
   * @param way to hand over; one that there is not there is another one
   */
  FuzzSources(@Nullable Launcher device, int way) {
    this.device = device;
    this.way = Math.floorMod(way, WAYS);
  }

  /** Arrays, and nothing else. */
  static FuzzSources arrays() {
    return new FuzzSources(null, 0);
  }

  /** Whether they are arrays, as they were given. */
  boolean areArrays() {
    return way == 0;
  }

  private boolean isOnDevice() {
    return way == 3 && device != null;
  }

  private Memory memory(long bytes) {
    Memory made = null;
    if (device != null && !isOnDevice()) {
      try {
        made = device.memory(KINDS.get((int) (bytes / 8 % KINDS.size())), bytes);
      } catch (MemoryKindException _) {
        // Refused with a reason: there is ordinary memory on every target.
      }
    }
    Memory memory = made == null ? Memory.ofBytes(bytes) : made;
    memories.add(memory);
    return memory;
  }

  /** Memory with what is in a segment; {@link #back} brings it home where that is to be written. */
  private Memory with(MemorySegment array, boolean written) {
    Memory memory = memory(array.byteSize());
    MemorySegment there = Bytes.of(memory).segment();
    MemorySegment.copy(array, 0, there, 0, array.byteSize());
    if (written) {
      copies.add(
          () -> {
            if (isOnDevice() && device != null) {
              device.readBack(memory);
            }
            MemorySegment.copy(there, 0, array, 0, array.byteSize());
          });
    }
    return memory;
  }

  Longs longs(long[] array, boolean written) {
    return switch (way) {
      case 0 -> Longs.of(array);
      case 1 -> Longs.of(Bytes.of(with(MemorySegment.ofArray(array), written)).segment());
      case 2 -> Longs.of(with(MemorySegment.ofArray(array), written), array.length);
      default ->
          isOnDevice()
              ? Longs.onDevice(with(MemorySegment.ofArray(array), written), array.length)
              : Longs.of(MemorySegment.ofArray(array));
    };
  }

  Ints ints(int[] array, boolean written) {
    return switch (way) {
      case 0 -> Ints.of(array);
      case 1 -> Ints.of(Bytes.of(with(MemorySegment.ofArray(array), written)).segment());
      case 2 -> Ints.of(with(MemorySegment.ofArray(array), written), array.length);
      default ->
          isOnDevice()
              ? Ints.onDevice(with(MemorySegment.ofArray(array), written), array.length)
              : Ints.of(MemorySegment.ofArray(array));
    };
  }

  /** Copies what was written to the arrays. */
  void back() {
    copies.forEach(Runnable::run);
  }

  // For kernels, on either side.

  DeviceLongs kernelLongs(long[] array) {
    Memory memory = Memory.ofLongs(array.length);
    memories.add(memory);
    MemorySegment.copy(
        array, 0, Bytes.of(memory).segment(), ValueLayout.JAVA_LONG, 0, array.length);
    return DeviceLongs.of(memory);
  }

  /** What a kernel left in longs of {@link #kernelLongs}. */
  long[] read(DeviceLongs longs) {
    if (device != null) {
      device.readBack(longs.memory());
    }
    return longs.memory().segment().toArray(ValueLayout.JAVA_LONG);
  }

  Bytes kernelBytes(byte[] array) {
    Memory memory = Memory.ofBytes(array.length);
    memories.add(memory);
    memory.segment().copyFrom(MemorySegment.ofArray(array));
    return Bytes.of(memory);
  }

  DeviceInts kernelInts(int[] array) {
    Memory memory = Memory.ofInts(array.length);
    memories.add(memory);
    MemorySegment.copy(array, 0, Bytes.of(memory).segment(), ValueLayout.JAVA_INT, 0, array.length);
    return DeviceInts.of(memory);
  }

  OpenItems open(int items) {
    Memory memory = Memory.ofBytes(items);
    memories.add(memory);
    return new OpenItems(Bytes.of(memory));
  }

  /** Where kernels run. */
  LaunchShape shape(int items) {
    return device == null ? LaunchShape.ofThreads(3) : device.shapeFor(Math.max(1, items));
  }

  /** Of the map's own, where texts are to be there. */
  Launcher launcher(JvmLauncher otherwise) {
    return device == null ? otherwise : device;
  }

  @Override
  public void close() {
    memories.forEach(Memory::close);
  }
}
