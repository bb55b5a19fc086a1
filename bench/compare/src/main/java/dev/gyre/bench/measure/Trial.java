package dev.gyre.bench.measure;

/** Something that is done again and again, and timed each time. */
abstract class Trial {

  private final String benchmark;
  private final String implementation;
  private final int threads;
  private final String params;

  Trial(String benchmark, String implementation, int threads, String params) {
    this.benchmark = benchmark;
    this.implementation = implementation;
    this.threads = threads;
    this.params = params;
  }

  /** Makes all ready; not timed. */
  abstract void before();

  /** What is timed. */
  abstract void run();

  /** Throws where the result is wrong, and gives memory back; not timed. */
  abstract void after();

  final String benchmark() {
    return benchmark;
  }

  final String implementation() {
    return implementation;
  }

  final int threads() {
    return threads;
  }

  final String params() {
    return params;
  }
}
