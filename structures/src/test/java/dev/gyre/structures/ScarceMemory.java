package dev.gyre.structures;

import dev.gyre.atomics.Memory;
import dev.gyre.atomics.MemoryExhaustedException;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Leaves next to nothing of the off-heap memory that the process may hold, until it is closed. It
 * maps files with nothing in them, so it takes no memory of the machine.
 */
public final class ScarceMemory implements AutoCloseable {

  private static final long LARGEST = 1L << 40;
  private static final long LEFT = 1 << 19;

  private final List<Memory> taken = new ArrayList<>();

  private ScarceMemory() {}

  /** Takes all memory but less than a MiB. */
  public static ScarceMemory take(Path folder) {
    ScarceMemory scarce = new ScarceMemory();
    for (long bytes = LARGEST; bytes >= LEFT; bytes /= 2) {
      scarce.take(folder, bytes);
    }
    return scarce;
  }

  private void take(Path folder, long bytes) {
    try {
      Path file = Files.createTempFile(folder, "nothing", "");
      try (RandomAccessFile sparse = new RandomAccessFile(file.toFile(), "rw")) {
        sparse.setLength(bytes);
        taken.add(Memory.ofMapped(sparse.getChannel()));
      } catch (MemoryExhaustedException e) {
        Files.delete(file);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    taken.forEach(Memory::close);
  }
}
