package dev.gyre.structures.map;

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
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Where keys and values of one call lie, and the memory that kernels work on. Closing it frees all
 * of it.
 */
public class Sources implements AutoCloseable {

  /** Where arrays of a call lie. */
  public enum Way {
    ARRAYS,
    SEGMENT,
    MEMORY,
    HEAP_SEGMENT,
    ON_DEVICE
  }

  private static final List<MemoryKind> KINDS =
      List.of(MemoryKind.PINNED, MemoryKind.UNIFIED, MemoryKind.ORDINARY);

  private final @Nullable Launcher device;
  private final Way way;
  private final List<Memory> memories = new ArrayList<>();
  private final List<Runnable> copies = new ArrayList<>();

  /**
   * The sources of one call.
   *
   * @param device where the map is; null on the JVM
   */
  public Sources(@Nullable Launcher device, Way way) {
    this.device = device;
    this.way = way;
  }

  /** Arrays, and nothing else. */
  public static Sources arrays() {
    return new Sources(null, Way.ARRAYS);
  }

  /** Memory that the map takes to be on its device, which may be the JVM. */
  static Sources onDevice() {
    return new Sources(null, Way.ON_DEVICE);
  }

  private Memory memory(long bytes) {
    Memory made = null;
    if (device != null && way != Way.ON_DEVICE) {
      try {
        made = device.memory(KINDS.get((int) (bytes / 8 % KINDS.size())), bytes);
      } catch (MemoryKindException _) {
        // There is ordinary memory on every target.
      }
    }
    Memory memory = made == null ? Memory.ofBytes(bytes) : made;
    memories.add(memory);
    return memory;
  }

  /** Memory that holds an array; if the call writes to it, {@link #back} copies that home. */
  private Memory with(MemorySegment array, boolean written) {
    Memory memory = memory(array.byteSize());
    MemorySegment there = Bytes.of(memory).segment();
    MemorySegment.copy(array, 0, there, 0, array.byteSize());
    if (written) {
      copies.add(
          () -> {
            if (way == Way.ON_DEVICE && device != null) {
              device.readBack(memory);
            }
            MemorySegment.copy(there, 0, array, 0, array.byteSize());
          });
    }
    return memory;
  }

  /** The segment of an array for a call that takes segments. */
  protected MemorySegment segment(MemorySegment array, boolean written) {
    return way == Way.SEGMENT ? Bytes.of(with(array, written)).segment() : array;
  }

  Longs longs(long[] array, boolean written) {
    MemorySegment segment = MemorySegment.ofArray(array);
    return switch (way) {
      case ARRAYS -> Longs.of(array);
      case SEGMENT, HEAP_SEGMENT -> Longs.of(segment(segment, written));
      case MEMORY -> Longs.of(with(segment, written), array.length);
      case ON_DEVICE -> Longs.onDevice(with(segment, written), array.length);
    };
  }

  /** The numbers as ints; {@link #back} copies to the numbers what the call wrote. */
  Ints ints(long[] numbers, boolean written) {
    int[] array = narrowed(numbers);
    MemorySegment segment = MemorySegment.ofArray(array);
    Ints ints =
        switch (way) {
          case ARRAYS -> Ints.of(array);
          case SEGMENT, HEAP_SEGMENT -> Ints.of(segment(segment, written));
          case MEMORY -> Ints.of(with(segment, written), array.length);
          case ON_DEVICE -> Ints.onDevice(with(segment, written), array.length);
        };
    if (written) {
      copies.add(() -> widen(array, numbers));
    }
    return ints;
  }

  static int[] narrowed(long[] numbers) {
    int[] ints = new int[numbers.length];
    for (int i = 0; i < ints.length; i++) {
      ints[i] = Math.toIntExact(numbers[i]);
    }
    return ints;
  }

  static void widen(int[] from, long[] to) {
    for (int i = 0; i < from.length; i++) {
      to[i] = from[i];
    }
  }

  /** Copies what the call wrote to the arrays. */
  void back() {
    copies.forEach(Runnable::run);
  }

  /** Longs for a kernel. */
  public DeviceLongs kernelLongs(long[] array) {
    return DeviceLongs.of(copy(MemorySegment.ofArray(array)));
  }

  DeviceInts kernelInts(long[] numbers) {
    return DeviceInts.of(copy(MemorySegment.ofArray(narrowed(numbers))));
  }

  public Bytes kernelBytes(byte[] array) {
    return Bytes.of(copy(MemorySegment.ofArray(array)));
  }

  private Memory copy(MemorySegment array) {
    Memory memory = Memory.ofBytes(array.byteSize());
    memories.add(memory);
    MemorySegment _ = Bytes.of(memory).segment().copyFrom(array);
    return memory;
  }

  /** What a kernel left in {@link #kernelLongs}. */
  public long[] read(DeviceLongs longs) {
    if (device != null) {
      device.readBack(longs.memory());
    }
    return longs.memory().segment().toArray(ValueLayout.JAVA_LONG);
  }

  public OpenItems open(int items) {
    Memory memory = Memory.ofBytes(items);
    memories.add(memory);
    return new OpenItems(Bytes.of(memory));
  }

  /** The shape of a launch where the map is. */
  public LaunchShape shape(int items) {
    return device == null ? LaunchShape.ofThreads(3) : device.shapeFor(Math.max(1, items));
  }

  /** The launcher that texts are to be with. */
  Launcher launcher(JvmLauncher otherwise) {
    return device == null ? otherwise : device;
  }

  @Override
  public void close() {
    memories.forEach(Memory::close);
  }
}
