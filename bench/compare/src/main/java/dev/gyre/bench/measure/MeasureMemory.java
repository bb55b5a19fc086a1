package dev.gyre.bench.measure;

import dev.gyre.atomics.Memory;
import dev.gyre.bench.map.KeyChoice;
import dev.gyre.bench.map.MapData;
import dev.gyre.bench.map.MapRival;
import dev.gyre.bench.map.MapRival.Setup;
import dev.gyre.bench.map.SetRival;
import dev.gyre.bench.map.TextRival;
import dev.gyre.bench.words.Texts;
import dev.gyre.bench.words.WordRival;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryMXBean;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;

/**
 * Tells how much memory a structure takes for each entry, at rest and at most while it is filled:
 * {@code MeasureMemory type=long|int of=map|set rival=NAME n=N load=0.5 room=given|grown}. Of
 * strings that are given, random words of four to sixteen letters: {@code MeasureMemory type=text
 * rival=NAME n=N room=given|grown}. Of the words of a text: {@code MeasureMemory type=words
 * rival=NAME text=FILE name=TEXT}, or {@code random=N} in place of a text, for so many random words
 * of four to eight letters. One structure for each process, which is to have a heap that becomes no
 * larger than need be.
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

  private static final RandomWords WORDS = new RandomWords(4, 8);

  /** Some longer than what a slot holds. */
  private static final RandomWords KEYS = new RandomWords(4, 16);

  private static final long UNKNOWN = -1;
  private static final MemoryMXBean HEAP = ManagementFactory.getMemoryMXBean();

  /** Makes a structure for so many entries at most. */
  @FunctionalInterface
  private interface Maker {
    Filled make(int most);
  }

  private MeasureMemory() {}

  /** Prints a row. */
  public static void main(String[] args) throws IOException {
    Arguments arguments = new Arguments(args);
    String type = arguments.text("type", "long");
    switch (type) {
      case "words" -> words(arguments);
      case "text" -> texts(arguments);
      default -> {
        if (arguments.text("of", "map").equals("set")) {
          set(arguments, type.equals("long"), "type=" + type);
        } else {
          map(arguments, type.equals("long"), "type=" + type);
        }
      }
    }
  }

  private static String rival(Arguments arguments) {
    return arguments.text("rival", "").toUpperCase(Locale.ROOT);
  }

  private static String room(Arguments arguments) {
    return arguments.text("room", "given");
  }

  private static int capacity(Arguments arguments, int entries) {
    return room(arguments).equals("given") ? entries : 1;
  }

  private static MapData<long[]> longs(int n) {
    return MapData.ofLongs(KeyChoice.UNIQUE, n, 100);
  }

  private static MapData<int[]> ints(int n) {
    return MapData.ofInts(KeyChoice.UNIQUE, n, 100);
  }

  private static Filled.Part<long[]> part(long[] all) {
    return (from, to) -> Arrays.copyOfRange(all, from, to);
  }

  private static Filled.Part<int[]> part(int[] all) {
    return (from, to) -> Arrays.copyOfRange(all, from, to);
  }

  private static void map(Arguments arguments, boolean longs, String type) throws IOException {
    MapRival rival = MapRival.valueOf(rival(arguments));
    int n = arguments.number("n", 1 << 20);
    double load = arguments.real("load", 0.5);
    MapData<long[]> all = longs(longs ? n : 1);
    MapData<int[]> ints = ints(longs ? 1 : n);
    String own = rival.takesLoadFactor() ? Double.toString(load) : "own";
    measure(
        "map-memory",
        rival.label(),
        "%s load=%s room=%s".formatted(type, own, room(arguments)),
        most -> {
          int entries = Math.min(most, n);
          Setup setup = new Setup(capacity(arguments, entries), load, 1);
          return longs
              ? new Filled.OfMap<>(
                  rival.ofLongs(setup), part(all.keys()), part(all.values()), entries)
              : new Filled.OfMap<>(
                  rival.ofInts(setup), part(ints.keys()), part(ints.values()), entries);
        });
  }

  private static void set(Arguments arguments, boolean longs, String type) throws IOException {
    SetRival rival = SetRival.valueOf(rival(arguments));
    int n = arguments.number("n", 1 << 20);
    double load = arguments.real("load", 0.5);
    MapData<long[]> all = longs(longs ? n : 1);
    MapData<int[]> ints = ints(longs ? 1 : n);
    measure(
        "set-memory",
        rival.label(),
        "%s load=%s room=%s".formatted(type, load, room(arguments)),
        most -> {
          int entries = Math.min(most, n);
          Setup setup = new Setup(capacity(arguments, entries), load, 1);
          return longs
              ? new Filled.OfSet<>(rival.ofLongs(setup), part(all.keys()), entries)
              : new Filled.OfSet<>(rival.ofInts(setup), part(ints.keys()), entries);
        });
  }

  private static void texts(Arguments arguments) throws IOException {
    TextRival rival = TextRival.valueOf(rival(arguments));
    int n = arguments.number("n", 1 << 20);
    measure(
        "text-memory",
        rival.label(),
        "type=text load=own room=" + room(arguments),
        most -> {
          int entries = Math.min(most, n);
          return new Filled.OfSet<>(
              rival.open(capacity(arguments, entries)), KEYS::strings, entries);
        });
  }

  private static void words(Arguments arguments) throws IOException {
    WordRival rival = WordRival.valueOf(rival(arguments));
    int random = arguments.number("random", 0);
    byte[] once =
        random > 0 ? WORDS.text(random) : Files.readAllBytes(Path.of(arguments.text("text", "")));
    try (Memory few = Texts.repeated(Arrays.copyOf(once, Math.min(WARM, once.length)), 1);
        Memory all = Texts.repeated(once, 1)) {
      measure(
          "word-memory",
          rival.label(),
          "text=" + arguments.text("name", random > 0 ? "random" : "text"),
          most -> new Filled.OfWords(rival.open(1), most == WARM ? few : all));
    }
  }

  /** Fills a structure twice, of which the first time does not count, and prints a row. */
  private static void measure(String benchmark, String implementation, String params, Maker maker)
      throws IOException {
    try (Filled warm = maker.make(WARM)) {
      long _ = warm.fill();
    }
    long before = used();
    long present = status("VmRSS:");
    Files.writeString(Path.of("/proc/self/clear_refs"), "5");
    try (Filled subject = maker.make(Integer.MAX_VALUE)) {
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
}
