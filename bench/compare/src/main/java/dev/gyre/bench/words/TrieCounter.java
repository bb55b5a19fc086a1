package dev.gyre.bench.words;

import dev.gyre.atomics.Memory;
import dev.gyre.kernels.JvmLauncher;
import dev.gyre.kernels.trie.NodeSize;
import dev.gyre.structures.trie.WordCount;
import dev.gyre.structures.trie.WordTrie;
import java.util.List;
import java.util.function.ObjLongConsumer;

/** Counts with our trie. */
final class TrieCounter implements RivalCounter {

  private final JvmLauncher launcher;
  private final int strips;
  private final NodeSize size;
  private WordTrie trie;

  TrieCounter(int threads, int strips, NodeSize size) {
    this.launcher = JvmLauncher.ofWorkers(threads);
    this.strips = strips;
    this.size = size;
    this.trie = empty();
  }

  private WordTrie empty() {
    return WordTrie.builder().launcher(launcher).nodeSize(size).deviceThreads(strips).build();
  }

  @Override
  public void count(Memory text) {
    trie.close();
    trie = empty().add(text, text.byteSize());
  }

  @Override
  public long total() {
    return trie.total();
  }

  @Override
  public long distinct() {
    return trie.size();
  }

  @Override
  public long countOf(String word) {
    return trie.count(word);
  }

  @Override
  public void forEach(ObjLongConsumer<String> action) {
    trie.forEach(word -> action.accept(word.word(), word.count()));
  }

  @Override
  public long countsUnder(List<String> prefixes) {
    long sum = 0;
    for (String prefix : prefixes) {
      sum += trie.total(prefix);
    }
    return sum;
  }

  @Override
  public long countsOfTop(int words) {
    return trie.top(words).stream().mapToLong(WordCount::count).sum();
  }

  @Override
  public long bytesOutside() {
    return trie.byteSize();
  }

  @Override
  public void close() {
    trie.close();
    launcher.close();
  }
}
