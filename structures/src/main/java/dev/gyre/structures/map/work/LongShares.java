package dev.gyre.structures.map.work;

import dev.gyre.atomics.IntTwin;
import dev.gyre.kernels.map.MapCodes;
import dev.gyre.structures.map.BulkOptions;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;

/**
 * How the keys of a part of a batch are shared out to the stores that a map is spread over: to
 * which one each belongs, and what became of it there.
 */
@IntTwin
public final class LongShares {

  /** In place of a store: the key is left out. */
  private static final byte NOWHERE = -1;

  private static final byte[] NOT_ASKED = {};

  /** Says to which store a key belongs. */
  @FunctionalInterface
  public interface Home {
    int of(int index);
  }

  /** The store of each key. */
  private final byte[] homes;

  /** By store, how many keys belong there. */
  private final int[] counts;

  /** By store, the outcomes of its keys, if they are asked for. */
  private final byte[][] outcomes;

  /** By store, the next of its keys. */
  private final int[] next;

  private int length;
  private boolean told;

  /** Room for so many keys. */
  public LongShares(int stores, int most) {
    this.homes = new byte[most];
    this.counts = new int[stores];
    this.next = new int[stores];
    this.outcomes = new byte[stores][];
  }

  /** Shares keys out, but for those that a mask leaves out. */
  public void share(int keys, Home home, BulkOptions options, long from) {
    length = keys;
    Arrays.fill(counts, 0);
    boolean masked = options.isMasked();
    for (int i = 0; i < keys; i++) {
      boolean taken = !masked || options.start(from + i) == MapCodes.PENDING;
      int store = taken ? home.of(i) : NOWHERE;
      homes[i] = (byte) store;
      if (taken) {
        counts[store]++;
      }
    }
  }

  /** How many keys belong to a store. */
  public int count(int store) {
    return counts[store];
  }

  /** How many keys were shared out, and left out. */
  public int length() {
    return length;
  }

  /** Which keys belong to a store. */
  public int[] places(int store) {
    int[] places = new int[counts[store]];
    int at = 0;
    for (int i = 0; at < places.length; i++) {
      places[at] = i;
      at += homes[i] == store ? 1 : 0;
    }
    return places;
  }

  /** Begins with keys that were not looked at yet. */
  public void expectOutcomes(boolean asked) {
    told = asked;
    for (int store = 0; store < counts.length; store++) {
      outcomes[store] = asked ? new byte[counts[store]] : NOT_ASKED;
      Arrays.fill(outcomes[store], MapCodes.SKIPPED);
    }
  }

  /** Options with the outcomes of a store, if they are asked for. */
  public BulkOptions withOutcomes(BulkOptions some, int store) {
    return told ? some.outcomes(outcomes[store]) : some;
  }

  /** Copies numbers to those of their stores. */
  public void deal(long[] numbers, long[][] to) {
    Arrays.fill(next, 0);
    for (int i = 0; i < length; i++) {
      int store = homes[i];
      if (store >= 0) {
        to[store][next[store]++] = numbers[i];
      }
    }
  }

  /** What is done with a key. */
  @FunctionalInterface
  public interface Taker {

    /**
     * Does it.
     *
     * @param at which one of its store it is
     */
    void take(int index, int store, int at);
  }

  /** Gives keys to a taker, but for those that were left out. */
  public void forEach(Taker taker) {
    Arrays.fill(next, 0);
    for (int i = 0; i < length; i++) {
      int store = homes[i];
      if (store >= 0) {
        int at = next[store]++;
        if (!told || outcomes[store][at] != MapCodes.SKIPPED) {
          taker.take(i, store, at);
        }
      }
    }
  }

  /** Copies numbers of stores to those of all keys, but for keys that were left out. */
  public void collect(long[][] from, long[] to) {
    forEach((index, store, at) -> to[index] = from[store][at]);
  }

  /** Copies outcomes to those of all keys. */
  public void collectOutcomes(MemorySegment to, long at) {
    Arrays.fill(next, 0);
    for (int i = 0; i < length; i++) {
      int store = homes[i];
      if (store >= 0) {
        to.set(ValueLayout.JAVA_BYTE, at + i, outcomes[store][next[store]++]);
      }
    }
  }
}
