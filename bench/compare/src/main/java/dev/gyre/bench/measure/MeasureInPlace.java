package dev.gyre.bench.measure;

import dev.gyre.atomics.Bytes;
import dev.gyre.atomics.DeviceLongs;
import dev.gyre.atomics.Memory;
import dev.gyre.atomics.ThreadInts;
import dev.gyre.kernels.Kernel;
import dev.gyre.kernels.LaunchShape;
import dev.gyre.kernels.Launcher;
import dev.gyre.kernels.Launchers;
import dev.gyre.kernels.MemoryKind;
import dev.gyre.kernels.Target;
import dev.gyre.kernels.map.Batch;
import dev.gyre.kernels.map.Find;
import dev.gyre.kernels.map.Insert;
import dev.gyre.kernels.map.MapCodes;
import dev.gyre.kernels.map.Numbers;
import dev.gyre.kernels.map.PackedSlots;

/**
 * Times what a map does with keys and values in pinned memory where kernels use them there, beside
 * the copies of {@link MeasureCalls}: {@code MeasureInPlace target=ptx bits=20,24,26 runs=11}.
 */
public final class MeasureInPlace {

  /** Odd, so that its products with different ints differ. */
  private static final int SCATTER = 0x9E3779B1;

  /** Ints where they lie. */
  record There(ThreadInts row) implements Numbers {
    @Override
    public long get(long index) {
      return row.get(index);
    }

    @Override
    public void set(long index, long value) {
      row.set(index, (int) value);
    }

    @Override
    public Numbers copy() {
      return new There(row);
    }
  }

  private final Launcher launcher;
  private final CallTimer timer;

  private MeasureInPlace(Launcher launcher, CallTimer timer) {
    this.launcher = launcher;
    this.timer = timer;
  }

  /** Prints a line for each: what, median and least milliseconds, and GB/s of what it moves. */
  public static void main(String[] args) {
    Arguments arguments = new Arguments(args);
    Target target = Target.ofLabel(arguments.text("target", "opencl"));
    try (Launcher launcher = Launchers.open(target)) {
      MeasureInPlace measure =
          new MeasureInPlace(launcher, new CallTimer(arguments.number("runs", 11)));
      System.out.println("@device " + launcher.device().name());
      for (String bits : arguments.text("bits", "10,20,24").split(",", -1)) {
        measure.map(1 << Integer.parseInt(bits));
      }
    }
  }

  private void map(int n) {
    long bytes = (long) n * Integer.BYTES;
    long slots = 2L * n;
    try (Memory keys = launcher.memory(MemoryKind.PINNED, bytes);
        Memory values = launcher.memory(MemoryKind.PINNED, bytes);
        Memory words = Memory.ofLongs(PackedSlots.words(slots));
        Memory counters = Memory.ofLongs(MapCodes.STRIPED_COUNTERS);
        Memory none = Memory.ofBytes(1)) {
      ThreadInts all = ThreadInts.of(keys);
      ThreadInts found = ThreadInts.of(values);
      for (int i = 0; i < n; i++) {
        all.set(i, i * SCATTER);
        found.set(i, i * SCATTER);
      }
      PackedSlots table = new PackedSlots(DeviceLongs.of(words), slots, 1);
      DeviceLongs counts = DeviceLongs.of(counters);
      Batch given = new Batch(new There(all), new There(found), Bytes.of(none));
      long polls = launcher.device().target().pollLimit();
      int options = MapCodes.STRIPED;
      Kernel insert = new Insert(table, given, counts, 0, n, MapCodes.KEEP, options, polls);
      options += MapCodes.VALUES + MapCodes.QUIESCENT;
      Kernel find = new Find(table, given, counts, 0, n, options, polls);
      launcher.clear(counters);
      LaunchShape shape = launcher.shapeFor(n);
      timer.time(
          "insert %d, in place".formatted(n),
          2 * bytes,
          new CallTimer.Call() {
            @Override
            public void before() {
              launcher.clear(words);
            }

            @Override
            public void run() {
              launcher.run(insert, shape);
            }
          });
      values.segment().fill((byte) 0);
      timer.time("find %d, in place".formatted(n), 2 * bytes, () -> launcher.run(find, shape));
      if (keys.segment().mismatch(values.segment()) >= 0) {
        throw new IllegalStateException("other values than were inserted");
      }
    }
  }
}
