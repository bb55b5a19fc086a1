package dev.gyre.structures.map;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gyre.atomics.ClosedException;
import dev.gyre.structures.SavedFileException;
import dev.gyre.structures.map.MapAdapter.Scale;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalLong;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Operations on single text keys, alone and beside each other and growth; files. */
@Timeout(180)
class TextSingleKeyTest {

  @TempDir private Path folder;

  private static byte[] bytes(String key) {
    return key.getBytes(StandardCharsets.UTF_8);
  }

  private static OptionalLong optional(@Nullable Long value) {
    return value == null ? OptionalLong.empty() : OptionalLong.of(value);
  }

  private static String key(int number) {
    return "k".repeat(number % 23) + number;
  }

  @Test
  void doesWhatTheMapOfTheLibraryDoes() {
    SplittableRandom random = new SplittableRandom(3);
    Map<String, Long> expected = new HashMap<>();
    try (TextLongMap map = TextLongMap.builder().capacity(1).textBytes(1).build()) {
      var view = map.asMap();
      for (int i = 0; i < 30_000; i++) {
        String key = key(random.nextInt(5_000));
        long value = random.nextInt();
        Long before = expected.get(key);
        switch (random.nextInt(10)) {
          case 4 -> {
            assertThat(map.put(key, value)).isEqualTo(optional(before));
            expected.put(key, value);
          }
          case 5 -> {
            assertThat(map.replace(bytes(key), value)).isEqualTo(optional(before));
            expected.replace(key, value);
          }
          case 6 -> {
            long old = before == null || random.nextBoolean() ? value + 1 : before;
            assertThat(map.replace(key, old, value)).isEqualTo(expected.replace(key, old, value));
          }
          case 7 ->
              assertThat(map.put(bytes(key), value)).isEqualTo(optional(expected.put(key, value)));
          case 0 -> {
            assertThat(view.putIfAbsent(key, value)).isEqualTo(before);
            expected.putIfAbsent(key, value);
          }
          case 1 ->
              assertThat(map.merge(key, value, Apply.MAX))
                  .isEqualTo(expected.merge(key, value, Math::max));
          case 8 ->
              assertThat(map.merge(key, value, Apply.XOR))
                  .isEqualTo(expected.merge(key, value, (a, b) -> a ^ b));
          case 9 ->
              assertThat(map.merge(key, value, Scale.BY_ODD))
                  .isEqualTo(expected.merge(key, value, Scale.BY_ODD::apply));
          case 2 ->
              assertThat(view.merge(key, value, (a, b) -> 3 * a - b))
                  .isEqualTo(expected.merge(key, value, (a, b) -> 3 * a - b));
          default -> assertThat(view.get(key)).isEqualTo(before);
        }
      }
      assertThat(view).isEqualTo(expected).doesNotContainKey("\uD800").doesNotContainKey(null);
      assertThat(map.replace("\uD800", 1)).isEmpty();
      assertThat(map.replace("\uD800", 1, 2)).isFalse();
    }
  }

  @Test
  void replacesTheValueOfAKeyInAnySlot() {
    for (int seed = 0; seed < 4; seed++) {
      try (TextLongMap map =
          TextLongMap.builder().loadFactor(1.0).fixedCapacity(100).seed(seed).build()) {
        for (int number = 0; number < 100; number++) {
          assertThat(map.putIfAbsent(key(number), number)).isEmpty();
          assertThat(map.replace(key(number), -1)).hasValue(number);
          assertThat(map.replace(key(number), -1, number)).isTrue();
        }
      }
    }
  }

  @Test
  void noAdditionIsLostWhileTableAndArenaGrow() throws InterruptedException {
    int keys = 4_000;
    int rounds = 5;
    ConcurrentLinkedQueue<Throwable> failed = new ConcurrentLinkedQueue<>();
    AtomicBoolean done = new AtomicBoolean();
    try (TextLongMap map = TextLongMap.builder().capacity(1).textBytes(1).build()) {
      Runnable adder =
          () -> {
            for (int i = 0; i < rounds * keys; i++) {
              map.merge(key(i % keys), 1, Apply.ADD);
            }
          };
      Runnable reader =
          () -> {
            long[] last = new long[keys];
            while (!done.get()) {
              for (int i = 0; i < keys; i++) {
                long now = map.getOrDefault(key(i), 0);
                assertThat(now).isGreaterThanOrEqualTo(last[i]);
                last[i] = now;
              }
              map.forEach((key, value) -> assertThat(key).matches("k*\\d+"));
            }
          };
      Thread[] threads = {start(adder, failed), start(adder, failed), start(adder, failed)};
      Thread reading = start(reader, failed);
      for (Thread thread : threads) {
        thread.join();
      }
      done.set(true);
      reading.join();
      assertThat(failed).isEmpty();
      assertThat(map.size()).isEqualTo(keys);
      map.forEach((key, value) -> assertThat(value).as(key).isEqualTo(3L * rounds));
    }
  }

  @Test
  void noKeyIsMissedForStringsThatWereAbsent() throws InterruptedException {
    int keys = 3_000;
    int atOnce = 300;
    ConcurrentLinkedQueue<Throwable> failed = new ConcurrentLinkedQueue<>();
    AtomicBoolean done = new AtomicBoolean();
    AtomicInteger inserted = new AtomicInteger();
    try (TextLongMap map = TextLongMap.builder().capacity(1).textBytes(1).build()) {
      Runnable reader =
          () -> {
            int seen = 0;
            while (!done.get()) {
              int from = Math.max(seen - atOnce, 0);
              seen = inserted.get();
              for (int i = from; i < seen; i++) {
                assertThat(map.get(key(i))).as("%d", i).hasValue(i);
              }
              map.get("absent" + seen);
            }
          };
      Thread reading = start(reader, failed);
      for (int i = 0; i < keys; i++) {
        assertThat(map.get(key(i))).isEmpty();
        assertThat(map.putIfAbsent(key(i), i)).isEmpty();
        inserted.set(i + 1);
        if (i % atOnce == 0) {
          // So many that the table is looked through for the hashes of its keys.
          for (int other = 0; other < 8 * map.capacity() + 2_000; other++) {
            assertThat(map.containsKey("other" + other)).isFalse();
          }
        }
      }
      done.set(true);
      reading.join();
      assertThat(failed).isEmpty();
    }
  }

  private static Thread start(Runnable task, ConcurrentLinkedQueue<Throwable> failed) {
    return Thread.ofPlatform()
        .start(
            () -> {
              try {
                task.run();
              } catch (Throwable e) {
                failed.add(e);
              }
            });
  }

  @Test
  void comesBackFromAFile() {
    Path file = folder.resolve("map");
    try (TextLongMap map = TextLongMap.create()) {
      for (int i = 0; i < 5_000; i++) {
        var _ = map.putIfAbsent(key(i), i);
      }
      map.save(file);
      try (TextLongMap loaded = TextLongMap.load(file)) {
        assertThat(loaded.asMap()).isEqualTo(map.asMap());
        for (int i = 4_000; i < 9_000; i++) {
          var _ = loaded.merge(key(i), 1, Apply.ADD);
        }
        assertThat(loaded.size()).isEqualTo(9_000);
        assertThat(loaded.get(key(4_999))).hasValue(5_000);
      }
      assertThatThrownBy(() -> LongLongMap.load(file)).isInstanceOf(SavedFileException.class);
    }
  }

  @Test
  void aFileWithAnyByteChangedIsRefused() throws IOException {
    Path file = folder.resolve("map");
    try (TextLongMap map = TextLongMap.builder().capacity(4).textBytes(8).build()) {
      var _ = map.putIfAbsent("short", 1);
      var _ = map.putIfAbsent("not so short as the other", 2);
      map.save(file);
    }
    byte[] whole = Files.readAllBytes(file);
    for (int at = 0; at < whole.length; at++) {
      byte[] changed = whole.clone();
      changed[at] ^= (byte) (1 + at % 255);
      Files.write(file, changed);
      assertThatThrownBy(() -> TextLongMap.load(file).close())
          .as("byte %d", at)
          .isInstanceOf(SavedFileException.class);
    }
  }

  @Test
  void useAfterCloseIsRefused() {
    TextLongMap map = TextLongMap.create();
    var _ = map.putIfAbsent("key", 1);
    map.close();
    assertThatThrownBy(() -> map.get("key")).isInstanceOf(ClosedException.class);
    assertThatThrownBy(() -> map.merge("key", 1, Apply.ADD)).isInstanceOf(ClosedException.class);
    assertThatThrownBy(map::size).isInstanceOf(ClosedException.class);
    assertThatThrownBy(() -> map.forEach((k, v) -> {})).isInstanceOf(ClosedException.class);
  }
}
