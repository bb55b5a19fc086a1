package dev.gyre.bench.measure;

import dev.gyre.atomics.Memory;
import dev.gyre.bench.map.RivalMap;
import dev.gyre.bench.map.RivalSet;
import dev.gyre.bench.words.RivalCounter;

/** A structure whose memory is measured. */
interface Filled extends AutoCloseable {

  /** Keys of a call. */
  int CALL = 1 << 12;

  /** Puts entries in; returns how many there are. */
  long fill();

  /** Bytes outside the heap. */
  long bytesOutside();

  @Override
  void close();

  /** Keys, or values, from one (inclusive) to another (exclusive): of a copy that nobody keeps. */
  @FunctionalInterface
  interface Part<A> {
    A of(int from, int to);
  }

  /** A map of so many numbers. */
  record OfMap<A>(RivalMap<A> map, Part<A> keys, Part<A> values, int entries) implements Filled {

    @Override
    public long fill() {
      map.empty();
      long inserted = 0;
      for (int at = 0; at < entries; at += CALL) {
        int to = Math.min(entries, at + CALL);
        inserted += map.insert(keys.of(at, to), values.of(at, to));
      }
      return inserted;
    }

    @Override
    public long bytesOutside() {
      return map.bytesOutside();
    }

    @Override
    public void close() {
      map.drop();
      map.close();
    }
  }

  /** A set of so many keys. */
  record OfSet<A>(RivalSet<A> set, Part<A> keys, int entries) implements Filled {

    @Override
    public long fill() {
      long added = 0;
      for (int at = 0; at < entries; at += CALL) {
        added += set.add(keys.of(at, Math.min(entries, at + CALL)));
      }
      return added;
    }

    @Override
    public long bytesOutside() {
      return set.bytesOutside();
    }

    @Override
    public void close() {
      set.close();
    }
  }

  /** Counts of the words of a text. */
  record OfWords(RivalCounter counter, Memory text) implements Filled {

    @Override
    public long fill() {
      counter.prepare(text);
      counter.count(text);
      return counter.distinct();
    }

    @Override
    public long bytesOutside() {
      return counter.bytesOutside();
    }

    @Override
    public void close() {
      counter.close();
    }
  }
}
