package dev.gyre.bench.cli;

import java.nio.channels.FileChannel;
import java.util.concurrent.CancellationException;

/** Writes what threads make of the chunks of a text to a file, in the order of the chunks. */
final class OrderedOutput {

  private final FileChannel file;
  private long turn;
  private boolean stopped;

  OrderedOutput(FileChannel file) {
    this.file = file;
  }

  /** Writes some records of a chunk, after all earlier chunks; waits for these. */
  void write(long chunk, CsvBytes records) {
    if (await(chunk)) {
      records.writeTo(file);
    }
  }

  /** Writes the last records of a chunk. */
  void end(long chunk, CsvBytes records) {
    write(chunk, records);
    synchronized (this) {
      turn++;
      notifyAll();
    }
  }

  private synchronized boolean await(long chunk) {
    while (turn != chunk && !stopped) {
      try {
        wait();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new CancellationException("interrupted while records waited for earlier ones");
      }
    }
    return !stopped;
  }

  /** Returns the number of the chunk that is due. */
  synchronized long turn() {
    return turn;
  }

  /** Lets no thread wait for an earlier chunk any longer, because of an error. */
  synchronized void stop() {
    stopped = true;
    notifyAll();
  }
}
