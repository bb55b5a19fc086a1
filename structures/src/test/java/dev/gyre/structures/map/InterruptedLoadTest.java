package dev.gyre.structures.map;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gyre.atomics.DeviceLongs;
import dev.gyre.atomics.Memory;
import dev.gyre.kernels.LaunchCancelledException;
import dev.gyre.kernels.map.Text;
import dev.gyre.kernels.map.TextHash;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An interrupt while a text map is loaded. */
class InterruptedLoadTest {

  private static final String KEY = "the key whose hash interrupts";

  /** Several workers load a table of so many keys. */
  private static final int CAPACITY = 1 << 14;

  /** More polls than a thread spins before it looks for an interrupt. */
  private static final int POLLS = 80;

  /**
   * Interrupts the thread that hashes {@link #KEY}.
   *
   * @param polls receives the largest number of polls after a wait; see {@link DeviceLongs#pause}
   */
  record Interrupting(DeviceLongs polls) implements TextHash {
    @Override
    public long hash(Text key, long seed) {
      if (key.length() == KEY.length()) {
        Thread.currentThread().interrupt();
        polls.set(0, Math.max(polls.get(0), polls.pause(0, POLLS)));
      }
      return key.word(0) * 31 + key.length() + seed;
    }
  }

  /** If it ended the wait for a slot that another worker claimed, the file would seem corrupted. */
  @Test
  void doesNotEndTheWaitsOfTheLoad(@TempDir Path folder) {
    Path file = folder.resolve("map");
    try (Memory memory = Memory.ofLongs(1)) {
      Interrupting hash = new Interrupting(DeviceLongs.of(memory));
      try (TextLongMap map =
          TextLongMap.builder().capacity(CAPACITY).workers(2).textHash(hash).build()) {
        map.put(KEY, 7);
        assertThat(hash.polls.get(0)).as("without a load").isEqualTo(Long.MAX_VALUE);
        assertThat(Thread.interrupted()).isTrue();
        map.save(file);
      }
      hash.polls.set(0, 0);
      try (TextLongMap map = TextLongMap.builder().workers(2).textHash(hash).load(file)) {
        assertThat(map.size()).isEqualTo(1);
      } catch (LaunchCancelledException e) {
        // The interrupted worker was this thread.
      } finally {
        boolean _ = Thread.interrupted();
      }
      assertThat(hash.polls.get(0)).isEqualTo(POLLS + 1);
    }
  }
}
