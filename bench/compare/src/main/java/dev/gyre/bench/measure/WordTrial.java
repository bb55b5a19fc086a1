package dev.gyre.bench.measure;

import dev.gyre.atomics.Memory;
import dev.gyre.bench.words.Questions;
import dev.gyre.bench.words.RivalCounter;
import dev.gyre.bench.words.WordRival;
import dev.gyre.structures.trie.WordTrie;
import java.util.List;

/** An operation on all words of a text, or on counts of them. */
abstract class WordTrial extends Trial implements AutoCloseable {

  final RivalCounter counter;
  final Memory text;

  WordTrial(String benchmark, WordRival rival, int threads, String params, Memory text) {
    super(benchmark, rival.label(), threads, params);
    this.counter = rival.open(threads);
    this.text = text;
  }

  /** Items of a run. */
  abstract long n();

  @Override
  public void close() {
    counter.close();
  }

  static void require(String what, long actual, long expected) {
    if (actual != expected) {
      throw new IllegalStateException(what + ": " + actual + ", not " + expected);
    }
  }

  /** From an empty structure to all counts. */
  static final class Count extends WordTrial {
    private final long words;
    private final long distinct;

    Count(WordRival rival, int threads, String params, Memory text, long words, long distinct) {
      super("word-count", rival, threads, params, text);
      this.words = words;
      this.distinct = distinct;
    }

    @Override
    long n() {
      return words;
    }

    @Override
    void before() {
      counter.prepare(text);
      System.gc();
    }

    @Override
    void run() {
      counter.count(text);
    }

    @Override
    void after() {
      require("words", counter.total(), words);
      require("distinct words", counter.distinct(), distinct);
      counter.drop();
    }
  }

  /** Adds a text in pieces, which are this trial's, to an empty trie of ours. */
  static final class Pieces extends WordTrial {
    private final List<Memory> pieces;
    private final long words;
    private WordTrie trie = WordTrie.create();

    Pieces(int threads, String params, Memory text, List<Memory> pieces, long words) {
      super("word-pieces", WordRival.GYRE_TRIE, threads, params, text);
      this.pieces = pieces;
      this.words = words;
    }

    @Override
    long n() {
      return words;
    }

    @Override
    void before() {
      trie.close();
      trie = WordTrie.builder().workers(threads()).build();
    }

    @Override
    void run() {
      for (Memory piece : pieces) {
        trie.add(piece, piece.byteSize());
      }
    }

    @Override
    void after() {
      require("words", trie.total(), words);
    }

    @Override
    public void close() {
      trie.close();
      pieces.forEach(Memory::close);
      super.close();
    }
  }

  /** Looks up as many words as there are distinct ones, by one thread. */
  static final class Lookup extends WordTrial {
    private final List<String> asked;
    private final long expected;
    private long sum;

    Lookup(WordRival rival, String params, Memory text, List<String> asked, long expected) {
      super("word-lookup", rival, 1, params, text);
      counter.prepare(text);
      counter.count(text);
      this.asked = asked;
      this.expected = expected;
    }

    @Override
    long n() {
      return asked.size();
    }

    @Override
    void before() {}

    @Override
    void run() {
      sum = counter.countsOf(asked);
    }

    @Override
    void after() {
      require("counts", sum, expected);
    }
  }

  /** Sums the counts under every pair of letters, by one thread. */
  static final class Prefix extends WordTrial {
    private static final List<String> ASKED = Questions.prefixes();
    private final long expected;
    private long sum;

    Prefix(WordRival rival, Memory text, long expected) {
      super("word-prefix", rival, 1, "letters=2", text);
      counter.prepare(text);
      counter.count(text);
      this.expected = expected;
    }

    @Override
    long n() {
      return ASKED.size();
    }

    @Override
    void before() {}

    @Override
    void run() {
      sum = counter.countsUnder(ASKED);
    }

    @Override
    void after() {
      require("counts", sum, expected);
    }
  }
}
