package dev.gyre.structures.map.work;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gyre.structures.Others;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Threads that meet in one stripe, and one that looks whether any is inside. */
@Timeout(120)
class TurnstileTest {

  /** Threads of one stripe, not yet started. */
  private static List<Thread> ofOneStripe(int count, Runnable work) {
    List<Thread> threads = new ArrayList<>();
    while (threads.size() < count) {
      Thread thread = Thread.ofPlatform().unstarted(work);
      if (threads.isEmpty()
          || Turnstile.stripeOf(thread) == Turnstile.stripeOf(threads.getFirst())) {
        threads.add(thread);
      }
    }
    return threads;
  }

  private static void joined(List<Thread> threads) {
    for (Thread thread : threads) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
    }
  }

  @Test
  void whoFindsSomebodyInItsStripeIsNotAlone() {
    Turnstile singles = new Turnstile();
    int first = singles.enter();
    int second = singles.enter();
    assertThat(Turnstile.isAlone(first)).isTrue();
    assertThat(Turnstile.isAlone(second)).isFalse();
    singles.give(first, 5);
    assertThat(singles.take(second, 1)).isZero();
    assertThat(singles.leave(first)).isFalse();
    int third = singles.enter();
    assertThat(Turnstile.isAlone(third)).as("beside the second").isFalse();
    assertThat(singles.leave(second) || singles.leave(third)).isFalse();
    assertThat(singles.isEmpty()).isTrue();
    int fourth = singles.enter();
    assertThat(singles.take(fourth, 9)).isEqualTo(5);
    assertThat(singles.take(fourth, 9)).isZero();
    assertThat(singles.ahead()).isZero();
  }

  @Test
  void whoIsBarredIsNotAlone() {
    assertThat(Turnstile.isAlone(Turnstile.BARRED)).isFalse();
  }

  @Test
  void roomIsFetchedWhereNobodyIs() {
    Turnstile singles = new Turnstile();
    int pass = singles.enter();
    singles.give(pass, 5);
    assertThat(singles.fetch()).as("of one who is inside").isZero();
    assertThat(singles.ahead()).isEqualTo(5);
    assertThat(singles.leave(pass)).isFalse();
    assertThat(singles.fetch()).isEqualTo(5);
    assertThat(singles.ahead()).isZero();
    assertThat(singles.isEmpty()).isTrue();
  }

  /** All stripes are looked at, whoever came by them. */
  @Test
  void whoeverIsInsideIsSeen() {
    for (int i = 0; i < 1_000; i++) {
      Turnstile singles = new Turnstile();
      int[] pass = new int[1];
      Thread thread = Thread.ofPlatform().start(() -> pass[0] = singles.enter());
      joined(List.of(thread));
      assertThat(singles.isEmpty()).isFalse();
      assertThat(singles.leave(pass[0])).isFalse();
      assertThat(singles.isEmpty()).isTrue();
    }
  }

  /** Room of one stripe, which three threads use, a fourth fetches, and a fifth counts. */
  @Test
  void noRoomOfAStripeIsLostOrUsedTwice() {
    Turnstile singles = new Turnstile();
    AtomicLong given = new AtomicLong();
    AtomicLong used = new AtomicLong();
    AtomicBoolean done = new AtomicBoolean();
    List<Thread> threads =
        ofOneStripe(
            3,
            () -> {
              for (int i = 0; i < 200_000; i++) {
                int pass = singles.enter();
                if (singles.take(pass, 1) > 0) {
                  if (i % 7 == 0) {
                    singles.give(pass, 1);
                  } else {
                    used.incrementAndGet();
                  }
                } else if (Turnstile.isAlone(pass)) {
                  given.addAndGet(8);
                  singles.give(pass, 8);
                }
                boolean _ = singles.leave(pass);
              }
            });
    CompletableFuture<Void> beside =
        Others.start(
            () -> {
              while (!done.get()) {
                used.addAndGet(singles.fetch());
                assertThat(singles.ahead()).isBetween(0L, 8L);
              }
            });
    threads.forEach(Thread::start);
    joined(threads);
    done.set(true);
    beside.join();
    assertThat(given).hasPositiveValue();
    assertThat(used.get() + singles.ahead()).isEqualTo(given.get());
  }

  /** In a new turnstile, of which no stripe is in the list yet. */
  @Test
  void whoEntersFirstIsSeenByWhoBars() throws InterruptedException {
    for (int i = 0; i < 20_000; i++) {
      Turnstile singles = new Turnstile();
      AtomicBoolean inside = new AtomicBoolean();
      AtomicBoolean go = new AtomicBoolean();
      Thread other =
          Thread.ofVirtual()
              .start(
                  () -> {
                    while (!go.get()) {
                      Thread.onSpinWait();
                    }
                    inside.set(singles.enter() != Turnstile.BARRED);
                  });
      go.set(true);
      singles.bar(true);
      boolean alone = singles.isEmpty();
      other.join();
      assertThat(alone && inside.get()).as("turn %d", i).isFalse();
    }
  }
}
