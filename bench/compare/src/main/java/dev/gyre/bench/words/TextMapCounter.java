package dev.gyre.bench.words;

import dev.gyre.atomics.Memory;
import dev.gyre.kernels.JvmLauncher;
import dev.gyre.structures.map.TextLongMap;
import dev.gyre.structures.map.Words;
import java.util.ArrayList;
import java.util.List;

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
  public long total() {
    long[] sum = new long[1];
    counts.forEach((word, count) -> sum[0] += count);
    return sum[0];
  }

  @Override
  public long distinct() {
    return counts.size();
  }

  @Override
  public long countsOf(List<String> words) {
    long sum = 0;
    for (String word : words) {
      sum += counts.getOrDefault(word, 0);
    }
    return sum;
  }

  @Override
  public long countsOfBytes(List<byte[]> words) {
    long sum = 0;
    for (byte[] word : words) {
      sum += counts.getOrDefault(word, 0);
    }
    return sum;
  }

  @Override
  public long countsOfTop(int words) {
    Largest largest = new Largest(words);
    counts.forEach(largest);
    return largest.sum();
  }

  @Override
  public List<String> words() {
    List<String> words = new ArrayList<>();
    counts.forEach((word, count) -> words.add(word));
    return words;
  }

  @Override
  public long bytesOutside() {
    return counts.byteSize();
  }

  @Override
  public void drop() {
    counts.close();
    counts = empty();
  }

  @Override
  public void close() {
    counts.close();
    launcher.close();
  }
}
