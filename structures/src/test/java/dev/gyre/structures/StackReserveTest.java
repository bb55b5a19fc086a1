package dev.gyre.structures;

import static java.lang.classfile.ClassFile.ACC_PUBLIC;
import static java.lang.classfile.ClassFile.ACC_STATIC;
import static org.assertj.core.api.Assertions.assertThat;

import dev.gyre.kernels.map.Fold;
import dev.gyre.structures.map.Apply;
import dev.gyre.structures.map.Columns;
import dev.gyre.structures.map.IntIntMap;
import dev.gyre.structures.map.Layout;
import dev.gyre.structures.map.LongLongMap;
import dev.gyre.structures.map.LongSet;
import dev.gyre.structures.map.RecordMap;
import dev.gyre.structures.map.RecordSchema;
import dev.gyre.structures.map.TextLongMap;
import dev.gyre.structures.map.TextSet;
import dev.gyre.structures.trie.WordTrie;
import java.io.IOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.CodeBuilder;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * No operation that claims a slot or enters a lock takes as much stack as {@link
 * StackReserve#require} asks for.
 *
 * <p>A thread recurses until its stack ends, and calls an operation at each depth on the way back,
 * until the operation does not overflow. The number of these depths is a measure of its stack,
 * since the frames of the recursion are interpreted and so all of one size, of about 112 bytes. The
 * reserve is measured in the same way. Operations are measured without it, by an empty class in its
 * place.
 */
@Timeout(300)
class StackReserveTest {

  private static final String INTERPRETED = "-Xint";
  private static final String C1 = "-XX:TieredStopAtLevel=1";
  private static final String C2 = "-XX:-TieredCompilation";

  @TempDir Path folder;

  @Tag("slow")
  @Test
  void isMoreThanAnyOperationTakes() throws IOException, InterruptedException {
    int reserve = Integer.MAX_VALUE;
    for (String option : List.of(INTERPRETED, C1, C2)) {
      reserve = Math.min(reserve, Collections.min(measured(Reserve.class, option).values()));
    }
    String withoutReserve = "-Xbootclasspath/a:" + withEmptyReserve();
    for (String option : List.of(INTERPRETED, C1)) {
      Map<String, Integer> taken = measured(Operations.class, option, withoutReserve);
      assertThat(taken).hasSizeGreaterThan(20);
      assertThat(taken.values()).as("%s %s", option, taken).allMatch(frames -> frames > 0);
      int limit = reserve;
      assertThat(taken.values())
          .as("%s: reserve %d, %s", option, limit, taken)
          .allMatch(frames -> frames < limit);
    }
  }

  private static Map<String, Integer> measured(Class<?> main, String... options)
      throws IOException, InterruptedException {
    String[] all =
        Stream.concat(Stream.of(options), Stream.of(interpreted())).toArray(String[]::new);
    return ChildJvm.run(main, all)
        .lines()
        .filter(line -> line.startsWith(Depth.FRAMES))
        .map(line -> line.split("=", -1))
        .collect(Collectors.toMap(parts -> parts[1], parts -> Integer.parseInt(parts[2])));
  }

  private static String interpreted() {
    return "-XX:CompileCommand=exclude," + Depth.class.getName() + "::recurse";
  }

  /** A folder with a class that has the name of the reserve, and requires nothing. */
  private Path withEmptyReserve() throws IOException {
    ClassDesc name = ClassDesc.of(StackReserve.class.getName());
    Path file = folder.resolve(StackReserve.class.getName().replace('.', '/') + ".class");
    Files.createDirectories(file.getParent());
    ClassFile.of()
        .buildTo(
            file,
            name,
            made ->
                made.withFlags(ACC_PUBLIC)
                    .withMethodBody(
                        "require",
                        ConstantDescs.MTD_void,
                        ACC_PUBLIC | ACC_STATIC,
                        CodeBuilder::return_));
    return folder;
  }

  /** How much stack calls take. */
  private static final class Depth {

    static final String FRAMES = "frames=";
    private static final int CALLS = 500;
    private static final int WARM_CALLS = 20_000;
    private static final long STACK_BYTES = 512 << 10;

    private final Iterator<Runnable> calls;
    private int steps;
    private boolean done;

    private Depth(Iterator<Runnable> calls) {
      this.calls = calls;
    }

    @SuppressWarnings("InfiniteRecursion") // until the stack ends
    private void recurse(int depth) {
      try {
        recurse(depth + 1);
      } catch (StackOverflowError e) {
        if (!done) {
          steps++;
          attempt();
        }
        if (depth > 0) {
          throw e;
        }
      }
    }

    private void attempt() {
      try {
        calls.next().run();
        done = true;
      } catch (StackOverflowError e) {
        // At the next depth, with less of them in the way.
      }
    }

    private static Depth on(Supplier<Runnable> call) throws InterruptedException {
      // Each on a structure of its own: what overflows without the reserve is left as it is.
      Depth depth = new Depth(Stream.generate(call).limit(CALLS).toList().iterator());
      Thread thread = new Thread(null, () -> depth.recurse(0), "deep", STACK_BYTES);
      thread.start();
      thread.join();
      return depth;
    }

    static void print(String name, int warmCalls, Supplier<Runnable> call)
        throws InterruptedException {
      Runnable warm = call.get();
      for (int i = 0; i < warmCalls; i++) {
        warm.run();
      }
      Depth none = on(() -> () -> {});
      Depth depth = on(call);
      int frames = depth.done ? depth.steps - none.steps : Integer.MAX_VALUE;
      System.out.println(FRAMES + name + "=" + frames);
    }
  }

  /** Measures the reserve. */
  static final class Reserve {
    public static void main(String[] args) throws InterruptedException {
      Depth.print("require", Depth.WARM_CALLS, () -> StackReserve::require);
    }
  }

  /** Measures operations. */
  static final class Operations {

    private record Key(long first, int second) {}

    private record Value(long value) {}

    private record Pair(long first, long second) {}

    /** A function of the user's. */
    record Sum() implements Fold {
      @Override
      public long apply(long present, long given) {
        return present + given;
      }
    }

    private static final int CAPACITY = 64;
    private static final int FEW = 12;
    private static final int SOME = 40;

    private static final String LONG_TEXT = "a text that is longer than two words";

    private Operations() {}

    private static LongLongMap longs(Layout layout, int capacity) {
      return LongLongMap.builder().layout(layout).capacity(capacity).workers(1).build();
    }

    private static Runnable full(Layout layout) {
      LongLongMap map = longs(layout, 1);
      for (long key = 1; map.size() < map.capacity(); key++) {
        map.put(key, 0);
      }
      return () -> map.put(0, 0);
    }

    private static TextLongMap texts() {
      return TextLongMap.builder().capacity(CAPACITY).workers(1).build();
    }

    private static <V extends Record> RecordMap<Key, V> records(Class<V> values) {
      return RecordMap.builder(RecordSchema.of(Key.class, values))
          .capacity(CAPACITY)
          .workers(1)
          .build();
    }

    private static Map<String, Supplier<Runnable>> all() {
      Map<String, Supplier<Runnable>> all = new LinkedHashMap<>();
      for (Layout layout : List.of(Layout.LINE, Layout.REFERENCE)) {
        Supplier<LongLongMap> map = () -> longs(layout, CAPACITY);
        all.put("put " + layout, () -> with(map.get(), m -> m.put(0, 1)));
        all.put("merge " + layout, () -> with(map.get(), m -> m.merge(0, 1, Apply.ADD)));
        all.put("fold " + layout, () -> with(map.get(), m -> m.merge(0, 1, new Sum())));
        all.put("replace " + layout, () -> with(map.get(), m -> m.replace(0, 1)));
        all.put(
            "few " + layout, () -> with(map.get(), m -> m.insert(new long[FEW], new long[FEW])));
        all.put(
            "some " + layout, () -> with(map.get(), m -> m.insert(new long[SOME], new long[SOME])));
        all.put("grow " + layout, () -> full(layout));
      }
      Supplier<IntIntMap> ints = () -> IntIntMap.builder().capacity(CAPACITY).workers(1).build();
      all.put("ints put", () -> with(ints.get(), m -> m.put(0, 1)));
      all.put("ints few", () -> with(ints.get(), m -> m.insert(new int[FEW], new int[FEW])));
      Supplier<LongSet> set = () -> LongSet.builder().capacity(CAPACITY).workers(1).build();
      all.put("set add", () -> with(set.get(), m -> m.add(0)));
      all.put("text put", () -> with(texts(), m -> m.put("a", 1)));
      all.put("long text put", () -> with(texts(), m -> m.put(LONG_TEXT, 1)));
      all.put("text merge", () -> with(texts(), m -> m.merge("a", 1, Apply.ADD)));
      all.put(
          "texts few", () -> with(texts(), m -> m.insert(List.of("a", LONG_TEXT), new long[2])));
      Supplier<TextSet> textSet = () -> TextSet.builder().capacity(CAPACITY).workers(1).build();
      all.put("text add", () -> with(textSet.get(), m -> m.add("a")));
      Key key = new Key(1, 2);
      all.put("record put", () -> with(records(Value.class), m -> m.put(key, new Value(1))));
      all.put("record pair put", () -> with(records(Pair.class), m -> m.put(key, new Pair(1, 2))));
      all.put(
          "records few",
          () ->
              with(
                  records(Value.class),
                  m ->
                      m.insert(
                          Columns.longs(new long[FEW]).and(Columns.ints(new int[FEW])),
                          Columns.longs(new long[FEW]))));
      all.put("trie word", () -> with(WordTrie.create(), t -> t.addWord("whale", 1)));
      all.put("trie count", () -> with(WordTrie.create(), t -> t.count("whale")));
      all.put("trie text", () -> with(WordTrie.create(), t -> t.add("the whale")));
      return all;
    }

    private static <S> Runnable with(S structure, Consumer<S> operation) {
      return () -> operation.accept(structure);
    }

    public static void main(String[] args) throws InterruptedException {
      for (var operation : all().entrySet()) {
        Depth.print(operation.getKey(), 1_000, operation.getValue());
      }
      // Without the reserve, operations that overflow may have left structures that cannot close.
      System.exit(0);
    }
  }
}
