package dev.gyre.bench.measure;

import dev.gyre.atomics.DeviceLongs;
import dev.gyre.atomics.GyreException;
import dev.gyre.atomics.Memory;
import dev.gyre.atomics.SystemInts;
import dev.gyre.atomics.ThreadInts;
import dev.gyre.atomics.ThreadLongs;
import dev.gyre.kernels.Kernel;
import dev.gyre.kernels.Launch;
import dev.gyre.kernels.LaunchMode;
import dev.gyre.kernels.LaunchShape;
import dev.gyre.kernels.Launcher;
import dev.gyre.kernels.Launchers;
import dev.gyre.kernels.MemoryKind;
import dev.gyre.kernels.Target;
import dev.gyre.kernels.examples.HostSignal;

/**
 * Times memory that host and device both reach, by its kinds: signals from host to device and back,
 * and a kernel that reads all of it, which the host wrote before: {@code MeasureSharing target=ptx
 * runs=11 bits=26}.
 */
public final class MeasureSharing {

  private static final int ROUNDS = 1_000;
  private static final long POLLS = 1 << 15;

  /** Sums up longs. */
  record Sum(ThreadLongs longs, long length, DeviceLongs sum) implements Kernel {
    @Override
    public void run(int thread, LaunchShape shape) {
      long own = 0;
      for (long i = thread; i < length; i += shape.threads()) {
        own += longs.get(i);
      }
      sum.fetchAddRelaxed(thread & 31, own);
    }
  }

  private final Launcher launcher;
  private final CallTimer timer;

  private MeasureSharing(Launcher launcher, CallTimer timer) {
    this.launcher = launcher;
    this.timer = timer;
  }

  /** Prints a line for each: what, median and least milliseconds, and GB/s of what is read. */
  public static void main(String[] args) {
    Arguments arguments = new Arguments(args);
    Target target = Target.ofLabel(arguments.text("target", "opencl"));
    try (Launcher launcher = Launchers.open(target)) {
      System.out.println("@device " + launcher.device().name());
      CallTimer timer = new CallTimer(arguments.number("runs", 11));
      MeasureSharing measure = new MeasureSharing(launcher, timer);
      long bytes = 1L << arguments.number("bits", 26);
      for (MemoryKind kind :
          new MemoryKind[] {MemoryKind.ORDINARY, MemoryKind.PINNED, MemoryKind.UNIFIED}) {
        try {
          measure.reads(kind, bytes);
          if (kind != MemoryKind.ORDINARY) {
            measure.signals(kind);
          }
        } catch (GyreException e) {
          System.out.println(e.getMessage());
        }
      }
    }
  }

  private void reads(MemoryKind kind, long bytes) {
    try (Memory memory = launcher.memory(kind, bytes);
        Memory sum = Memory.ofLongs(32)) {
      long longs = bytes / Long.BYTES;
      Kernel kernel = new Sum(ThreadLongs.of(memory), longs, DeviceLongs.of(sum));
      LaunchShape shape = launcher.shapeFor(longs);
      timer.time(
          "all of %s memory is read".formatted(kind),
          bytes,
          new CallTimer.Call() {
            @Override
            public void before() {
              memory.segment().fill((byte) 1);
            }

            @Override
            public void run() {
              launcher.hostWrote(memory);
              launcher.run(kernel, shape);
            }
          });
    }
  }

  private void signals(MemoryKind kind) {
    try (Memory memory = launcher.memory(kind, (long) HostSignal.INTS * Integer.BYTES)) {
      SystemInts flags = SystemInts.of(memory);
      ThreadInts data = ThreadInts.of(memory);
      Kernel kernel = new HostSignal(flags, data, ROUNDS, launcher.device().target().pollLimit());
      timer.time(
          "%d rounds in %s memory".formatted(ROUNDS, kind),
          0,
          () -> {
            memory.segment().fill((byte) 0);
            Launch launch = launcher.start(kernel, LaunchShape.ofThreads(1), LaunchMode.CONCURRENT);
            int answered = 0;
            while (answered < ROUNDS
                && HostSignal.ask(flags, data, answered, answered, POLLS)
                    == HostSignal.answer(answered)) {
              answered++;
            }
            launch.join();
            if (answered != ROUNDS) {
              throw new IllegalStateException("%d rounds were answered".formatted(answered));
            }
          });
    }
  }
}
