package dev.gyre.structures.fuzz;

import dev.gyre.atomics.Bytes;
import dev.gyre.atomics.ClosedException;
import dev.gyre.atomics.DeviceLongs;
import dev.gyre.atomics.GyreException;
import dev.gyre.atomics.Memory;
import dev.gyre.datasets.ByteProgress;
import dev.gyre.datasets.TextSource;
import dev.gyre.kernels.Kernel;
import dev.gyre.kernels.LaunchShape;
import dev.gyre.kernels.Launcher;
import dev.gyre.kernels.Stage;
import dev.gyre.kernels.trie.Alphabet;
import dev.gyre.kernels.trie.NodeSize;
import dev.gyre.kernels.trie.TrieRef;
import dev.gyre.structures.Checks;
import dev.gyre.structures.StructureException;
import dev.gyre.structures.map.Sources;
import dev.gyre.structures.map.Texts;
import dev.gyre.structures.trie.WordCount;
import dev.gyre.structures.trie.WordTrie;
import dev.gyre.structures.trie.WordTrieBuilder;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Word tries against a {@code TreeMap}, with texts of a grammar of scripts.
 *
 * @param unicode letters of all scripts, and not those of ASCII
 */
record TrieFuzz(boolean unicode) implements FuzzTarget {

  @Override
  public String name() {
    return unicode ? "WordTrie-unicode" : "WordTrie";
  }

  @Override
  public List<String> operations() {
    return FuzzTarget.words(
        """
        add add add addWord addAll count top beginnings ask retain clear trim async
        copyTo saveAndLoad damaged interrupted scarce closed
        """);
  }

  @Override
  public Run start(long seed, FuzzSetting setting) {
    return new TrieRun(unicode, seed, setting);
  }

  /** Asks for the counts of words that lie side by side. */
  record Ask(TrieRef trie, Bytes text, DeviceLongs ends, DeviceLongs counts, int items)
      implements Kernel {
    @Override
    public void run(int thread, LaunchShape shape) {
      for (int i = thread; i < items; i += shape.threads()) {
        counts.set(i, trie.count(text, ends.get(i), ends.get(i + 1)));
      }
    }
  }

  private static final class TrieRun implements Run {

    /** Of handing over a text. */
    private static final long WAYS = 4;

    /** Bytes of a chunk. */
    private static final long LEAST_CHUNK = 1 << 12;

    private final boolean unicode;
    private final long seed;
    private final FuzzSetting setting;
    private final TreeMap<String, Long> model = new TreeMap<>();
    private final FuzzMoves moves;
    private final SplittableRandom sizes;
    private WordTrie trie;
    private @Nullable Launcher device;
    private boolean grouped;

    TrieRun(boolean unicode, long seed, FuzzSetting setting) {
      this.unicode = unicode;
      this.seed = seed;
      this.setting = setting;
      this.moves = new FuzzMoves(setting);
      this.sizes = new SplittableRandom(seed);
      this.trie = create();
    }

    private WordTrie create() {
      device = setting.launcher();
      grouped = false;
      return builder().build();
    }

    private WordTrieBuilder builder() {
      WordTrieBuilder builder =
          WordTrie.builder()
              .alphabet(unicode ? Alphabet.UNICODE_LETTERS : Alphabet.ASCII_LETTERS)
              .nodeSize(sizes.nextBoolean() ? NodeSize.LARGE : NodeSize.SMALL)
              .initialNodes(1 + (seed & 0x3ff))
              .workers(setting.threads());
      return setting.launcher() == null ? builder : builder.launcher(setting.launcher());
    }

    @Override
    public void step(FuzzStep step) throws IOException {
      switch (step.operation()) {
        case "add" -> {
          var _ = add(trie, step);
        }
        case "addWord" -> addWord(step);
        case "addAll" -> {
          try (WordTrie other = builder().build()) {
            var _ = add(other, step);
            var _ = trie.addAll(other);
          }
        }
        case "count" -> count(step);
        case "top" -> {
          int most = (int) (step.first() & 0x1f);
          top("", most, trie.top(most));
          String prefix = half(Texts.word(step.first() >>> 5, unicode));
          top(prefix, most, trie.top(prefix, most));
        }
        case "beginnings" -> beginnings(step);
        case "ask" -> ask(step);
        case "retain" -> {
          long least = 1 + (step.first() & 7);
          trie.retain(least);
          model.values().removeIf(count -> count < least);
        }
        case "clear" -> {
          trie.clear();
          model.clear();
        }
        case "trim" -> trie.trim();
        case "async" -> {
          Stage<?> first = trie.async(same -> same.size());
          Stage<?> stage = trie.async(same -> add(same, step));
          var _ = stage.join();
          Checks.same("stages keep their order", true, first.isDone());
        }
        case "copyTo" -> {
          FuzzMoves.Place place = moves.choose(step.first());
          WordTrie copy = trie.copyTo(place.launcher());
          trie.close();
          trie = copy;
          device = place.device();
          grouped = place.isGroup();
        }
        case "saveAndLoad" -> saveAndLoad(step.first(), false);
        case "damaged" -> saveAndLoad(step.first(), true);
        case "interrupted" -> {
          Thread.currentThread().interrupt();
          disturbed(step, () -> {});
        }
        case "scarce" -> scarce(step);
        default -> closed();
      }
      Checks.same("size", (long) model.size(), trie.size());
      Checks.same("total", total(model), trie.total());
    }

    @Override
    public void compare() {
      check("");
    }

    /** A text of words, each followed by what is between words. */
    private WordTrie add(WordTrie to, FuzzStep step) {
      StringBuilder text = new StringBuilder();
      for (int i = 0; i < step.keys().length; i++) {
        text.append(Texts.written(step.keys()[i], step.values()[i], unicode));
        model.merge(Texts.word(step.keys()[i], unicode), 1L, Long::sum);
      }
      return switch ((int) Math.floorMod(step.first(), WAYS)) {
        case 0 -> to.add(text);
        case 1 -> addMemory(to, bytes(text));
        case 2 -> addFile(to, bytes(text));
        default -> addSource(to, bytes(text), step.first());
      };
    }

    private static byte[] bytes(CharSequence text) {
      return text.toString().getBytes(StandardCharsets.UTF_8);
    }

    private static WordTrie addMemory(WordTrie to, byte[] text) {
      try (Memory memory = Memory.ofBytes(text.length + 1)) {
        memory.segment().copyFrom(MemorySegment.ofArray(text));
        memory.segment().set(ValueLayout.JAVA_BYTE, text.length, (byte) 'x');
        return to.add(memory, text.length);
      }
    }

    private WordTrie addFile(WordTrie to, byte[] text) {
      Path file = setting.folder().resolve("text");
      try {
        Files.write(file, text);
        Path empty = Files.write(setting.folder().resolve("empty"), new byte[0]);
        return to.add(empty, file);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    private static WordTrie addSource(WordTrie to, byte[] text, long bits) {
      TextSource source =
          (bits & 1 << 10) == 0
              ? TextSource.ofMemory(MemorySegment.ofArray(text))
              : TextSource.ofStream("fuzz", new ByteArrayInputStream(text));
      long read =
          (bits & 1 << 11) == 0
              ? to.add(source, ByteProgress.NONE)
              : to.add(source, LEAST_CHUNK << (bits >>> 12 & 3), ByteProgress.NONE);
      Checks.same("bytes read", (long) text.length, read);
      return to;
    }

    private void scarce(FuzzStep step) {
      ScarceMemory.Scarcity scarcity = ScarceMemory.scarcity(step.first() & 0xffff);
      disturbed(step, scarcity::close);
    }

    /** Words of a text that was broken off are counted up to as often as they are in it. */
    private void disturbed(FuzzStep step, Runnable end) {
      TreeMap<String, Long> before = new TreeMap<>(model);
      GyreException failure = null;
      try {
        var _ = add(trie, step);
      } catch (GyreException e) {
        failure = e;
      } finally {
        boolean _ = Thread.interrupted();
        end.run();
      }
      if (failure != null) {
        check(before, failure);
        trie.close();
        trie = create();
        model.clear();
      }
    }

    /** Either it answers, or says that it must be closed. */
    private void check(Map<String, Long> before, GyreException why) {
      try {
        trie.forEach(
            w -> {
              long least = before.getOrDefault(w.word(), 0L);
              boolean fits = w.count() >= least && w.count() <= model.getOrDefault(w.word(), 0L);
              Checks.same("%s of %d or more by %s".formatted(w, least, why), true, fits);
              boolean _ = before.remove(w.word(), least);
            });
        Checks.same("words that were lost by " + why, Map.of(), before);
      } catch (StructureException e) {
        Checks.same(
            "told what to do: " + e, true, String.valueOf(e.getMessage()).contains("close this"));
      }
    }

    private void addWord(FuzzStep step) {
      for (int i = 0; i < step.keys().length; i++) {
        String word = Texts.word(step.keys()[i], unicode);
        long count = 1 + (step.values()[i] & 0xffff);
        trie.addWord(word, count);
        model.merge(word, count, Long::sum);
      }
    }

    private void count(FuzzStep step) {
      for (long key : step.keys()) {
        String word = Texts.word(key, unicode);
        Checks.same("count of " + word, model.getOrDefault(word, 0L), trie.count(word));
        Checks.same("contains " + word, model.containsKey(word), trie.contains(word));
        Checks.same("count of bytes", model.getOrDefault(word, 0L), trie.count(bytes(word)));
      }
      Checks.same("nodes for words", true, trie.nodes() >= model.size());
    }

    /** By a kernel. */
    private void ask(FuzzStep step) {
      if (grouped || step.keys().length == 0) {
        return;
      }
      StringBuilder text = new StringBuilder();
      long[] ends = new long[step.keys().length + 1];
      for (int i = 0; i < step.keys().length; i++) {
        text.append(Texts.word(step.keys()[i], unicode));
        ends[i + 1] = bytes(text).length;
      }
      byte[] all = bytes(text);
      try (Sources sources = new Sources(device, Sources.Way.ARRAYS)) {
        Bytes there = sources.kernelBytes(all);
        DeviceLongs ranges = sources.kernelLongs(ends);
        DeviceLongs counts = sources.kernelLongs(new long[step.keys().length]);
        trie.launch(
            ref -> new Ask(ref, there, ranges, counts, step.keys().length),
            sources.shape(step.keys().length));
        long[] answers = sources.read(counts);
        for (int i = 0; i < answers.length; i++) {
          String word = Texts.word(step.keys()[i], unicode);
          Checks.same("asked for", i, model.getOrDefault(word, 0L), answers[i]);
        }
      }
    }

    private void top(String prefix, int most, List<WordCount> actual) {
      List<Long> expected =
          model.entrySet().stream()
              .filter(e -> e.getKey().startsWith(prefix))
              .map(Map.Entry::getValue)
              .sorted(Comparator.reverseOrder())
              .limit(most)
              .toList();
      Checks.same("top", expected, actual.stream().map(WordCount::count).toList());
      for (WordCount w : actual) {
        Checks.same("count of " + w.word(), model.get(w.word()), w.count());
      }
    }

    private void beginnings(FuzzStep step) {
      for (int i = 0; i < Math.min(20, step.keys().length); i++) {
        String word = Texts.word(step.keys()[i], unicode);
        check(half(word));
        String text = word + word;
        Optional<String> longest =
            model.keySet().stream()
                .filter(text::startsWith)
                .max(Comparator.comparingInt(String::length));
        Checks.same(
            "longestPrefix of " + text, longest, trie.longestPrefix(text).map(WordCount::word));
      }
    }

    private static String half(String word) {
      int letters = word.codePointCount(0, word.length());
      return word.substring(0, word.offsetByCodePoints(0, (letters + 1) / 2));
    }

    /** All words that begin so, and their total. */
    private void check(String prefix) {
      TreeMap<String, Long> expected = new TreeMap<>(model);
      expected.keySet().removeIf(word -> !word.startsWith(prefix));
      TreeMap<String, Long> actual = new TreeMap<>();
      trie.forEach(prefix, w -> actual.merge(w.word(), w.count(), (a, b) -> FuzzTarget.TWICE));
      Checks.same("words that begin with '" + prefix + "'", expected, actual);
      Checks.same("total of '" + prefix + "'", total(expected), trie.total(prefix));
    }

    private static long total(Map<String, Long> words) {
      return words.values().stream().mapToLong(Long::longValue).sum();
    }

    private void saveAndLoad(long bits, boolean damaged) throws IOException {
      Path file = setting.folder().resolve("saved");
      WordTrie loaded;
      if ((bits & 1) == 0 || damaged) {
        trie.save(file);
        if (damaged) {
          FuzzFiles.damage(file, bits, this::load);
        }
        loaded = load(file);
      } else {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        trie.save(out);
        loaded = builder().load(MemorySegment.ofArray(out.toByteArray()));
      }
      trie.close();
      trie = loaded;
      device = setting.launcher();
      grouped = false;
    }

    private WordTrie load(Path file) {
      return builder().load(file);
    }

    private void closed() {
      trie.close();
      try {
        trie.size();
        throw new AssertionError("a closed trie has a size");
      } catch (ClosedException _) {
        model.clear();
        trie = create();
      }
    }

    @Override
    public void close() {
      trie.close();
      moves.close();
    }
  }
}
