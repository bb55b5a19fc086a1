package dev.gyre.kernels.tornadovm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gyre.atomics.Memory;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Pages stay locked while a launcher copies from them, whichever locked them. */
@Timeout(60)
class LockedMemoriesTest {

  @Test
  void whatIsTouchedIsUnlockedAfterThat() throws InterruptedException {
    try (Memory memory = Memory.ofLongs(1)) {
      AtomicBoolean touched = new AtomicBoolean(true);
      AtomicBoolean tooEarly = new AtomicBoolean();
      CountDownLatch begun = new CountDownLatch(1);
      LockedMemories.add(memory);
      assertThat(LockedMemories.has(memory)).isTrue();
      LockedMemories.hold(List.of(memory));
      LockedMemories.hold(List.of(memory));
      Thread other =
          Thread.ofPlatform()
              .start(
                  () -> {
                    begun.countDown();
                    LockedMemories.remove(memory, () -> tooEarly.set(touched.get()));
                  });
      begun.await();
      LockedMemories.letGo(List.of(memory));
      while (other.getState() == Thread.State.RUNNABLE) {
        Thread.onSpinWait();
      }
      assertThat(LockedMemories.has(memory)).isTrue();
      touched.set(false);
      LockedMemories.letGo(List.of(memory));
      other.join();
      assertThat(tooEarly).isFalse();
      assertThat(LockedMemories.has(memory)).isFalse();
    }
  }
}
