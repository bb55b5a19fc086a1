package dev.gyre.kernels.tornadovm;

import dev.gyre.atomics.DeviceInts;
import dev.gyre.atomics.DeviceLongs;
import dev.gyre.atomics.Memory;
import dev.gyre.atomics.ThreadLongs;
import dev.gyre.atomics.Unsigned;
import dev.gyre.kernels.Kernel;
import dev.gyre.kernels.LaunchShape;
import java.util.Optional;

/** Kernels for tests, written as anyone may write them: records with methods, and nothing else. */
final class RecordKernels {

  private RecordKernels() {}

  /** Where a key begins to look. */
  interface Hash {
    long hash(long key);
  }

  private record Fibonacci(long seed) implements Hash {
    private Fibonacci {
      if (seed < 0) {
        throw new IllegalArgumentException("a seed is not negative: " + seed);
      }
    }

    @Override
    public long hash(long key) {
      return Unsigned.shiftRight((key ^ seed) * 0x9e3779b97f4a7c15L, 20);
    }
  }

  private record Mixed(int shift, Fibonacci inner) implements Hash {
    @Override
    public long hash(long key) {
      return inner.hash(key ^ Unsigned.shiftRight(key, shift));
    }
  }

  static Hash fibonacci(long seed) {
    return new Fibonacci(seed);
  }

  static Hash mixed(long seed) {
    return new Mixed(7, new Fibonacci(seed));
  }

  /** What a kernel sees of a map. */
  record Slots<H extends Hash>(
      DeviceInts states, DeviceLongs keys, DeviceLongs values, long mask, H hash) {

    private static final int EMPTY = 0;
    private static final int RESERVED = 1;
    private static final int FILLED = 2;

    static <H extends Hash> Slots<H> of(Memory states, Memory keys, Memory values, H hash) {
      DeviceInts handle = DeviceInts.of(states);
      return new Slots<>(
          handle, DeviceLongs.of(keys), DeviceLongs.of(values), handle.length() - 1, hash);
    }

    /** Inserts, or adds to the value that is there: 1 or 2; 3 where there is no room. */
    int insertOrAdd(long key, long value) {
      long slot = hash.hash(key) & mask;
      int outcome = 0;
      long probes = 0;
      while (outcome == 0) {
        int state = states.loadAcquire(slot);
        if (state == EMPTY) {
          state = states.compareAndExchangeAcquire(slot, EMPTY, RESERVED);
        }
        if (state == RESERVED) {
          state = states.waitWhileEqualAcquire(slot, RESERVED, 1 << 20);
        }
        if (state == EMPTY) {
          keys.set(slot, key);
          values.set(slot, value);
          states.storeRelease(slot, FILLED);
          outcome = 1;
        }
        if (state == FILLED) {
          boolean same = keys.get(slot) == key;
          outcome = same ? 2 : 0;
          slot = same ? slot : (slot + 1) & mask;
        }
        probes++;
        boolean over = probes > mask;
        outcome = over ? 3 : outcome;
      }
      if (outcome == 2) {
        long _ = values.fetchAddRelaxed(slot, value);
      }
      return outcome;
    }
  }

  record Batch(ThreadLongs keys, ThreadLongs values, long size) {
    long key(long i) {
      return keys.get(i);
    }
  }

  /** Inserts a batch, and counts the keys that were new. */
  record InsertAll<H extends Hash>(Slots<H> slots, Batch batch, DeviceLongs inserted)
      implements Kernel {
    @Override
    public void run(int thread, LaunchShape shape) {
      long count = 0;
      for (long i = thread; i < batch.size(); i += shape.threads()) {
        int outcome = slots.insertOrAdd(batch.key(i), batch.values().get(i));
        count += outcome == 1 ? 1 : 0;
      }
      long _ = inserted.fetchAddRelaxed(0, count);
    }
  }

  /** One number of each type. */
  record Numbers(int i, long l, float f, double d, boolean t, byte b) {}

  /** Tells what it was given. */
  record Tell(Numbers numbers, ThreadLongs out, float g) implements Kernel {
    @Override
    public void run(int thread, LaunchShape shape) {
      if (thread == 0) {
        out.set(0, numbers.i());
        out.set(1, numbers.l());
        out.set(2, Float.floatToRawIntBits(numbers.f()));
        out.set(3, Double.doubleToRawLongBits(numbers.d()));
        out.set(4, numbers.t() ? 1 : 0);
        out.set(5, numbers.b());
        out.set(6, Float.floatToRawIntBits(numbers.f() * g));
        out.set(7, Double.doubleToRawLongBits(numbers.d() * g));
        out.set(8, shape.blocks());
        out.set(9, shape.blockSize());
      }
    }
  }

  /** A number with a sign of its own. */
  record Sum(long low, long high) {
    Sum plus(long value) {
      long next = low + value;
      return new Sum(next, high + (Unsigned.lessThan(next, low) ? 1 : 0));
    }

    Sum largest(Sum other) {
      return other.high > high ? other : this;
    }
  }

  /** Makes records in a loop, returns them from methods, and takes one or another. */
  record AddUp(ThreadLongs in, ThreadLongs out, int length) implements Kernel {
    @Override
    public void run(int thread, LaunchShape shape) {
      Sum sum = new Sum(0, 0);
      for (int i = thread; i < length; i += shape.threads()) {
        sum = sum.plus(in.get(i));
      }
      Sum most = sum.largest(new Sum(7, 3));
      out.set(4L * thread, sum.low());
      out.set(4L * thread + 1, sum.high());
      out.set(4L * thread + 2, most.low());
      out.set(4L * thread + 3, most.high());
    }
  }

  /** Calls itself. */
  record Recursive(ThreadLongs out, int depth) implements Kernel {
    @Override
    public void run(int thread, LaunchShape shape) {
      out.set(thread, down(depth));
    }

    private long down(int n) {
      return n <= 0 ? 1 : up(n - 1) + n;
    }

    private long up(int n) {
      return down(n) + 2;
    }
  }

  /** Makes an object that is no record and is kept. */
  record Keeping(ThreadLongs out) implements Kernel {
    @Override
    public void run(int thread, LaunchShape shape) {
      out.set(thread, System.identityHashCode(new Sum(1, thread)));
    }
  }

  /** Throws. */
  record Throwing(ThreadLongs out) implements Kernel {
    @Override
    public void run(int thread, LaunchShape shape) {
      if (out.get(thread) != 0) {
        throw new IllegalStateException("not 0");
      }
    }
  }

  /** What becomes of a number, as a strategy says. */
  interface Answer {
    long of(long question);
  }

  /** A strategy that throws. */
  record Refusing(long limit) implements Answer {
    @Override
    public long of(long question) {
      if (question > limit) {
        throw new IllegalArgumentException("too large");
      }
      return question;
    }
  }

  /** Asks a strategy. */
  record Asking(Answer answer, ThreadLongs out) implements Kernel {
    @Override
    public void run(int thread, LaunchShape shape) {
      out.set(thread, answer.of(thread));
    }
  }

  /** Calls what is no device function. */
  record Telling(ThreadLongs out) implements Kernel {
    @Override
    public void run(int thread, LaunchShape shape) {
      out.set(thread, System.nanoTime());
    }
  }

  /** Makes an object by way of a library. */
  record Wrapping(ThreadLongs out) implements Kernel {
    @Override
    public void run(int thread, LaunchShape shape) {
      out.set(thread, Optional.of(new Sum(3, thread)).get().low());
    }
  }

  /** Says yes or no, by methods. */
  record Oracle(DeviceInts flags) {

    /** Whether this call set the flag; loops until it is set, by whomever. */
    @SuppressWarnings("ShortCircuitBoolean") // No branch in a loop's condition.
    boolean set(int flag, int wanted) {
      boolean won = false;
      int seen = wanted;
      while (!won & seen == wanted) {
        won = flags.compareAndSetRelaxed(flag, wanted, flag + 10);
        seen = flags.loadRelaxed(flag);
      }
      return won;
    }

    boolean isOdd(int number) {
      return (number & 1) != 0;
    }

    boolean either(boolean one, boolean other) {
      return one ^ other;
    }
  }

  /** Uses what methods answer: branches on it, counts it, keeps it, combines it. */
  record Ask(Oracle oracle, ThreadLongs answers, int count) implements Kernel {
    @Override
    @SuppressWarnings("ShortCircuitBoolean") // Answers are combined, not branched on.
    public void run(int thread, LaunchShape shape) {
      for (int i = thread; i < count; i += shape.threads()) {
        boolean first = oracle.set(i, i % 3);
        boolean again = oracle.set(i, i % 3);
        boolean odd = oracle.isOdd(i);
        boolean mixed = (oracle.either(first, odd) & !again) | oracle.either(odd, again);
        long sum = 0;
        if (oracle.either(first, mixed)) {
          sum += 1000;
        }
        sum += (first ? 1 : 0) + (again ? 10 : 0) + (mixed ? 100 : 0);
        answers.set(i, odd == first ? sum : -sum);
      }
    }
  }
}
