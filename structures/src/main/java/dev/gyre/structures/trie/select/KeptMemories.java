package dev.gyre.structures.trie.select;

import dev.gyre.atomics.Memory;
import dev.gyre.kernels.Launcher;
import dev.gyre.structures.SpentMemories;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Collections;
import org.jspecify.annotations.Nullable;

/** Memories for answers, kept for further questions: new ones cost a device's driver time. */
final class KeptMemories implements AutoCloseable {

  private static final int SURVEY = 2;
  private static final int STEPS = 3;
  private static final int MEMORIES = 4;

  private final SpentMemories spent = new SpentMemories();
  private final @Nullable Memory[] all = new @Nullable Memory[MEMORIES];
  private volatile long bytes;

  /** A memory of a number below {@value #SURVEY}, which the device need not be sent. */
  Memory memory(int number, long atLeast, Launcher launcher) {
    Memory memory = all[number];
    if (memory == null || memory.byteSize() < atLeast) {
      memory = make(number, atLeast);
      launcher.clear(memory);
    }
    return memory;
  }

  /** A survey of so many longs, all 0. */
  Memory survey(int longs, Launcher launcher) {
    Memory memory = all[SURVEY];
    if (memory == null) {
      memory = make(SURVEY, (long) longs * Long.BYTES);
    }
    memory.segment().fill((byte) 0);
    launcher.hostWrote(memory);
    return memory;
  }

  /** Steps, to be sent to the device. */
  Memory steps(byte[] steps, Launcher launcher) {
    Memory memory = all[STEPS];
    if (memory == null || memory.byteSize() < steps.length) {
      memory = make(STEPS, Math.max(64, steps.length));
    }
    MemorySegment.copy(MemorySegment.ofArray(steps), 0, memory.segment(), 0, steps.length);
    launcher.hostWrote(memory);
    return memory;
  }

  private Memory make(int number, long size) {
    Memory last = all[number];
    all[number] = null;
    spent.free(Collections.singletonList(last));
    Memory memory = Memory.ofBytes(size);
    all[number] = memory;
    count();
    return memory;
  }

  private void count() {
    long sum = 0;
    for (Memory memory : all) {
      sum += memory == null ? 0 : memory.byteSize();
    }
    bytes = sum;
  }

  /** Bytes that are kept; any thread may ask. */
  long byteSize() {
    return bytes;
  }

  /** Keeps nothing; what is in use is freed when this is closed. */
  void drop() {
    var last = Arrays.asList(all.clone());
    Arrays.fill(all, null);
    spent.free(last);
    count();
  }

  @Override
  public void close() {
    try (spent) {
      drop();
    }
  }
}
