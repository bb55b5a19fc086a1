package dev.gyre.structures.spark;

import dev.gyre.structures.StructureException;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.apache.spark.SparkEnv;
import org.apache.spark.TaskContext;
import org.apache.spark.util.TaskCompletionListener;

/**
 * A task's part of a merge: collects runs on the heap while they fit, writes them merged to a local
 * file otherwise, and merges all at the end.
 */
final class Gathering {

  /** Largest number of files; more are merged to one, so that a block of each fits in memory. */
  private static final int MOST_FILES = 32;

  private final TaskContext task;
  private final Fold fold;
  private final long memory;
  private final TaskMemory granted;
  private final List<byte[]> held = new ArrayList<>();
  private final List<Path> files = new ArrayList<>();
  private final List<RunReader> open = new ArrayList<>();
  private long heldBytes;

  /**
   * Creates an empty collection.
   *
   * @param memory largest number of bytes to hold
   */
  private Gathering(TaskContext task, Fold fold, long memory) {
    this.task = task;
    this.fold = fold;
    this.memory = memory;
    this.granted = TaskMemory.onHeap(task);
    task.addTaskCompletionListener((TaskCompletionListener) _ -> close());
  }

  /** Merges all runs. */
  static RunMerge merge(TaskContext task, Fold fold, long memory, Iterator<byte[]> runs) {
    Gathering gathering = new Gathering(task, fold, memory);
    while (runs.hasNext()) {
      gathering.add(runs.next());
    }
    return gathering.merged();
  }

  private void add(byte[] run) {
    if (!held.isEmpty() && (heldBytes + run.length > memory || !granted.take(run.length))) {
      writeHeld();
      // A single run is on the heap in any case.
      boolean _ = granted.take(run.length);
    } else if (held.isEmpty()) {
      boolean _ = granted.take(run.length);
    }
    held.add(run);
    heldBytes += run.length;
  }

  private void writeHeld() {
    task.killTaskIfInterrupted();
    if (files.size() == MOST_FILES) {
      List<Path> merged = List.copyOf(files);
      write(merged());
      closeReaders();
      merged.forEach(Gathering::delete);
      files.removeAll(merged);
    } else {
      write(new RunMerge(fold, held.stream().map(RunReader::new).toList()));
    }
    task.taskMetrics().incMemoryBytesSpilled(heldBytes);
    held.clear();
    heldBytes = 0;
    granted.freeMemory(granted.getUsed());
  }

  private void write(RunMerge merge) {
    File file = SparkEnv.get().blockManager().diskBlockManager().createTempLocalBlock()._2();
    files.add(file.toPath());
    try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(file.toPath()))) {
      merge.writeTo(out);
    } catch (IOException e) {
      throw new StructureException("run: cannot write " + file + ": " + e, e);
    }
    task.taskMetrics().incDiskBytesSpilled(file.length());
  }

  private RunMerge merged() {
    List<RunReader> all = new ArrayList<>(held.stream().map(RunReader::new).toList());
    for (Path file : files) {
      try {
        RunReader reader =
            new RunReader(new BufferedInputStream(Files.newInputStream(file), 1 << 16));
        open.add(reader);
        all.add(reader);
      } catch (IOException e) {
        throw new StructureException("run: cannot read " + file + ": " + e, e);
      }
    }
    return new RunMerge(fold, all);
  }

  private void closeReaders() {
    open.forEach(RunReader::close);
    open.clear();
  }

  private static void delete(Path file) {
    try {
      boolean _ = Files.deleteIfExists(file);
    } catch (IOException e) {
      throw new StructureException("run: cannot delete " + file + ": " + e, e);
    }
  }

  private void close() {
    closeReaders();
    files.forEach(Gathering::delete);
    held.clear();
  }
}
