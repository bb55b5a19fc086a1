package dev.gyre.structures.map;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gyre.atomics.Internal;
import dev.gyre.progress.Progress;
import dev.gyre.structures.OperationLock.Entry;
import dev.gyre.structures.map.store.Store;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.IntConsumer;
import java.util.function.LongConsumer;
import java.util.function.ObjLongConsumer;
import org.junit.jupiter.api.Test;

/**
 * An operation that says that nobody blocks it ends while another one is inside alone, and a third
 * one is first in line.
 */
class TrueProgressTest {

  /** Far more than any machine needs; it is over only where an operation waits. */
  private static final Duration FOR_EVER = Duration.ofSeconds(30);

  private static Object argument(Class<?> type) {
    if (type == long.class) {
      return 1L;
    } else if (type == int.class) {
      return 1;
    } else if (type == String.class) {
      return "1";
    } else if (type == byte[].class) {
      return new byte[] {'1'};
    } else if (type == LongLongConsumer.class) {
      return (LongLongConsumer) (_, _) -> {};
    } else if (type == IntIntConsumer.class) {
      return (IntIntConsumer) (_, _) -> {};
    } else if (type == ObjLongConsumer.class) {
      return (ObjLongConsumer<Object>) (_, _) -> {};
    } else if (type == LongConsumer.class) {
      return (LongConsumer) _ -> {};
    } else if (type == IntConsumer.class) {
      return (IntConsumer) _ -> {};
    } else if (type == Consumer.class) {
      return (Consumer<Object>) _ -> {};
    }
    throw new IllegalArgumentException("what is a " + type + "?");
  }

  private static Object run(Object map, Method operation) throws ReflectiveOperationException {
    Object[] arguments =
        Arrays.stream(operation.getParameterTypes()).map(TrueProgressTest::argument).toArray();
    return String.valueOf(operation.invoke(map, arguments));
  }

  /**
   * Has a thread do something while another one is inside alone, and a third one is first in line.
   */
  private static void requireDone(Store<?, ?> store, Callable<Object> operation, String name)
      throws InterruptedException {
    CompletableFuture<Object> result = new CompletableFuture<>();
    Entry alone = store.lock().enterExclusive();
    Thread waiting = Thread.ofPlatform().unstarted(store::clear);
    HookedLauncher.startAndLetWait(waiting);
    try {
      Thread.ofPlatform().daemon().start(() -> complete(result, operation));
      assertThat(result).as(name).succeedsWithin(FOR_EVER);
    } finally {
      alone.close();
      waiting.join();
    }
  }

  private static void complete(CompletableFuture<Object> result, Callable<Object> operation) {
    try {
      result.complete(operation.call());
    } catch (Exception e) {
      result.completeExceptionally(e);
    }
  }

  private static void requireTrue(Object map, Store<?, ?> store) throws InterruptedException {
    List<Method> free =
        Arrays.stream(map.getClass().getMethods())
            .filter(m -> m.isAnnotationPresent(Progress.class))
            .filter(m -> !m.isAnnotationPresent(Internal.class))
            .filter(m -> !m.getAnnotation(Progress.class).value().blocking())
            .toList();
    assertThat(free).extracting(Method::getName).contains("forEach", "size", "capacity");
    for (Method operation : free) {
      requireDone(store, () -> run(map, operation), operation.toString());
    }
  }

  @Test
  void ofMapsFromLongs() throws InterruptedException {
    try (LongLongMap map = LongLongMap.builder().workers(1).build()) {
      assertThat(map.putIfAbsent(1, 2)).isEmpty();
      requireTrue(map, map.store);
    }
  }

  @Test
  void ofMapsFromInts() throws InterruptedException {
    try (IntIntMap map = IntIntMap.builder().workers(1).build()) {
      assertThat(map.putIfAbsent(1, 2)).isEmpty();
      requireTrue(map, map.store);
    }
  }

  @Test
  void ofMapsFromTexts() throws InterruptedException {
    try (TextLongMap map = TextLongMap.builder().workers(1).build()) {
      assertThat(map.putIfAbsent("1", 2)).isEmpty();
      requireTrue(map, map.store);
    }
  }

  @Test
  void ofSets() throws InterruptedException {
    try (LongSet longs = LongSet.builder().workers(1).build();
        IntSet ints = IntSet.builder().workers(1).build();
        TextSet texts = TextSet.builder().workers(1).build()) {
      assertThat(longs.add(1) && ints.add(1) && texts.add("1")).isTrue();
      requireTrue(longs, longs.store);
      requireTrue(ints, ints.store);
      requireTrue(texts, texts.store);
    }
  }
}
