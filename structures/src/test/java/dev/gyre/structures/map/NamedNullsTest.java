package dev.gyre.structures.map;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gyre.atomics.Internal;
import dev.gyre.atomics.Memory;
import dev.gyre.kernels.JvmLauncher;
import dev.gyre.kernels.LaunchShape;
import dev.gyre.kernels.Launcher;
import dev.gyre.kernels.Launchers;
import dev.gyre.kernels.map.EntryPredicate;
import dev.gyre.kernels.map.EntryVisitor;
import dev.gyre.kernels.map.Fold;
import dev.gyre.kernels.map.Hash;
import dev.gyre.kernels.map.Hashing;
import dev.gyre.kernels.map.Text;
import dev.gyre.kernels.map.TextPredicate;
import dev.gyre.kernels.map.TextVisitor;
import dev.gyre.structures.Waiting;
import dev.gyre.structures.sync.Barrier;
import dev.gyre.structures.sync.FairSemaphore;
import dev.gyre.structures.sync.Latch;
import java.io.InputStream;
import java.lang.foreign.MemorySegment;
import java.lang.reflect.Executable;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Function;
import java.util.function.IntToLongFunction;
import java.util.function.IntUnaryOperator;
import java.util.function.LongToIntFunction;
import java.util.function.LongUnaryOperator;
import java.util.function.ObjLongConsumer;
import java.util.function.ToLongFunction;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** A null that is passed to a public method is refused at once, by the parameter's name. */
@SuppressWarnings("NullAway") // What is tested.
class NamedNullsTest {

  private record Nothing() implements EntryVisitor, TextVisitor, TextPredicate {
    @Override
    public void visit(long key, long value) {}

    @Override
    public void visit(Text key, long value) {}

    @Override
    public boolean test(Text key, long value) {
      return false;
    }
  }

  /** What may be passed for a parameter of a type. */
  private static final Map<Class<?>, Object> SAMPLES = new HashMap<>();

  static {
    SAMPLES.put(int.class, 0);
    SAMPLES.put(long.class, 1L);
    SAMPLES.put(double.class, 0.5);
    SAMPLES.put(String.class, "key");
    SAMPLES.put(Long.class, 1L);
    SAMPLES.put(Integer.class, 1);
    SAMPLES.put(byte[].class, new byte[1]);
    SAMPLES.put(byte[][].class, new byte[1][1]);
    SAMPLES.put(int[].class, new int[1]);
    SAMPLES.put(long[].class, new long[1]);
    SAMPLES.put(boolean[].class, new boolean[1]);
    SAMPLES.put(List.class, List.of("key"));
    SAMPLES.put(Longs.class, Longs.of(1));
    SAMPLES.put(Ints.class, Ints.of(1));
    SAMPLES.put(BulkOptions.class, BulkOptions.NONE);
    SAMPLES.put(Outcome.class, Outcome.INSERTED);
    SAMPLES.put(Apply.class, Apply.ADD);
    SAMPLES.put(Fold.class, MapAdapter.Scale.BY_ODD);
    SAMPLES.put(EntryPredicate.class, new EntryPredicate.All());
    SAMPLES.put(EntryVisitor.class, new Nothing());
    SAMPLES.put(Hash.class, new Hashing.OfLongs());
    SAMPLES.put(TextPredicate.class, new Nothing());
    SAMPLES.put(TextVisitor.class, new Nothing());
    SAMPLES.put(Words.class, Words.NOT_BLANK);
    SAMPLES.put(MemorySegment.class, MemorySegment.ofArray(new byte[8]));
    SAMPLES.put(Path.class, Path.of("none"));
    SAMPLES.put(LaunchShape.class, LaunchShape.ofThreads(1));
    SAMPLES.put(Function.class, Function.identity());
    SAMPLES.put(UnaryOperator.class, UnaryOperator.identity());
    SAMPLES.put(LongUnaryOperator.class, LongUnaryOperator.identity());
    SAMPLES.put(IntUnaryOperator.class, IntUnaryOperator.identity());
    SAMPLES.put(ToLongFunction.class, (ToLongFunction<Object>) _ -> 1);
    SAMPLES.put(InputStream.class, InputStream.nullInputStream());
    SAMPLES.put(Map.class, Map.of());
    SAMPLES.put(Layout.class, Layout.LINE);
    SAMPLES.put(Duration.class, Duration.ZERO);
    SAMPLES.put(Launchers.Work.class, Launchers.Work.KEYS);
    SAMPLES.put(Waiting.class, Waiting.AUTO);
    SAMPLES.put(ObjLongConsumer.class, (ObjLongConsumer<Object>) (key, value) -> {});
    SAMPLES.put(LongLongConsumer.class, (LongLongConsumer) (key, value) -> {});
    SAMPLES.put(IntIntConsumer.class, (IntIntConsumer) (key, value) -> {});
    SAMPLES.put(IntLongConsumer.class, (IntLongConsumer) (key, value) -> {});
    SAMPLES.put(LongIntConsumer.class, (LongIntConsumer) (key, value) -> {});
    SAMPLES.put(IntToLongFunction.class, (IntToLongFunction) key -> key);
    SAMPLES.put(LongToIntFunction.class, (LongToIntFunction) _ -> 1);
  }

  @Test
  void ofAllMethods() throws ReflectiveOperationException {
    List<String> unnamed = new ArrayList<>();
    int calls = 0;
    try (LongLongMap longs = LongLongMap.create();
        IntIntMap ints = IntIntMap.create();
        IntLongMap intLongs = IntLongMap.create();
        LongIntMap longInts = LongIntMap.create();
        TextLongMap texts = TextLongMap.create();
        TextKeys keys = TextKeys.of(List.of("key"));
        TextCombiner combiner = new TextCombiner(texts, Apply.ADD);
        Memory memory = Memory.ofLongs(1);
        Latch latch = Latch.of(1);
        Barrier barrier = Barrier.of(2);
        FairSemaphore semaphore = FairSemaphore.of(1);
        JvmLauncher launcher = JvmLauncher.ofWorkers(1)) {
      SAMPLES.put(TextKeys.class, keys);
      SAMPLES.put(TextLongMap.class, texts);
      SAMPLES.put(Memory.class, memory);
      SAMPLES.put(Launcher.class, launcher);
      SAMPLES.put(Barrier.Arrival.class, barrier.arrive());
      List<Object> owners =
          List.of(
              longs,
              ints,
              intLongs,
              longInts,
              texts,
              keys,
              combiner,
              latch,
              barrier,
              semaphore,
              LongLongMap.builder(),
              BulkOptions.NONE,
              Longs.of(1),
              Ints.of(1));
      for (Object owner : owners) {
        for (Method method : owner.getClass().getMethods()) {
          boolean ours = method.getDeclaringClass() != Object.class && !method.isBridge();
          ours &= !method.isAnnotationPresent(Internal.class);
          calls += ours ? call(method, owner, unnamed) : 0;
        }
        for (var constructor : owner.getClass().getConstructors()) {
          calls += call(constructor, owner, unnamed);
        }
      }
      for (Method method : Launchers.class.getMethods()) {
        boolean ours = method.getDeclaringClass() != Object.class;
        calls += ours ? call(method, launcher, unnamed) : 0;
      }
      for (ConcurrentMap<?, Long> view : List.of(longs.asMap(), texts.asMap())) {
        for (Method method : view.getClass().getDeclaredMethods()) {
          boolean writes = method.getName().startsWith("put") || method.getName().equals("replace");
          method.setAccessible(true);
          calls += writes && !method.isBridge() ? call(method, view, unnamed) : 0;
        }
      }
    }
    assertThat(unnamed).isEmpty();
    assertThat(calls).isGreaterThan(100);
  }

  /** Passes null for each parameter in turn; returns for how many. */
  private static int call(Executable called, Object owner, List<String> unnamed)
      throws ReflectiveOperationException {
    Class<?>[] types = called.getParameterTypes();
    int calls = 0;
    for (int nothing = 0; nothing < types.length; nothing++) {
      if (!types[nothing].isPrimitive()) {
        Object[] arguments = new Object[types.length];
        for (int i = 0; i < types.length; i++) {
          arguments[i] = i == nothing ? null : SAMPLES.get(types[i]);
          assertThat(i == nothing || arguments[i] != null).as("%s", types[i]).isTrue();
        }
        String name = called.getParameters()[nothing].getName();
        boolean known = called.getParameters()[nothing].isNamePresent();
        String message = message(called, owner, arguments);
        if (message == null || !message.matches(known ? name : "[a-z]\\w*")) {
          unnamed.add(called + ", " + name + ": " + message);
        }
        calls++;
      }
    }
    return calls;
  }

  /** What the exception says; null where nothing was thrown, or another one. */
  private static @Nullable String message(Executable called, Object owner, Object[] arguments)
      throws ReflectiveOperationException {
    try {
      if (called instanceof Method method) {
        var _ = method.invoke(Modifier.isStatic(method.getModifiers()) ? null : owner, arguments);
      } else {
        var _ = ((java.lang.reflect.Constructor<?>) called).newInstance(arguments);
      }
      return null;
    } catch (InvocationTargetException e) {
      return e.getCause() instanceof NullPointerException refusal ? refusal.getMessage() : null;
    }
  }
}
