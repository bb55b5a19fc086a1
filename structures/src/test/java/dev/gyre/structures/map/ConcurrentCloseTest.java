package dev.gyre.structures.map;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gyre.atomics.ClosedException;
import dev.gyre.structures.Waiting;
import dev.gyre.structures.map.table.MapSettings;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Maps that are closed beside operations. */
class ConcurrentCloseTest {

  private static final int LONG_TEXT = 1 << 18;

  /** The map's launcher is its own, and is closed when the launch at hand has ended. */
  @Test
  void beforeTheLaunchThatCountsWords() {
    AtomicReference<@Nullable TextLongMap> built = new AtomicReference<>();
    HookedLauncher launcher =
        new HookedLauncher(
            () -> {
              TextLongMap map = built.get();
              if (map != null) {
                HookedLauncher.startAndLetWait(Thread.ofPlatform().unstarted(map::close));
              }
            });
    TextLongMap map =
        new TextLongMap(
            new MapSettings(
                new MapSettings.Options(Layout.LINE, false, 0.5, Waiting.AUTO, 64, false),
                16,
                1,
                null,
                1,
                launcher,
                true,
                null,
                ""));
    built.set(map);
    byte[] text = new byte[LONG_TEXT];
    for (int i = 0; i < text.length; i++) {
      text[i] = (byte) (i % 9 == 0 ? ' ' : 'a' + i % 25);
    }
    assertThatThrownBy(() -> map.countWords(MemorySegment.ofArray(text), Words.NOT_BLANK))
        .isInstanceOf(ClosedException.class)
        .hasMessageContaining("TextLongMap");
    map.close();
  }
}
