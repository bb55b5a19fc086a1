package dev.gyre.structures;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gyre.atomics.Memory;
import dev.gyre.datasets.ByteProgress;
import dev.gyre.datasets.TextSource;
import dev.gyre.kernels.JvmLauncher;
import dev.gyre.structures.map.IntIntMap;
import dev.gyre.structures.map.LongLongMap;
import dev.gyre.structures.map.MapBuilder;
import dev.gyre.structures.map.TextLongMap;
import dev.gyre.structures.trie.WordTrie;
import dev.gyre.structures.trie.WordTrieBuilder;
import java.io.OutputStream;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
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
    assertNull(() -> map.load(null), "file");
    WordTrieBuilder trie = WordTrie.builder();
    assertNull(() -> trie.alphabet(null), "alphabet");
    assertNull(() -> trie.waiting(null), "waiting");
    assertNull(() -> trie.launcher(null), "launcher");
    assertNull(() -> trie.load((Path) null), "file");
    assertNull(() -> trie.load((MemorySegment) null), "saved");
  }

  /** Also where nothing would come of it: in an empty trie. */
  @Test
  @SuppressWarnings("NullAway") // What is tested.
  void noMethodOfATrieTakesNull() {
    try (WordTrie trie = WordTrie.create()) {
      TextSource text = TextSource.ofMemory(MemorySegment.ofArray(new byte[0]));
      assertNull(() -> trie.add((CharSequence) null), "text");
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
      assertNull(() -> trie.runOn(null), "launcher");
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
  }

  /** A closed launcher shows which of both is used: it refuses to work. */
  @Test
  void ofWorkersAndLauncherTheLastSays() {
    JvmLauncher closed = JvmLauncher.ofWorkers(2);
    closed.close();
    String text = "some text ".repeat(10_000); // Long enough for a launch.
    try (WordTrie trie = WordTrie.builder().launcher(closed).workers(2).build()) {
      assertThat(trie.add(text).count("text")).isEqualTo(10_000);
    }
    try (WordTrie trie = WordTrie.builder().workers(2).launcher(closed).build()) {
      assertThatThrownBy(() -> trie.add(text)).isInstanceOf(dev.gyre.atomics.ClosedException.class);
    }
    long[] keys = new long[1 << 18];
    java.util.Arrays.setAll(keys, i -> i);
    try (LongLongMap map = LongLongMap.builder().launcher(closed).workers(2).build()) {
      assertThat(map.insert(keys, keys).inserted()).isEqualTo(keys.length);
    }
    try (LongLongMap map = LongLongMap.builder().workers(2).launcher(closed).build()) {
      assertThatThrownBy(() -> map.insert(keys, keys))
          .isInstanceOf(dev.gyre.atomics.ClosedException.class);
    }
  }

  @Test
  void runOnReturnsTheStructure() {
    try (JvmLauncher jvm = JvmLauncher.ofWorkers(1);
        IntIntMap ints = IntIntMap.create();
        LongLongMap longs = LongLongMap.create();
        TextLongMap texts = TextLongMap.create();
        WordTrie trie = WordTrie.create()) {
      assertThat(ints.runOn(jvm)).isSameAs(ints);
      assertThat(longs.runOn(jvm)).isSameAs(longs);
      assertThat(texts.runOn(jvm)).isSameAs(texts);
      assertThat(trie.runOn(jvm)).isSameAs(trie);
      assertThat(trie.byteSize()).isPositive();
      assertThat(texts.byteSize()).isPositive();
    }
  }
}
