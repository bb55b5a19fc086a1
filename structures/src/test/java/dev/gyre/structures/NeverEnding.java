package dev.gyre.structures;

import dev.gyre.atomics.DeviceInts;
import dev.gyre.atomics.Memory;
import dev.gyre.atomics.SharedInts;
import dev.gyre.atomics.ThreadInts;
import dev.gyre.kernels.Kernel;
import dev.gyre.kernels.LaunchException;
import dev.gyre.kernels.LaunchShape;
import dev.gyre.kernels.Launcher;
import dev.gyre.kernels.Launchers;
import dev.gyre.kernels.Target;

/**
 * A process that runs one of the execution model's programs that may never end, in the form that
 * Java has of it: {@code EXAMPLE}, from 1 to 4. It says when it begins, and what came of it.
 */
final class NeverEnding {

  static final String BEGUN = "begun";
  static final String ENDED = "ended";
  static final String REFUSED = "refused: ";

  private NeverEnding() {}

  /** Execution.Model.Device.1: yields, and looks at nothing. */
  record OnlyYields(DeviceInts words) implements Kernel {
    @Override
    public void run(int thread, LaunchShape shape) {
      long polls = 0;
      while (polls < Long.MAX_VALUE) {
        polls = words.pause(0, polls);
      }
      words.storeRelaxed(1, 1);
    }
  }

  /** Execution.Model.Device.2: looks at a local, which is never volatile in Java. */
  record LooksAtALocal(DeviceInts words, long first) implements Kernel {
    @Override
    public void run(int thread, LaunchShape shape) {
      long local = first;
      while (local != 0) {
        local = local * 3 | 1;
      }
      words.storeRelaxed(1, 1);
    }
  }

  /** Execution.Model.Device.3: an atomic that no other thread reaches; a block of one shares it. */
  record LooksAtItsOwn(DeviceInts words, SharedInts own) implements Kernel {
    @Override
    public void run(int thread, LaunchShape shape) {
      own.storeRelaxed(0, 1);
      while (own.loadRelaxed(0) != 0) {}
      words.storeRelaxed(1, 1);
    }
  }

  /** Execution.Model.Device.4: an empty loop; a plain read may be left out of it. */
  record Empty(DeviceInts words, ThreadInts plain) implements Kernel {
    @Override
    public void run(int thread, LaunchShape shape) {
      while (plain.get(0) == 0) {}
      words.storeRelaxed(1, 1);
    }
  }

  public static void main(String[] args) {
    try (Launcher launcher =
            Launchers.open(Target.ofLabel(System.getProperty("gyre.target", "jvm")));
        Memory memory = Memory.ofInts(32)) {
      DeviceInts words = DeviceInts.of(memory);
      Kernel kernel =
          switch (args[0]) {
            case "1" -> new OnlyYields(words);
            case "2" -> new LooksAtALocal(words, 1);
            case "3" -> new LooksAtItsOwn(words, SharedInts.of(4));
            default -> new Empty(words, ThreadInts.of(memory));
          };
      System.out.println(BEGUN);
      launcher.run(kernel, LaunchShape.ofThreads(1));
      System.out.println(ENDED);
    } catch (LaunchException e) {
      System.out.println(REFUSED + e.getMessage());
    }
    // Threads that the driver does not let go are no reason to stay.
    Runtime.getRuntime().halt(0);
  }
}
