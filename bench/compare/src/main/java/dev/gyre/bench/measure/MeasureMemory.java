package dev.gyre.bench.measure;

import dev.gyre.atomics.Memory;
import dev.gyre.bench.map.KeyChoice;
import dev.gyre.bench.map.MapData;
import dev.gyre.bench.map.MapRival;
import dev.gyre.bench.map.MapRival.Setup;
import dev.gyre.bench.map.RivalMap;
import dev.gyre.bench.words.RivalCounter;
import dev.gyre.bench.words.Texts;
import dev.gyre.bench.words.WordRival;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryMXBean;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import java.util.SplittableRandom;

/**
 * Tells how much memory a structure takes for each entry, at rest and at most while it is filled:
 * {@code MeasureMemory type=long|int rival=NAME n=N load=0.5 room=given|grown}, or of words {@code
 * MeasureMemory type=words rival=NAME text=FILE name=TEXT}, or {@code random=N} in place of a text,
 * for so many random words of four to eight letters. One structure for each process, which is to
 * have a heap that becomes no larger than need be.
 *
 * <p>At rest is what is in use of the heap after a collection, and what is outside of it. The most
 * is by how much more of the machine's memory the process had, garbage included, as Linux tells: it
 * runs on Linux only.
 */
public final class MeasureMemory {

  /** The unit of what is measured. */
  public static final String UNIT = "bytes/entry";

  /** Entries of a structure that is filled first, so that classes are there. */
  private static final int WARM = 1 << 12;

  /** Keys of a call. */
  private static final int CALL = 1 << 12;

  /** Of random words. */
  private static final int FEWEST_LETTERS = 4;

  private static final int MOST_LETTERS = 8;
  private static final int LETTERS = 26;

  private static final long UNKNOWN = -1;
  private static final MemoryMXBean HEAP = ManagementFactory.getMemoryMXBean();

  /** A structure that can be filled. */
  private interface Subject extends AutoCloseable {
    /** Puts entries in; returns how many there are. */
    long fill();

    long bytesOutside();

    @Override
    void close();
  }

  /** Makes a subject for so many entries at most. */
  @FunctionalInterface
  private interface Maker {
    Subject make(int most);
  }

  private MeasureMemory() {}

  /** Prints a row. */
  public static void main(String[] args) throws IOException {
    Arguments arguments = new Arguments(args);
    String type = arguments.text("type", "long");
    if (type.equals("words")) {
      words(arguments);
    } else {
      map(arguments, type.equals("long"), "type=" + type);
    }
  }

  private static void map(Arguments arguments, boolean longs, String type) throws IOException {
    MapRival rival = MapRival.valueOf(arguments.text("rival", "").toUpperCase(Locale.ROOT));
    int n = arguments.number("n", 1 << 20);
    double load = arguments.real("load", 0.5);
    String room = arguments.text("room", "given");
    MapData<long[]> all = MapData.ofLongs(KeyChoice.UNIQUE, longs ? n : 1, 100);
    MapData<int[]> ints = MapData.ofInts(KeyChoice.UNIQUE, longs ? 1 : n, 100);
    String own = rival.takesLoadFactor() ? Double.toString(load) : "own";
    measure(
        "map-memory",
        rival.label(),
        "%s load=%s room=%s".formatted(type, own, room),
        most -> {
          int entries = Math.min(most, n);
          Setup setup = new Setup(room.equals("given") ? entries : 1, load, 1);
          return longs
              ? new OfMap<>(
                  rival.ofLongs(setup), all.keys(), all.values(), Arrays::copyOfRange, entries)
              : new OfMap<>(
                  rival.ofInts(setup), ints.keys(), ints.values(), Arrays::copyOfRange, entries);
        });
  }

  private static void words(Arguments arguments) throws IOException {
    WordRival rival = WordRival.valueOf(arguments.text("rival", "").toUpperCase(Locale.ROOT));
    int random = arguments.number("random", 0);
    byte[] once =
        random > 0 ? randomWords(random) : Files.readAllBytes(Path.of(arguments.text("text", "")));
    try (Memory few = Texts.repeated(Arrays.copyOf(once, Math.min(WARM, once.length)), 1);
        Memory all = Texts.repeated(once, 1)) {
      measure(
          "word-memory",
          rival.label(),
          "text=" + arguments.text("name", random > 0 ? "random" : "text"),
          most -> new OfWords(rival.open(1), most == WARM ? few : all));
    }
  }

  private static byte[] randomWords(int words) {
    SplittableRandom random = new SplittableRandom(words);
    byte[] text = new byte[words * (MOST_LETTERS + 1)];
    int at = 0;
    for (int i = 0; i < words; i++) {
      for (int left = random.nextInt(FEWEST_LETTERS, MOST_LETTERS + 1); left > 0; left--) {
        text[at++] = (byte) ('a' + random.nextInt(LETTERS));
      }
      text[at++] = ' ';
    }
    return Arrays.copyOf(text, at);
  }

  /** Fills a structure twice, of which the first time does not count, and prints a row. */
  private static void measure(String benchmark, String implementation, String params, Maker maker)
      throws IOException {
    try (Subject warm = maker.make(WARM)) {
      long _ = warm.fill();
    }
    long before = used();
    long present = status("VmRSS:");
    Files.writeString(Path.of("/proc/self/clear_refs"), "5");
    try (Subject subject = maker.make(Integer.MAX_VALUE)) {
      long entries = subject.fill();
      long most = status("VmHWM:") - present;
      long rest = used() - before + subject.bytesOutside();
      System.out.println(
          new Row(
                  benchmark,
                  implementation,
                  "jvm",
                  Processor.name(),
                  entries,
                  rest,
                  1,
                  params + " peak=" + String.format(Locale.ROOT, "%.1f", most / (double) entries),
                  0,
                  0,
                  0,
                  rest / (double) entries,
                  UNIT,
                  "")
              .line());
    }
  }

  /** Bytes of the heap that are in use. */
  private static long used() {
    for (int i = 0; i < 3; i++) {
      System.gc();
    }
    return HEAP.getHeapMemoryUsage().getUsed();
  }

  /** A number of bytes that Linux knows about this process. */
  private static long status(String name) throws IOException {
    return Files.readAllLines(Path.of("/proc/self/status")).stream()
        .filter(line -> line.startsWith(name))
        .map(line -> Long.parseLong(line.replaceAll("[^0-9]", "")) << 10)
        .findFirst()
        .orElse(UNKNOWN);
  }

  /** Copies a part of an array. */
  @FunctionalInterface
  private interface Part<A> {
    A copy(A all, int from, int to);
  }

  private record OfMap<A>(RivalMap<A> map, A keys, A values, Part<A> part, int entries)
      implements Subject {

    @Override
    public long fill() {
      map.empty();
      long inserted = 0;
      for (int at = 0; at < entries; at += CALL) {
        int to = Math.min(entries, at + CALL);
        inserted += map.insert(part.copy(keys, at, to), part.copy(values, at, to));
      }
      return inserted;
    }

    @Override
    public long bytesOutside() {
      return map.bytesOutside();
    }

    @Override
    public void close() {
      map.drop();
      map.close();
    }
  }

  private record OfWords(RivalCounter counter, Memory text) implements Subject {

    @Override
    public long fill() {
      counter.prepare(text);
      counter.count(text);
      return counter.distinct();
    }

    @Override
    public long bytesOutside() {
      return counter.bytesOutside();
    }

    @Override
    public void close() {
      counter.close();
    }
  }
}
