package dev.gyre.structures.map;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.gyre.atomics.ClosedException;
import dev.gyre.kernels.JvmLauncher;
import dev.gyre.kernels.Kernel;
import dev.gyre.kernels.Launch;
import dev.gyre.kernels.LaunchCancelledException;
import dev.gyre.kernels.LaunchMode;
import dev.gyre.kernels.LaunchShape;
import dev.gyre.kernels.Launcher;
import dev.gyre.structures.ForwardingLauncher;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Supplier;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Who counts words with a map, or combines for it, is told when that was closed. */
@Timeout(60)
class ClosedDuringCountTest {

  private static final MemorySegment TEXT =
      MemorySegment.ofArray("the same words ".repeat(20_000).getBytes(StandardCharsets.US_ASCII));

  /** Does something in place of every launch, and then fails. */
  private static final class FailingLauncher extends ForwardingLauncher {
    private final Runnable before;
    private final Supplier<RuntimeException> failure;

    FailingLauncher(Launcher launcher, Runnable before, Supplier<RuntimeException> failure) {
      super(launcher);
      this.before = before;
      this.failure = failure;
    }

    @Override
    public Launch start(Kernel kernel, LaunchShape shape, LaunchMode mode) {
      before.run();
      throw failure.get();
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aCountThatIsEndedByCloseSaysSo(boolean cancelled) {
    try (JvmLauncher jvm = JvmLauncher.ofWorkers(2)) {
      TextLongMap[] map = new TextLongMap[1];
      boolean[] closes = new boolean[1];
      Supplier<RuntimeException> failure =
          () ->
              cancelled
                  ? new LaunchCancelledException("countWords", jvm.device(), null)
                  : new RejectedExecutionException("shut down");
      Runnable closing =
          () -> {
            if (closes[0]) {
              map[0].close();
            }
          };
      map[0] = TextLongMap.builder().launcher(new FailingLauncher(jvm, closing, failure)).build();
      ThrowingCallable count = () -> map[0].countWords(TEXT, Words.ASCII_LETTERS);
      assertThatThrownBy(count).as("open").isInstanceOf(failure.get().getClass());
      closes[0] = true;
      ClosedException closed = catchThrowableOfType(ClosedException.class, count);
      assertThat(closed).isNotNull();
      // No worker had begun.
      assertThat(closed.soFar(Long.class)).contains(0L);
    }
  }

  @Test
  void aCombinerThatWasClosedTakesNothing() {
    try (TextLongMap map = TextLongMap.create()) {
      TextCombiner combiner = new TextCombiner(map, Apply.ADD);
      combiner.add("kept", 1);
      combiner.close();
      combiner.close();
      assertThatThrownBy(() -> combiner.add("lost", 1)).isInstanceOf(ClosedException.class);
      assertThatThrownBy(() -> combiner.addWords(TEXT, 0, 9, Words.ASCII_LETTERS, 1))
          .isInstanceOf(ClosedException.class);
      assertThatThrownBy(combiner::flush).isInstanceOf(ClosedException.class);
      assertThat(map.asMap()).containsOnlyKeys("kept");
    }
  }

  @Test
  void aCombinerOfAMapThatWasClosedSaysSo() {
    TextLongMap map = TextLongMap.create();
    TextCombiner combiner = new TextCombiner(map, Apply.ADD);
    combiner.add("a word", 1);
    combiner.add("a word that is longer than the others", 1);
    map.close();
    assertThatThrownBy(combiner::flush).isInstanceOf(ClosedException.class);
    assertThatThrownBy(combiner::close).isInstanceOf(ClosedException.class);
    combiner.close();
  }
}
