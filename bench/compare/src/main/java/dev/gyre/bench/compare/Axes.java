package dev.gyre.bench.compare;

import java.util.ArrayList;
import java.util.List;

/**
 * What is varied, in one place. One thing at a time is varied from the base: {@link #base} unique
 * keys, all found, half of the slots taken, every number of threads.
 *
 * @param quick as much as fits in {@link #budgetSeconds}
 * @param pairs whether an old and a new build are compared, rather than rivals
 * @param cores of the machine
 */
record Axes(boolean quick, boolean pairs, int cores) {

  static final double BASE_LOAD = 0.5;

  /** Keys of a map: from within the caches to well outside. */
  List<Integer> sizes() {
    return quick ? List.of(1 << 14, base()) : List.of(1 << 12, 1 << 16, base(), 1 << 23);
  }

  /** Keys of maps whose keys are worked on one by one: within a cache, and well outside. */
  List<Integer> singles() {
    return quick ? List.of() : List.of(1 << 16, 1 << 23);
  }

  int base() {
    return 1 << 20;
  }

  /** Keys per slot, other than the base. */
  List<Double> loads() {
    return quick ? List.of() : List.of(0.8, 0.9);
  }

  /** How many of 100 keys that are looked up are there, other than the base. */
  List<Integer> hits() {
    return quick ? List.of() : List.of(50, 0);
  }

  /** 1, the powers of two below the cores, and the cores. */
  List<Integer> threads() {
    List<Integer> threads = new ArrayList<>();
    for (int t = 1; t < cores; t *= quick ? cores : 2) {
      threads.add(t);
    }
    threads.add(cores);
    return List.copyOf(threads);
  }

  /** One thread, and all. */
  List<Integer> fewThreads() {
    return cores == 1 ? List.of(1) : List.of(1, cores);
  }

  /** How often the text is repeated. */
  List<Integer> repeats() {
    return quick ? List.of(1) : List.of(1, 16);
  }

  /** How often the text is repeated on a device: a processor that plays a device takes minutes. */
  List<Integer> deviceRepeats(boolean gpu) {
    return gpu ? repeats() : List.of(1);
  }

  /** Keys of whole calls on a device: within the second-level cache of a GPU, and well outside. */
  List<Integer> deviceSizes(boolean gpu) {
    return deviceSizes(gpu, 1 << 24);
  }

  /** Keys of kernels on a device, which need no arrays of the JVM. */
  List<Integer> kernelSizes(boolean gpu) {
    return deviceSizes(gpu, 1 << 26);
  }

  private List<Integer> deviceSizes(boolean gpu, int most) {
    int least = gpu ? 1 << 20 : 1 << 16;
    return quick ? List.of(least) : List.of(least, gpu ? most : 1 << 20);
  }

  /** Runs of a process that is no JMH benchmark. */
  int runs() {
    return 11;
  }

  /** Runs of a device that is opened anew for each. */
  int coldRuns() {
    return quick ? 3 : 10;
  }

  /** Forks of each case, before its median can be steady. */
  int leastForks() {
    return pairs ? 10 : quick ? 2 : 3;
  }

  /** Forks of each case, after which it is marked if its median is not steady. */
  int mostForks() {
    return pairs ? 10 : quick ? 4 : 8;
  }

  /** Seconds after which no further job begins. */
  double budgetSeconds() {
    return quick && !pairs ? 145 : Double.POSITIVE_INFINITY;
  }

  /** Milliseconds of an iteration of JMH. */
  int iterationMillis() {
    return quick ? 60 : 200;
  }
}
