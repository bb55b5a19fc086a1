package dev.gyre.structures.map.work;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gyre.structures.Leaving;
import dev.gyre.structures.map.TextKeys;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;
import org.junit.jupiter.params.provider.MethodSource;

/** Updates of single keys beside operations that want none of them. */
class GateTest {

  /** Keeps what it was told. */
  private static final class Told extends Turnstile {
    private final List<Boolean> barred = new ArrayList<>();

    @Override
    void bar(boolean shut) {
      barred.add(shut);
      super.bar(shut);
    }
  }

  /**
   * One who found nobody inside must not let anybody in before it is inside itself: who enters in
   * between would be there beside it.
   */
  @ParameterizedTest
  @EnumSource(
      value = Gate.Mode.class,
      mode = Mode.INCLUDE,
      names = {"EXCLUSIVE", "QUIESCENT_READ"})
  void singleKeysStayBarredFromTheFirstLookOn(Gate.Mode mode) {
    Told singles = new Told();
    Gate gate = new Gate("map", singles);
    Consumer<Gate> enter =
        mode == Gate.Mode.EXCLUSIVE ? Gate::enterExclusive : Gate::enterQuiescentRead;
    enter.accept(gate);
    assertThat(singles.barred).isNotEmpty().doesNotContain(false);
    assertThat(singles.enter()).isEqualTo(Turnstile.BARRED);
    gate.leave(mode);
    assertThat(singles.barred.getLast()).isFalse();
    assertThat(singles.enter()).isNotEqualTo(Turnstile.BARRED);
  }

  /** Who is inside comes out where there is no heap left: what it leaves by is there before. */
  @Test
  void toLeaveTakesNoHeap() {
    Gate gate = new Gate("map");
    Residence residence = new Residence();
    try (Leaving once = gate.readQuiescent();
        Leaving again = gate.readQuiescent();
        Leaving stay = residence.stay();
        Leaving longer = residence.stay();
        TextKeys keys = TextKeys.of(List.of("a"));
        Leaving use = keys.use();
        Leaving more = keys.use()) {
      assertThat(again).isSameAs(once);
      assertThat(longer).isSameAs(stay);
      assertThat(more).isSameAs(use);
    }
    // All have left.
    gate.exclusively(() -> residence.move(() -> {}));
  }

  /** Enters on a thread of its own; returns that when it waits, or is inside. */
  private static Thread entering(Gate gate, Gate.Mode mode, List<Gate.Mode> order)
      throws InterruptedException {
    Thread thread =
        Thread.ofPlatform()
            .start(
                () -> {
                  switch (mode) {
                    case UPDATE -> gate.enterUpdate();
                    case EXCLUSIVE -> gate.enterExclusive();
                    case SOLE_UPDATE -> gate.enterSole();
                    default -> gate.enterQuiescentRead();
                  }
                  synchronized (order) {
                    order.add(mode);
                  }
                  gate.leave(mode);
                });
    while (thread.getState() != Thread.State.WAITING && thread.isAlive()) {
      Thread.sleep(1);
    }
    return thread;
  }

  static Stream<List<Gate.Mode>> turns() {
    return Stream.of(
        List.of(Gate.Mode.UPDATE, Gate.Mode.QUIESCENT_READ),
        List.of(Gate.Mode.QUIESCENT_READ, Gate.Mode.UPDATE),
        List.of(Gate.Mode.UPDATE, Gate.Mode.EXCLUSIVE, Gate.Mode.UPDATE),
        List.of(Gate.Mode.EXCLUSIVE, Gate.Mode.UPDATE, Gate.Mode.EXCLUSIVE),
        List.of(Gate.Mode.EXCLUSIVE, Gate.Mode.QUIESCENT_READ, Gate.Mode.EXCLUSIVE),
        List.of(Gate.Mode.UPDATE, Gate.Mode.QUIESCENT_READ, Gate.Mode.UPDATE),
        List.of(Gate.Mode.UPDATE, Gate.Mode.SOLE_UPDATE, Gate.Mode.UPDATE),
        List.of(Gate.Mode.SOLE_UPDATE, Gate.Mode.SOLE_UPDATE, Gate.Mode.QUIESCENT_READ),
        List.of(Gate.Mode.SOLE_UPDATE, Gate.Mode.EXCLUSIVE, Gate.Mode.SOLE_UPDATE));
  }

  /** So that those who come again and again keep nobody out. */
  @ParameterizedTest
  @MethodSource("turns")
  @Timeout(60)
  void whoMayNotBeInsideTogetherEnterInTheOrderInWhichTheyCame(List<Gate.Mode> modes)
      throws InterruptedException {
    for (Gate.Mode first : List.of(Gate.Mode.QUIESCENT_READ, Gate.Mode.EXCLUSIVE)) {
      Gate gate = new Gate("map");
      List<Gate.Mode> order = new ArrayList<>();
      if (first == Gate.Mode.EXCLUSIVE) {
        gate.enterExclusive();
      } else {
        gate.enterQuiescentRead();
      }
      List<Thread> threads = new ArrayList<>();
      for (Gate.Mode mode : modes) {
        threads.add(entering(gate, mode, order));
      }
      gate.leave(first);
      for (Thread thread : threads) {
        thread.join();
      }
      assertThat(order).as("beside %s", first).isEqualTo(modes);
    }
  }

  /** Else readers that come again and again would keep it out. */
  @Test
  @Timeout(60)
  void aReaderBesideASoleUpdateThatWaitsIsAConcurrentOne() throws InterruptedException {
    Gate gate = new Gate("map");
    gate.enterQuiescentRead();
    List<Gate.Mode> order = new ArrayList<>();
    Thread sole = entering(gate, Gate.Mode.SOLE_UPDATE, order);
    Gate.Mode mode = gate.enterRead();
    assertThat(mode).isEqualTo(Gate.Mode.CONCURRENT_READ);
    gate.leave(Gate.Mode.QUIESCENT_READ);
    sole.join();
    assertThat(order).containsExactly(Gate.Mode.SOLE_UPDATE);
    gate.leave(mode);
  }

  /** A single key waits for those who came before it, and not for those who came later. */
  @Test
  @Timeout(60)
  void aSingleKeyHasItsTurn() throws InterruptedException {
    Gate gate = new Gate("map");
    gate.enterQuiescentRead();
    List<Gate.Mode> order = new ArrayList<>();
    Thread single =
        Thread.ofPlatform()
            .start(
                () -> {
                  int stripe = gate.enterSingle();
                  synchronized (order) {
                    order.add(Gate.Mode.UPDATE);
                  }
                  gate.leaveSingle(stripe);
                });
    while (single.getState() != Thread.State.WAITING) {
      Thread.sleep(1);
    }
    Thread reader = entering(gate, Gate.Mode.QUIESCENT_READ, order);
    gate.leave(Gate.Mode.QUIESCENT_READ);
    single.join();
    reader.join();
    assertThat(order).containsExactly(Gate.Mode.UPDATE, Gate.Mode.QUIESCENT_READ);
  }

  /** Else threads whose updates are short would wait for each other again and again. */
  @Test
  void ofShortUpdatesNoneIsTheSoleOneForAWhileAfterTheyMet() {
    Gate gate = new Gate("map");
    assertThat(entersSoleForShort(gate)).isTrue();
    gate.enterUpdate();
    assertThat(entersSoleForShort(gate)).isFalse();
    gate.leave(Gate.Mode.UPDATE);
    assertThat(entersSoleForShort(gate)).isFalse();
    assertThat(gate.tryEnterSole()).as("a long one").isTrue();
    gate.leave(Gate.Mode.SOLE_UPDATE);
    assertThat(besideOthers(gate)).isBetween(2, 1000);
    assertThat(entersSoleForShort(gate)).isTrue();
  }

  /** Each time they meet again costs all of them a wait. */
  @Test
  void theMoreOftenShortUpdatesMeetTheLongerNoneIsTheSoleOne() {
    Gate gate = new Gate("map");
    meet(gate);
    int first = besideOthers(gate);
    meet(gate);
    assertThat(besideOthers(gate)).isEqualTo(2 * first);
    for (int i = 0; i < 100; i++) {
      meet(gate);
      assertThat(besideOthers(gate)).isLessThan(10_000);
    }
    for (int i = 0; i < 1000; i++) {
      assertThat(entersSoleForShort(gate)).isTrue();
    }
    meet(gate);
    assertThat(besideOthers(gate)).as("after it was alone for long").isLessThanOrEqualTo(first);
  }

  private static void meet(Gate gate) {
    gate.enterUpdate();
    assertThat(entersSoleForShort(gate)).isFalse();
    gate.leave(Gate.Mode.UPDATE);
  }

  /** How many short updates go beside others before one is the sole one, nobody being there. */
  private static int besideOthers(Gate gate) {
    int beside = 0;
    while (!entersSoleForShort(gate)) {
      beside++;
    }
    return beside;
  }

  private static boolean entersSoleForShort(Gate gate) {
    boolean entered = gate.tryEnterSoleForShort();
    if (entered) {
      gate.leave(Gate.Mode.SOLE_UPDATE);
    }
    return entered;
  }
}
