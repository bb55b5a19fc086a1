package dev.gyre.structures.spark;

import dev.gyre.structures.StructureException;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Arrays;
import java.util.Collection;
import java.util.PriorityQueue;

/** Merges runs as streams: entries in key order, each key once, with its combined value. */
final class RunMerge {

  private final Fold fold;
  private final PriorityQueue<RunReader> heads = new PriorityQueue<>(RunReader::compareKeys);
  private byte[] key = new byte[32];
  private int length;
  private long value;

  /** Creates a merge of runs, which the caller closes. */
  RunMerge(Fold fold, Collection<RunReader> runs) {
    this.fold = fold;
    runs.forEach(this::advance);
  }

  /** Moves to the next key; returns whether there is one. */
  boolean next() {
    RunReader head = heads.poll();
    if (head == null) {
      return false;
    }
    length = head.length();
    if (key.length < length) {
      key = new byte[(int) Math.min(Integer.MAX_VALUE - 64, 2L * length)];
    }
    System.arraycopy(head.key(), 0, key, 0, length);
    value = head.value();
    advance(head);
    for (head = heads.peek(); head != null && isKeyOf(head); head = heads.peek()) {
      value = fold.of(value, head.value());
      advance(heads.remove());
    }
    return true;
  }

  private boolean isKeyOf(RunReader run) {
    return Arrays.equals(key, 0, length, run.key(), 0, run.length());
  }

  private void advance(RunReader run) {
    if (run.next()) {
      heads.add(run);
    }
  }

  /** Returns the key in an array that the next entry reuses. */
  byte[] key() {
    return key;
  }

  /** Returns the length of the key, in bytes. */
  int length() {
    return length;
  }

  /** Returns the value. */
  long value() {
    return value;
  }

  /** Writes the rest as one run. */
  void writeTo(OutputStream out) {
    RunWriter writer = new RunWriter();
    try {
      while (next()) {
        writer.add(key, length, value);
        if (writer.isFull()) {
          out.write(writer.take());
        }
      }
      if (!writer.isEmpty()) {
        out.write(writer.take());
      }
    } catch (IOException e) {
      throw new StructureException("run: cannot be written: " + e, e);
    }
  }
}
