package dev.gyre.bench.words;

import dev.gyre.atomics.Memory;
import dev.gyre.kernels.JvmLauncher;
import dev.gyre.structures.map.TextLongMap;
import dev.gyre.structures.map.Words;
import java.util.function.ObjLongConsumer;

/** Counts with our map of text keys. */
final class TextMapCounter implements RivalCounter {

  private final JvmLauncher launcher;
  private TextLongMap counts;

  TextMapCounter(int threads) {
    this.launcher = JvmLauncher.ofWorkers(threads);
    this.counts = empty();
  }

  private TextLongMap empty() {
    return TextLongMap.builder().launcher(launcher).build();
  }

  @Override
  public void count(Memory text) {
    counts.close();
    counts = empty();
    long _ = counts.countWords(text.segment(), Words.ASCII_LETTERS);
  }

  @Override
  public long distinct() {
    return counts.size();
  }

  @Override
  public long countOf(String word) {
    return counts.getOrDefault(word, 0);
  }

  @Override
  public void forEach(ObjLongConsumer<String> action) {
    counts.forEach(action);
  }

  @Override
  public long bytesOutside() {
    return counts.byteSize();
  }

  @Override
  public void close() {
    counts.close();
    launcher.close();
  }
}
