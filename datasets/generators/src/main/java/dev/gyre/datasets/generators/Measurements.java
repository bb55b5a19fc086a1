package dev.gyre.datasets.generators;

import java.nio.charset.StandardCharsets;
import java.util.stream.Stream;

/**
 * Seeded lines of a station and a temperature, as in the one-billion-row challenge: {@code
 * Nuprea;-12.3}.
 *
 * <p>Each station has a mean temperature, from which temperatures differ by about 10 degrees. Row
 * {@code i} depends only on the seed and {@code i}, so that several threads generate parts.
 *
 * <p>Immutable. Every JVM generates the same rows.
 */
public final class Measurements {

  /** Number of stations of the challenge. */
  public static final int STATIONS = 413;

  /** Longest name of a station, in bytes. */
  public static final int MAX_NAME_BYTES = 100;

  /** Longest row, in bytes. */
  public static final int MAX_ROW_BYTES = MAX_NAME_BYTES + ";-99.9\n".length();

  private static final int MAX_TENTHS = 999;
  private static final int MEAN_TENTHS = 100;
  private static final int MEAN_RANGE = 500;

  /** Each of four random numbers, whose sum has a standard deviation of 10 degrees. */
  private static final int DIFFERENCE = 173;

  private static final int DIFFERENCES = 4;
  private static final int DIFFERENCE_BITS = 12;

  private final long seed;
  private final byte[][] names;
  private final int[] means;

  private Measurements(long seed, byte[][] names) {
    this.seed = seed;
    this.names = names;
    this.means = new int[names.length];
    SplitMix random = new SplitMix(~seed);
    for (int i = 0; i < means.length; i++) {
      means[i] = MEAN_TENTHS - MEAN_RANGE / 2 + random.nextInt(MEAN_RANGE);
    }
  }

  /**
   * Returns rows of stations with pronounceable names.
   *
   * @param stations number of stations, at least 1
   */
  public static Measurements ofStations(long seed, int stations) {
    byte[][] names = Vocabulary.words(requirePositive(stations), new SplitMix(seed));
    for (byte[] name : names) {
      name[0] = (byte) Character.toUpperCase(name[0]);
    }
    return new Measurements(seed, names);
  }

  /**
   * Returns rows of stations whose names are random characters of Unicode, of 1 to {@value
   * #MAX_NAME_BYTES} bytes, without semicolons and control characters.
   *
   * @param stations number of stations, 1 to 2^20
   */
  public static Measurements ofAnyNames(long seed, int stations) {
    SplitMix random = new SplitMix(seed);
    return new Measurements(
        seed,
        Stream.generate(() -> name(random))
            .distinct()
            .limit(requirePositive(stations))
            .map(name -> name.getBytes(StandardCharsets.UTF_8))
            .toArray(byte[][]::new));
  }

  private static int requirePositive(int stations) {
    if (stations < 1 || stations > 1 << 20) {
      throw new IllegalArgumentException("1 to 2^20 stations, not " + stations);
    }
    return stations;
  }

  private static String name(SplitMix random) {
    int bytes = 1 + random.nextInt(MAX_NAME_BYTES);
    StringBuilder name = new StringBuilder();
    int left = bytes;
    while (left > 0) {
      // Characters of one to four bytes.
      int most =
          switch (left) {
            case 1 -> 0x7f;
            case 2 -> 0x7ff;
            case 3 -> 0xffff;
            default -> Character.MAX_CODE_POINT;
          };
      int c = ' ' + random.nextInt(random.nextInt(2) == 0 ? 0x7f - ' ' : most - ' ');
      if (c != ';'
          && c != 0x7f
          && Character.isDefined(c)
          && !Character.isISOControl(c)
          && Character.getType(c) != Character.SURROGATE) {
        name.appendCodePoint(c);
        left -= c <= 0x7f ? 1 : c <= 0x7ff ? 2 : c <= 0xffff ? 3 : 4;
      }
    }
    return name.toString();
  }

  /** Returns the station of a row. */
  private int station(long row) {
    return (int) SplitMix.bounded(SplitMix.at(seed, row), names.length);
  }

  /** Returns the temperature of a row, in tenths of a degree: -999 to 999. */
  private int tenths(long row) {
    long random = SplitMix.at(~seed, row);
    long sum = 0;
    for (int i = 0; i < DIFFERENCES; i++) {
      long part = random & ((1 << DIFFERENCE_BITS) - 1);
      sum += ((part * 2 * DIFFERENCE) >> DIFFERENCE_BITS) - DIFFERENCE;
      random >>>= DIFFERENCE_BITS;
    }
    return Math.clamp(means[station(row)] + sum, -MAX_TENTHS, MAX_TENTHS);
  }

  /**
   * Writes rows.
   *
   * @param to destination, with at least {@link #MAX_ROW_BYTES} bytes per row from {@code at} on
   * @return the end of the last row in {@code to}
   */
  public int write(long firstRow, int rows, byte[] to, int at) {
    int end = at;
    for (long row = firstRow; row < firstRow + rows; row++) {
      byte[] name = names[station(row)];
      System.arraycopy(name, 0, to, end, name.length);
      end += name.length;
      int tenths = tenths(row);
      to[end++] = ';';
      if (tenths < 0) {
        to[end++] = '-';
        tenths = -tenths;
      }
      if (tenths >= 100) {
        to[end++] = (byte) ('0' + tenths / 100);
      }
      to[end++] = (byte) ('0' + tenths / 10 % 10);
      to[end++] = '.';
      to[end++] = (byte) ('0' + tenths % 10);
      to[end++] = '\n';
    }
    return end;
  }
}
