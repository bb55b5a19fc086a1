package dev.gyre.bench.compare;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.LongStream;

/**
 * How many cores other programs use meanwhile, as Linux counts: the busy time of all processors
 * without that of this process and its children. Unknown systems have none.
 */
final class OtherLoad {

  /** Of each core, from which on rows are marked. */
  static final double TOO_MUCH = 0.1;

  private static final Path ALL = Path.of("/proc/stat");
  private static final Path OWN = Path.of("/proc/self/stat");

  /**
   * Index of utime in {@code /proc/self/stat} behind the state; stime, cutime and cstime follow.
   */
  private static final int FIRST_TIME = 10;

  private static final int TIMES = 4;
  private static final double TICKS_A_SECOND = 100;

  private final long start = System.nanoTime();
  private final long busy = busy();
  private final long own = own();

  /** Returns the cores that others have used since this was made. */
  double cores() {
    double seconds = (System.nanoTime() - start) / 1e9;
    return Math.max(0, (busy() - busy - (own() - own)) / TICKS_A_SECOND / seconds);
  }

  /** Returns the ticks of user, nice, system, interrupts and stolen time. */
  private static long busy() {
    long[] ticks = numbers(ALL, "^cpu +");
    return LongStream.of(ticks).limit(8).sum() - (ticks.length > 4 ? ticks[3] + ticks[4] : 0);
  }

  private static long own() {
    long[] fields = numbers(OWN, "^.*\\) . ");
    return LongStream.of(fields).skip(FIRST_TIME).limit(TIMES).sum();
  }

  private static long[] numbers(Path file, String front) {
    try {
      String line = Files.readAllLines(file).getFirst().replaceFirst(front, "");
      return Arrays.stream(line.strip().split(" "))
          .limit(FIRST_TIME + TIMES)
          .mapToLong(Long::parseLong)
          .toArray();
    } catch (IOException _) {
      return new long[0];
    }
  }
}
