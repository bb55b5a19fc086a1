package dev.gyre.bench.measure;

import dev.gyre.atomics.Memory;
import dev.gyre.bench.words.Questions;
import dev.gyre.bench.words.RivalCounter;
import dev.gyre.bench.words.Texts;
import dev.gyre.bench.words.WordRival;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Times counts of words on the JVM, and what is asked of them: {@code MeasureWords text=FILE
 * name=TEXT repeat=1 op=count|pieces|lookup|prefix threads=1,2 rivals=all|NAME,... pieces=BYTES,...
 * hits=100 runs=11 seconds=20}. In pieces about that long, one after the other, our trie alone
 * counts.
 */
public final class MeasureWords {

  private final Memory text;
  private final List<String> known;
  private final long words;
  private final RivalCounter reference;

  private MeasureWords(byte[] once, int repeat) {
    text = Texts.repeated(once, repeat);
    // What none of the measured threads can have spoilt.
    reference = WordRival.CONCURRENT_HASH_MAP.open(1);
    reference.count(text);
    known = reference.words();
    words = reference.total();
  }

  /** Prints a row per rival and number of threads. */
  public static void main(String[] args) throws IOException {
    Arguments arguments = new Arguments(args);
    byte[] once = Files.readAllBytes(Path.of(arguments.text("text", "")));
    int repeat = arguments.number("repeat", 1);
    MeasureWords measure = new MeasureWords(once, repeat);
    List<WordTrial> trials =
        switch (arguments.text("op", "count")) {
          case "count" ->
              measure.counts(
                  arguments.numbers("threads", "1"),
                  arguments.text("rivals", "all"),
                  "text=%s repeat=%d".formatted(arguments.text("name", "text"), repeat));
          case "pieces" ->
              measure.pieces(
                  arguments.numbers("threads", "1"),
                  arguments.numbers("pieces", "16384,65536,262144,1048576"));
          case "lookup" -> measure.lookups(arguments.number("hits", 100));
          case "prefix" -> measure.prefixes();
          default ->
              throw new IllegalArgumentException("op must be count, pieces, lookup or prefix");
        };
    boolean counts = List.of("count", "pieces").contains(arguments.text("op", "count"));
    Map<Trial, List<Long>> times = Rounds.of(arguments).measure(trials);
    for (WordTrial trial : trials) {
      Row.Work work =
          new Row.Work(
              Processor.name(),
              trial.n(),
              measure.text.byteSize(),
              trial.threads(),
              counts ? "bytes/s" : "lookups/s");
      System.out.println(
          Row.of(
                  trial.benchmark(),
                  trial.implementation(),
                  "jvm",
                  work,
                  trial.params(),
                  times.getOrDefault(trial, List.of()))
              .line());
      trial.close();
    }
    measure.reference.close();
  }

  private List<WordTrial> counts(List<Integer> threadCounts, String names, String params) {
    List<WordTrial> trials = new ArrayList<>();
    for (int threads : threadCounts) {
      for (WordRival rival : WordRival.values()) {
        boolean wanted = names.equals("all") || List.of(names.split(",")).contains(rival.name());
        if (wanted && (threads == 1 || rival.isConcurrent())) {
          trials.add(new WordTrial.Count(rival, threads, params, text, words, known.size()));
        }
      }
    }
    return trials;
  }

  private List<WordTrial> pieces(List<Integer> threadCounts, List<Integer> sizes) {
    List<WordTrial> trials = new ArrayList<>();
    for (int threads : threadCounts) {
      for (int bytes : sizes) {
        List<Memory> pieces = Texts.pieces(text, bytes);
        trials.add(new WordTrial.Pieces(threads, "piece=" + bytes, text, pieces, words));
      }
    }
    return trials;
  }

  private List<WordTrial> lookups(int hits) {
    List<String> asked = Questions.words(known, hits);
    long expected = reference.countsOf(asked);
    List<WordTrial> trials = new ArrayList<>();
    for (WordRival rival : WordRival.values()) {
      trials.add(new WordTrial.Lookup(rival, "hits=" + hits, text, asked, expected));
    }
    return trials;
  }

  private List<WordTrial> prefixes() {
    try (RivalCounter patricia = WordRival.PATRICIA_TRIE.open(1)) {
      patricia.count(text);
      long expected = patricia.countsUnder(Questions.prefixes());
      List<WordTrial> trials = new ArrayList<>();
      for (WordRival rival : WordRival.values()) {
        if (rival.hasPrefixes()) {
          trials.add(new WordTrial.Prefix(rival, text, expected));
        }
      }
      return trials;
    }
  }
}
