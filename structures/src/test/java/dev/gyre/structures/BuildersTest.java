package dev.gyre.structures;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gyre.atomics.ClosedException;
import dev.gyre.atomics.Memory;
import dev.gyre.datasets.ByteProgress;
import dev.gyre.datasets.TextSource;
import dev.gyre.kernels.JvmLauncher;
import dev.gyre.kernels.Launcher;
import dev.gyre.kernels.LauncherGroup;
import dev.gyre.kernels.trie.TrieLayout;
import dev.gyre.structures.map.IntIntMap;
import dev.gyre.structures.map.LongLongMap;
import dev.gyre.structures.map.LongSet;
import dev.gyre.structures.map.MapBuilder;
import dev.gyre.structures.map.RecordMap;
import dev.gyre.structures.map.RecordSchema;
import dev.gyre.structures.map.TextLongMap;
import dev.gyre.structures.map.TextSet;
import dev.gyre.structures.trie.WordTrie;
import dev.gyre.structures.trie.WordTrieBuilder;
import java.io.OutputStream;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** What builders of all structures have in common. */
class BuildersTest {

  @Test
  @SuppressWarnings("NullAway") // What is tested.
  void nothingIsNull() {
    MapBuilder<LongLongMap> map = LongLongMap.builder();
    assertNull(() -> map.layout(null), "layout");
    assertNull(() -> map.waiting(null), "waiting");
    assertNull(() -> map.launcher(null), "launcher");
    assertNull(() -> map.load((Path) null), "file");
    assertNull(() -> map.load((MemorySegment) null), "saved");
    WordTrieBuilder trie = WordTrie.builder();
    assertNull(() -> trie.alphabet(null), "alphabet");
    assertNull(() -> trie.nodeSize(null), "nodeSize");
    assertNull(() -> trie.waiting(null), "waiting");
    assertNull(() -> trie.launcher(null), "launcher");
    assertNull(() -> trie.load((Path) null), "file");
    assertNull(() -> trie.load((MemorySegment) null), "saved");
  }

  @Test
  void aTrieTakesTheLimitsThemselves() {
    WordTrieBuilder trie = WordTrie.builder();
    assertThatCode(() -> trie.deviceThreads(1).deviceThreads(WordTrie.MAX_DEVICE_THREADS))
        .doesNotThrowAnyException();
    assertThatCode(() -> trie.initialNodes(1).initialNodes(TrieLayout.MAX_NODES))
        .doesNotThrowAnyException();
  }

  /** Before anything is made or moved, and what there is goes on with what it has. */
  @Test
  void aClosedLauncherIsRefusedAtOnce() {
    JvmLauncher closed = JvmLauncher.ofWorkers(1);
    JvmLauncher open = JvmLauncher.ofWorkers(1);
    Launcher group = LauncherGroup.of(List.of(open, closed));
    closed.close();
    try (open;
        LongLongMap map = LongLongMap.create();
        TextLongMap texts = TextLongMap.create();
        WordTrie trie = WordTrie.create()) {
      long[] keys = LongStream.range(0, 100_000).toArray();
      assertThat(map.insert(keys, keys).inserted()).isEqualTo(keys.length);
      for (Launcher launcher : List.of(closed, group)) {
        for (ThrowingCallable operation :
            List.<ThrowingCallable>of(
                () -> map.copyTo(launcher),
                () -> texts.copyTo(launcher),
                () -> trie.copyTo(launcher),
                () -> LongLongMap.builder().launcher(launcher).build(),
                () -> WordTrie.builder().launcher(launcher).build())) {
          assertThatThrownBy(operation)
              .isInstanceOf(ClosedException.class)
              .hasMessageContaining("launcher for ");
        }
      }
      assertThat(map.find(keys, keys.clone()).found()).isEqualTo(keys.length);
      assertThat(texts.insert(List.of("a"), new long[1]).inserted()).isEqualTo(1);
      assertThat(trie.add("a word").size()).isEqualTo(2);
    }
  }

  /** The message names the type that is made for a group. */
  @Test
  void aMapIsNoneOfAGroup() {
    try (Launcher group =
            LauncherGroup.of(List.of(JvmLauncher.ofWorkers(1), JvmLauncher.ofWorkers(1)));
        IntIntMap ints = IntIntMap.create()) {
      Map<MapBuilder<?>, String> types =
          Map.of(
              LongLongMap.builder(),
              "ShardedLongMap",
              IntIntMap.builder(),
              "ShardedIntMap",
              LongSet.builder(),
              "ShardedLongSet",
              TextLongMap.builder(),
              "ShardedTextMap",
              TextSet.builder(),
              "ShardedTextSet",
              RecordMap.builder(RecordSchema.of(Id.class, Id.class)),
              "ShardedRecordMap");
      types.forEach(
          (builder, name) ->
              assertThatThrownBy(() -> builder.launcher(group).build())
                  .isInstanceOf(StructureException.class)
                  .hasMessageContaining(name));
      assertThatThrownBy(() -> ints.copyTo(group))
          .isInstanceOf(StructureException.class)
          .hasMessageContaining("ShardedIntMap");
      assertThat(ints.put(1, 2)).isEmpty();
    }
  }

  record Id(long id) {}

  /** Also where nothing would come of it: in an empty trie. */
  @Test
  @SuppressWarnings("NullAway") // What is tested.
  void noMethodOfATrieTakesNull() {
    try (WordTrie trie = WordTrie.create()) {
      TextSource text = TextSource.ofMemory(MemorySegment.ofArray(new byte[0]));
      assertNull(() -> trie.add((CharSequence) null), "text");
      assertNull(() -> trie.add((byte[]) null), "text");
      assertNull(() -> trie.add((Path[]) null), "files");
      assertNull(() -> trie.add((Path) null), "file");
      assertNull(() -> trie.add((TextSource) null, ByteProgress.NONE), "text");
      assertNull(() -> trie.add(text, null), "progress");
      assertNull(() -> trie.add(null, 1, ByteProgress.NONE), "text");
      assertNull(() -> trie.add(text, 1, null), "progress");
      assertNull(() -> trie.add((Memory) null, 0), "text");
      assertNull(() -> trie.addWord((CharSequence) null, 1), "word");
      assertNull(() -> trie.count((String) null), "word");
      assertNull(() -> trie.count((byte[]) null), "word");
      assertNull(() -> trie.contains(null), "word");
      assertNull(() -> trie.total(null), "prefix");
      assertNull(() -> trie.forEach(null), "action");
      assertNull(() -> trie.forEach(null, _ -> {}), "prefix");
      assertNull(() -> trie.forEach("none", null), "action");
      assertNull(() -> trie.longestPrefix(null), "text");
      assertNull(() -> trie.top(null, 1), "prefix");
      assertNull(() -> trie.addAll(null), "other");
      assertNull(() -> trie.save((Path) null), "file");
      assertNull(() -> trie.save((OutputStream) null), "out");
      assertNull(() -> trie.copyTo(null), "launcher");
      assertNull(() -> WordTrie.load((Path) null), "file");
      assertThat(trie.size()).isZero();
    }
  }

  private static void assertNull(ThrowingCallable call, String name) {
    assertThatThrownBy(call).isInstanceOf(NullPointerException.class).hasMessage(name);
  }

  @Test
  void workersAreFromOneToTheMost() {
    for (int workers : new int[] {0, -1, JvmLauncher.MAX_WORKERS + 1}) {
      assertThatThrownBy(() -> TextLongMap.builder().workers(workers))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("workers must be from 1");
      assertThatThrownBy(() -> WordTrie.builder().workers(workers))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("workers must be from 1");
    }
    assertThat(TextLongMap.builder().workers(JvmLauncher.MAX_WORKERS)).isNotNull();
    assertThat(WordTrie.builder().workers(JvmLauncher.MAX_WORKERS)).isNotNull();
  }

  /** A closed launcher shows which of both is used: it refuses to work. */
  @Test
  void ofWorkersAndLauncherTheLastSays() {
    JvmLauncher closed = JvmLauncher.ofWorkers(2);
    closed.close();
    try (WordTrie trie = WordTrie.builder().launcher(closed).workers(2).build();
        LongLongMap map = LongLongMap.builder().launcher(closed).workers(2).build()) {
      assertThat(trie.add("some text").count("text")).isEqualTo(1);
      assertThat(map.putIfAbsent(1, 1)).isEmpty();
    }
    assertThatThrownBy(() -> WordTrie.builder().workers(2).launcher(closed).build())
        .isInstanceOf(ClosedException.class);
    assertThatThrownBy(() -> LongLongMap.builder().workers(2).launcher(closed).build())
        .isInstanceOf(ClosedException.class);
  }
}
