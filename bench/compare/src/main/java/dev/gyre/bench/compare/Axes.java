package dev.gyre.bench.compare;

import java.util.ArrayList;
import java.util.List;

/**
 * What is varied, in one place: all of it, or as much as fits in a few minutes. One thing at a time
 * is varied from the base: {@link #base()} unique keys, all found, half of the slots taken, every
 * number of threads.
 *
 * @param quick as much as fits in a few minutes
 * @param cores of the machine
 */
record Axes(boolean quick, int cores) {

  static final double BASE_LOAD = 0.5;
  static final int BASE_HITS = 100;

  /** Keys of a map, or as many as the heap has room for in the slowest of them. */
  List<Integer> sizes() {
    return quick ? List.of(1 << 14, 1 << 18) : List.of(1 << 12, 1 << 16, 1 << 20, 1 << 23);
  }

  /** Keys of maps whose keys are worked on one by one: within a cache, and well outside. */
  List<Integer> singles() {
    return quick ? List.of(1 << 18) : List.of(1 << 16, 1 << 23);
  }

  int base() {
    return quick ? 1 << 18 : 1 << 20;
  }

  /** Keys per slot beside the base. */
  List<Double> loads() {
    return quick ? List.of() : List.of(0.8, 0.9);
  }

  /** Of 100 keys that are looked up, how many are there, beside the base. */
  List<Integer> hits() {
    return quick ? List.of(0) : List.of(50, 0);
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

  /** How often the text is repeated. */
  List<Integer> repeats() {
    return quick ? List.of(1) : List.of(1, 16);
  }

  /** How often the text is repeated on a device: a processor that plays one takes minutes. */
  List<Integer> deviceRepeats(boolean gpu) {
    return gpu ? repeats() : List.of(1);
  }

  /** Keys of whole calls on a device: within the second-level cache of a GPU, and well outside. */
  List<Integer> deviceSizes(boolean gpu) {
    if (quick) {
      return List.of(gpu ? 1 << 20 : 1 << 16);
    }
    return gpu ? List.of(1 << 20, 1 << 24) : List.of(1 << 16, 1 << 20);
  }

  /** Keys of kernels on a device, which need no arrays of the JVM. */
  List<Integer> kernelSizes(boolean gpu) {
    if (quick) {
      return List.of(gpu ? 1 << 20 : 1 << 16);
    }
    return gpu ? List.of(1 << 20, 1 << 26) : List.of(1 << 16, 1 << 20);
  }

  /** Runs that count. */
  int runs() {
    return 11;
  }

  /** Runs of a device that is opened anew for each. */
  int coldRuns() {
    return quick ? 3 : 10;
  }

  /** Seconds after which a job begins no further round, if it has had enough. */
  double seconds() {
    return quick ? 3 : 12;
  }
}
