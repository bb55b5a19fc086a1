package dev.gyre.bench.words;

import dev.gyre.atomics.Memory;
import java.util.List;

/** Counts of words that are measured: ours, or what Java programs count with today. */
public interface RivalCounter extends AutoCloseable {

  /** Brings a text into the form that is counted, where that is no part of counting. */
  default void prepare(Memory text) {}

  /** Counts the words of a text, from an empty structure to all counts. */
  void count(Memory text);

  /** Number of words that were counted. */
  long total();

  /** Number of distinct words. */
  long distinct();

  /** The sum of the counts of words. */
  long countsOf(List<String> words);

  /** The same of words of ASCII in bytes, each looked up as it is given. */
  long countsOfBytes(List<byte[]> words);

  /**
   * The sum of the counts of all words that begin with one of some prefixes.
   *
   * @throws UnsupportedOperationException if only whole words can be looked up
   */
  default long countsUnder(List<String> prefixes) {
    throw new UnsupportedOperationException("prefixes of a hash map");
  }

  /** The sum of the counts of the most frequent words, which are found with them. */
  long countsOfTop(int words);

  /** All distinct words. */
  List<String> words();

  /** Bytes outside the heap. */
  default long bytesOutside() {
    return 0;
  }

  /** Gives memory back. */
  void drop();

  @Override
  void close();
}
