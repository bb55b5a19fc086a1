package dev.gyre.bench.device;

import dev.gyre.datasets.Keys;
import dev.gyre.kernels.JvmLauncher;
import dev.gyre.kernels.Launcher;
import dev.gyre.kernels.Launchers;
import dev.gyre.kernels.Target;
import dev.gyre.kernels.map.Hashing;
import dev.gyre.kernels.map.Text;
import dev.gyre.kernels.map.TextHash;
import dev.gyre.structures.map.Apply;
import dev.gyre.structures.map.BulkOptions;
import dev.gyre.structures.map.Longs;
import dev.gyre.structures.map.MapBuilder;
import dev.gyre.structures.map.TextKeys;
import dev.gyre.structures.map.TextLongMap;
import java.util.Arrays;

/**
 * Times maps of texts with our hash, and with ones of users': {@code TextTimes TARGET N RUNS
 * HASH,...}. Keys are N different texts of letters, of 6, 14 and 40 bytes; times are those of whole
 * calls, median and least, of keys that are in {@link TextKeys}.
 *
 * <ul>
 *   <li>{@code ours};
 *   <li>{@code bytes}: a multiplication per word, and the equality of bytes;
 *   <li>{@code any-case}: upper and lower case are the same, a word at a time.
 * </ul>
 */
public final class TextTimes {

  private static final int[] LENGTHS = {6, 14, 40};
  private static final int WARM_UP = 2;
  private static final long SEED = 7;

  /** The keys' hash, a multiplication per word. */
  record OfBytes() implements TextHash {
    @Override
    public long hash(Text key, long seed) {
      long hash = seed ^ key.length();
      for (int i = 0; i < key.words(); i++) {
        hash = (hash ^ key.word(i)) * 0x9e3779b97f4a7c15L;
      }
      return Hashing.hash(hash, seed);
    }
  }

  /** Letters of ASCII in either case are the same. */
  record AnyCase() implements TextHash {
    private static final long EACH = 0x0101010101010101L;
    private static final long HIGHEST = 0x8080808080808080L;

    @Override
    public long hash(Text key, long seed) {
      long hash = seed ^ key.length();
      for (int i = 0; i < key.words(); i++) {
        hash = (hash ^ lower(key.word(i))) * 0x9e3779b97f4a7c15L;
      }
      return Hashing.hash(hash, seed);
    }

    @Override
    public boolean same(Text one, Text other) {
      int words = one.length() == other.length() ? one.words() : 0;
      boolean same = words > 0;
      int i = 0;
      while (i < words) {
        same = lower(one.word(i)) == lower(other.word(i));
        i = same ? i + 1 : words;
      }
      return same;
    }

    private static long lower(long word) {
      long low = word & (0x7f * EACH);
      long fromA = low + (0x80 - 'A') * EACH;
      long behindZ = low + (0x80 - 'Z' - 1) * EACH;
      long upper = fromA & ~behindZ & ~word & HIGHEST;
      return word | (upper >> 2 & (0x20 * EACH));
    }
  }

  private final Launcher launcher;
  private final int runs;
  private final Longs values;
  private final Longs found;

  private TextTimes(Launcher launcher, int n, int runs) {
    this.launcher = launcher;
    this.runs = runs;
    this.values = Longs.of(new long[n]);
    this.found = Longs.of(new long[n]);
  }

  /** Prints a line per hash and length. */
  public static void main(String[] args) {
    Target target = Target.ofLabel(args[0]);
    int n = Integer.parseInt(args[1]);
    try (Launcher launcher = target == Target.JVM ? JvmLauncher.create() : Launchers.open(target)) {
      TextTimes times = new TextTimes(launcher, n, Integer.parseInt(args[2]));
      for (int length : LENGTHS) {
        try (TextKeys keys = keys(n, length)) {
          for (String hash : args[3].split(",", -1)) {
            times.measure(args[0], hash, length, keys);
          }
        }
      }
    }
  }

  private static TextKeys keys(int n, int length) {
    TextKeys keys = new TextKeys();
    Keys random = Keys.unique(SEED);
    byte[] key = new byte[length];
    for (int i = 0; i < n; i++) {
      long letters = random.longAt(i);
      int rest = i;
      for (int at = 0; at < length; at++) {
        // The first six tell a key from all others.
        key[at] = (byte) ('a' + (at < 6 ? rest % 26 : (letters >>> (5 * (at % 12))) & 15));
        rest /= 26;
      }
      var _ = keys.add(key, 0, length);
    }
    return keys;
  }

  private MapBuilder<TextLongMap> builder(String hash, long textBytes) {
    MapBuilder<TextLongMap> builder =
        TextLongMap.builder()
            .launcher(launcher)
            .seed(SEED)
            .capacity(values.length())
            .textBytes(textBytes);
    return switch (hash) {
      case "ours" -> builder;
      case "bytes" -> builder.textHash(new OfBytes());
      case "any-case" -> builder.textHash(new AnyCase());
      default -> throw new IllegalArgumentException("no hash " + hash);
    };
  }

  private void measure(String target, String hash, int length, TextKeys keys) {
    double[][] millis = new double[3][runs];
    for (int run = -WARM_UP; run < runs; run++) {
      try (TextLongMap map = builder(hash, (length + 8L) * keys.count()).build()) {
        long start = System.nanoTime();
        long inserted = map.insert(keys, values, BulkOptions.NONE).inserted();
        long afterInsert = System.nanoTime();
        long there = map.insertOrApply(keys, values, Apply.ADD, BulkOptions.NONE).present();
        long afterApply = System.nanoTime();
        long hits = map.find(keys, found, BulkOptions.NONE).found();
        long end = System.nanoTime();
        if (inserted != keys.count() || there != inserted || hits != inserted) {
          throw new IllegalStateException("%d, %d, %d".formatted(inserted, there, hits));
        }
        if (run >= 0) {
          millis[0][run] = (afterInsert - start) / 1e6;
          millis[1][run] = (afterApply - afterInsert) / 1e6;
          millis[2][run] = (end - afterApply) / 1e6;
        }
      }
    }
    for (double[] all : millis) {
      Arrays.sort(all);
    }
    System.out.printf(
        "%s %s, %d bytes: insert %.2f (%.2f), apply %.2f (%.2f), find %.2f (%.2f) ms%n",
        target,
        hash,
        length,
        millis[0][runs / 2],
        millis[0][0],
        millis[1][runs / 2],
        millis[1][0],
        millis[2][runs / 2],
        millis[2][0]);
  }
}
