package dev.gyre.structures;

import dev.gyre.atomics.Internal;
import dev.gyre.atomics.Memory;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Memories that operations of a structure use, by number. They are kept for later operations, since
 * a device's driver takes about as long to make one as to copy a text.
 */
@Internal
public final class MemoryCache implements AutoCloseable {

  private final RetiredMemories spent = new RetiredMemories();

  // Guarded by this.
  private final @Nullable Memory[] all;

  /** Keeps nothing yet. */
  public MemoryCache(int memories) {
    this.all = new @Nullable Memory[memories];
  }

  /** Returns a memory of at least so many bytes: the one that is kept, or a new one. */
  public Memory get(int number, long atLeast) {
    return get(number, atLeast, _ -> {});
  }

  /** Returns a memory as {@link #get(int, long)} does, and tells a listener of a new one. */
  public synchronized Memory get(int number, long atLeast, Consumer<Memory> whenNew) {
    Memory memory = all[number];
    if (memory == null || memory.byteSize() < atLeast) {
      // Freed before the larger one is made: there may not be enough memory for both.
      drop(number);
      memory = Memory.ofBytes(atLeast);
      all[number] = memory;
      whenNew.accept(memory);
    }
    return memory;
  }

  /** Returns how long a memory is; 0 if none is kept. */
  public synchronized long byteSize(int number) {
    Memory memory = all[number];
    return memory == null ? 0 : memory.byteSize();
  }

  /** Returns how many bytes are kept in all. */
  public synchronized long byteSize() {
    long bytes = 0;
    for (int number = 0; number < all.length; number++) {
      bytes += byteSize(number);
    }
    return bytes;
  }

  /** Keeps a memory no longer; if it is in use, it is freed when this is closed. */
  public synchronized void drop(int number) {
    Memory last = all[number];
    all[number] = null;
    spent.free(Collections.singletonList(last));
  }

  /** Keeps nothing; what is in use is freed when this is closed. */
  public synchronized void drop() {
    List<@Nullable Memory> last = Arrays.asList(all.clone());
    Arrays.fill(all, null);
    spent.free(last);
  }

  /**
   * Keeps nothing any more; may be called again.
   *
   * @throws dev.gyre.atomics.MemoryInUseException if some is still in use
   */
  @Override
  public void close() {
    try (spent) {
      drop();
    }
  }
}
