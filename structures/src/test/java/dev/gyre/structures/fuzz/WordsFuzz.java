package dev.gyre.structures.fuzz;

import dev.gyre.structures.Checks;
import dev.gyre.structures.map.Apply;
import dev.gyre.structures.map.InsertCounts;
import dev.gyre.structures.map.MapBuilder;
import dev.gyre.structures.map.TextCombiner;
import dev.gyre.structures.map.TextLongMap;
import dev.gyre.structures.map.Texts;
import dev.gyre.structures.map.Words;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Words of texts on their way to a map, against a {@code TreeMap}. */
record WordsFuzz() implements FuzzTarget {

  @Override
  public String name() {
    return "TextCombiner";
  }

  @Override
  public List<String> operations() {
    return FuzzTarget.words("countWords countWords addWords addWords combine combine beside clear");
  }

  @Override
  public Run start(long seed, FuzzSetting setting) {
    return new WordsRun(seed, setting);
  }

  private static final class WordsRun implements Run {

    private final FuzzSetting setting;
    private final TextLongMap map;
    private final Map<String, Long> model = new TreeMap<>();

    WordsRun(long seed, FuzzSetting setting) {
      this.setting = setting;
      MapBuilder<TextLongMap> builder =
          TextLongMap.builder().workers(setting.threads()).capacity(1 + (seed & 0xfff));
      this.map =
          (setting.launcher() == null ? builder : builder.launcher(setting.launcher())).build();
    }

    @Override
    public void step(FuzzStep step) {
      Apply apply =
          MapBulk.CHANGES[(int) Long.remainderUnsigned(step.first(), MapBulk.CHANGES.length)];
      switch (step.operation()) {
        case "countWords" -> countWords(step);
        case "addWords" -> addWords(step);
        case "combine" -> combine(step, apply);
        case "beside" -> beside(step);
        default -> {
          map.clear();
          model.clear();
        }
      }
      Checks.same("size after " + step.operation(), (long) model.size(), map.size());
    }

    /** Of ASCII letters or of all there is between blanks, in any case and script. */
    private static Words words(FuzzStep step) {
      return (step.first() & 1) == 0 ? Words.ASCII_LETTERS : Words.NOT_BLANK;
    }

    private static byte[] text(FuzzStep step) {
      StringBuilder text = new StringBuilder();
      for (int i = 0; i < step.keys().length; i++) {
        text.append(Texts.written(step.keys()[i], step.values()[i], (step.values()[i] & 64) != 0));
      }
      return text.toString().getBytes(StandardCharsets.UTF_8);
    }

    /** As its Javadoc says, a byte at a time. */
    private List<String> counted(byte[] text, Words words, long value) {
      List<String> all = new ArrayList<>();
      int begin = -1;
      for (int i = 0; i <= text.length; i++) {
        boolean inside = i < text.length && isInside(text[i], words);
        if (inside && begin < 0) {
          begin = i;
        } else if (!inside && begin >= 0) {
          String word = new String(text, begin, i - begin, StandardCharsets.UTF_8);
          all.add(words == Words.ASCII_LETTERS ? lower(word) : word);
          begin = -1;
        }
      }
      all.forEach(word -> model.merge(word, value, Long::sum));
      return all;
    }

    private static boolean isInside(byte b, Words words) {
      boolean letter = (b >= 'a' && b <= 'z') || (b >= 'A' && b <= 'Z');
      return words == Words.ASCII_LETTERS ? letter : (b & 0xff) > ' ';
    }

    private static String lower(String word) {
      return word.chars()
          .map(c -> c | 0x20)
          .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
          .toString();
    }

    private void countWords(FuzzStep step) {
      byte[] text = text(step);
      long expected = counted(text, words(step), 1).size();
      Checks.same("words", expected, map.countWords(MemorySegment.ofArray(text), words(step)));
    }

    /** In two parts, of a text outside the heap, cut anywhere. */
    private void addWords(FuzzStep step) {
      byte[] text = text(step);
      long value = step.values().length == 0 ? 1 : step.values()[0];
      long cut = Long.remainderUnsigned(value, text.length + 1);
      long expected = counted(text, words(step), value).size();
      try (Arena arena = Arena.ofConfined();
          TextCombiner one = new TextCombiner(map, Apply.ADD);
          TextCombiner other = new TextCombiner(map, Apply.ADD)) {
        MemorySegment there = arena.allocate(text.length);
        there.copyFrom(MemorySegment.ofArray(text));
        long words = one.addWords(there, 0, cut, words(step), value);
        words += other.addWords(there, cut, text.length, words(step), value);
        Checks.same("words of two parts", expected, words);
      }
    }

    /** One by one, as strings and as bytes; flushed now and then. */
    private void combine(FuzzStep step, Apply apply) {
      try (TextCombiner combiner = new TextCombiner(map, apply)) {
        long gone = 0;
        for (int i = 0; i < step.keys().length; i++) {
          String key = Texts.text(step.keys()[i]);
          // Which of several is assigned last, a device does not say.
          long value = apply == Apply.ASSIGN ? step.keys()[i] * 31 : step.values()[i];
          if ((value & 1) == 0) {
            combiner.add(key, value);
          } else {
            byte[] bytes = (" " + key + " ").getBytes(StandardCharsets.UTF_8);
            combiner.add(bytes, 1, bytes.length - 1, value);
          }
          model.merge(key, value, (a, b) -> MapBulk.applied(apply, a, b));
          if ((value & 0xff) == 6) {
            InsertCounts counts = combiner.flush();
            gone += counts.inserted();
            Checks.same("full", 0L, counts.full());
            compare();
          }
        }
        Checks.same("inserted no more than there are", true, gone <= model.size());
      }
    }

    /** Threads, each with a combiner of its own. */
    private void beside(FuzzStep step) {
      FuzzThreads.run(
          setting.threads(),
          thread -> {
            try (TextCombiner combiner = new TextCombiner(map, Apply.ADD)) {
              for (int i = thread; i < step.keys().length; i += setting.threads()) {
                combiner.add(Texts.text(step.keys()[i]), step.values()[i]);
              }
            }
          });
      for (int i = 0; i < step.keys().length; i++) {
        model.merge(Texts.text(step.keys()[i]), step.values()[i], Long::sum);
      }
    }

    @Override
    public void compare() {
      Map<String, Long> entries = new TreeMap<>();
      map.forEachBytes(
          (key, value) ->
              entries.merge(
                  new String(key, StandardCharsets.UTF_8), value, (a, b) -> FuzzTarget.TWICE));
      FuzzTarget.sameEntries("forEachBytes", model, entries);
    }

    @Override
    public void close() {
      map.close();
    }
  }
}
