package dev.gyre.structures.launch;

import dev.gyre.atomics.Bytes;
import dev.gyre.atomics.DeviceInts;
import dev.gyre.atomics.DeviceLongs;
import dev.gyre.atomics.Memory;
import dev.gyre.kernels.JvmLauncher;
import dev.gyre.kernels.LaunchShape;
import dev.gyre.kernels.Launcher;
import dev.gyre.kernels.map.MapCodes;
import dev.gyre.kernels.map.OpenItems;
import dev.gyre.structures.TargetUnderTest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** A launcher of the target under test, and memories for its kernels, which are closed together. */
final class Inputs implements AutoCloseable {

  private final List<Memory> memories = new ArrayList<>();
  private final Launcher launcher;
  private final boolean own;

  Inputs() {
    Launcher device = TargetUnderTest.device();
    this.own = device == null;
    this.launcher = device == null ? JvmLauncher.ofWorkers(3) : device;
  }

  Launcher launcher() {
    return launcher;
  }

  LaunchShape shape(long items) {
    return launcher.shapeForEach(items);
  }

  private Memory keep(Memory memory) {
    memories.add(memory);
    return memory;
  }

  DeviceLongs longs(long... values) {
    DeviceLongs all = DeviceLongs.of(keep(Memory.ofLongs(values.length)));
    for (int i = 0; i < values.length; i++) {
      all.set(i, values[i]);
    }
    return all;
  }

  DeviceInts ints(int length) {
    return DeviceInts.of(keep(Memory.ofInts(length)));
  }

  OpenItems open(int items) {
    return new OpenItems(Bytes.of(keep(Memory.ofBytes(items))));
  }

  /** What kernels wrote. */
  int[] read(DeviceInts ints) {
    launcher.readBack(ints.memory());
    int[] all = new int[(int) ints.length()];
    for (int i = 0; i < all.length; i++) {
      all[i] = ints.get(i);
    }
    return all;
  }

  /** Launches until no outcome is STUCK, as may be where threads do not wait; returns them. */
  int[] settled(Runnable launch, DeviceInts outcomes) {
    int[] codes;
    do {
      launch.run();
      codes = read(outcomes);
    } while (Arrays.stream(codes).anyMatch(code -> isOpen(code)));
    return codes;
  }

  /** Whether a key is to be tried: it was not yet, or was STUCK. */
  static boolean isOpen(int outcome) {
    return outcome * (outcome - MapCodes.STUCK) == 0;
  }

  @Override
  public void close() {
    memories.forEach(Memory::close);
    if (own) {
      launcher.close();
    }
  }
}
