package dev.gyre.structures.map;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gyre.kernels.JvmLauncher;
import dev.gyre.kernels.LaunchShape;
import dev.gyre.kernels.Launcher;
import dev.gyre.kernels.map.ShortText;
import dev.gyre.structures.ForwardingLauncher;
import dev.gyre.structures.Others;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Keys as the bytes that they are. */
@Timeout(120)
class TextBytesTest {

  /** Different keys that are no UTF-8, and come out as one string. */
  private static final byte[][] ODD = {
    {(byte) 0xff},
    {(byte) 0xfe},
    "a long key, no UTF-8 \u00ff".getBytes(StandardCharsets.ISO_8859_1)
  };

  /** A device that is the JVM. */
  private static final class OnJvm extends ForwardingLauncher {

    OnJvm(Launcher launcher) {
      super(launcher, deviceOnJvm(1));
    }

    @Override
    public LaunchShape shapeFor(long items) {
      return LaunchShape.ofThreads(1);
    }
  }

  private static void assertToldApart(TextLongMap map) {
    for (int i = 0; i < ODD.length; i++) {
      assertThat(map.containsKey(ODD[i])).isFalse();
      assertThat(map.getOrDefault(ODD[i], -1)).isEqualTo(-1);
      assertThat(map.putIfAbsent(ODD[i], i)).isEmpty();
      assertThat(map.containsKey(ODD[i])).isTrue();
      assertThat(map.getOrDefault(ODD[i], -1)).isEqualTo(i);
    }
    Map<String, Long> found = new HashMap<>();
    map.forEachBytes(
        (key, value) -> found.put(new String(key, StandardCharsets.ISO_8859_1), value));
    assertThat(found)
        .containsOnly(
            Map.entry("\u00ff", 0L),
            Map.entry("\u00fe", 1L),
            Map.entry("a long key, no UTF-8 \u00ff", 2L));
    Map<String, Long> texts = new HashMap<>();
    map.forEach((key, value) -> texts.merge(key, 1L, Long::sum));
    assertThat(texts)
        .containsOnly(Map.entry("\ufffd", 2L), Map.entry("a long key, no UTF-8 \ufffd", 1L));
  }

  @Test
  void keysThatAreNoTextAreToldApart() {
    try (TextLongMap map = TextLongMap.create()) {
      assertToldApart(map);
    }
    try (Launcher device = new OnJvm(JvmLauncher.ofWorkers(1));
        TextLongMap map = TextLongMap.builder().launcher(device).build()) {
      assertToldApart(map);
    }
  }

  /** Had it asked for the size first, and for that many entries then, inserts would be too many. */
  @Test
  void forEachOnADeviceIsAtOneTime() {
    int rounds = 2_000;
    try (Launcher device = new OnJvm(JvmLauncher.ofWorkers(2));
        TextLongMap map = TextLongMap.builder().launcher(device).build()) {
      AtomicBoolean done = new AtomicBoolean();
      CompletableFuture<Void> inserting =
          Others.start(
              () -> {
                for (long i = 0; i < rounds && !done.get(); i++) {
                  var _ = map.putIfAbsent("key " + i, i);
                }
              });
      try {
        while (!inserting.isDone()) {
          map.forEach((key, value) -> assertThat(key).isEqualTo("key " + value));
        }
      } finally {
        done.set(true);
      }
      inserting.join();
      assertThat(map.size()).isEqualTo(rounds);
    }
  }

  /** The word of bytes, of which those behind the end are 0, byte by byte. */
  private static long word(byte[] bytes, int from, int to) {
    long word = 0;
    for (int i = to - 1; i >= from; i--) {
      word = (word << Byte.SIZE) | (bytes[i] & 0xff);
    }
    return word;
  }

  @Test
  void aWordHasTheBytesOfItsKeyAndNoOthers() {
    byte[] bytes = new byte[17];
    new SplittableRandom(7).nextBytes(bytes);
    for (int length = 0; length <= Long.BYTES; length++) {
      for (int from = 0; from + length <= bytes.length; from++) {
        int to = from + length;
        // Where the array ends with the key, and where it does not.
        for (byte[] array : List.of(bytes, Arrays.copyOf(bytes, to))) {
          assertThat(ShortText.lastWord(array, from, to)).isEqualTo(word(bytes, from, to));
        }
      }
    }
  }
}
