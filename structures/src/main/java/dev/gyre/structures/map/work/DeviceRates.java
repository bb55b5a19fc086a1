package dev.gyre.structures.map.work;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * How fast a device reaches its memory, and begins kernels; what it costs to insert one by one and
 * by regions is reckoned from that.
 *
 * @param byteNanos nanoseconds for a byte that is read or written where a memory is copied
 * @param linkNanos nanoseconds that each kernel of a chain takes at least
 * @param swapNanos nanoseconds for a compare-and-exchange at random among many, in tables of {@link
 *     #FIRST} bytes, twice as many, and so on
 */
public record DeviceRates(double byteNanos, double linkNanos, List<Double> swapNanos) {

  /** Bytes of the smallest table: in the caches of all. */
  static final long FIRST = 1L << 22;

  /** For tables in between, on a line; for smaller and larger ones as for the last. */
  public double swapNanos(long tableBytes) {
    double doublings = Math.log((double) Math.max(FIRST, tableBytes) / FIRST) / Math.log(2);
    double at = Math.min(doublings, swapNanos.size() - 1.0);
    int before = (int) at;
    int behind = Math.min(before + 1, swapNanos.size() - 1);
    double share = at - before;
    return (1 - share) * swapNanos.get(before) + share * swapNanos.get(behind);
  }

  /** As it is kept. */
  String format() {
    return swapNanos.stream()
        .map(DeviceRates::format)
        .collect(Collectors.joining(" ", format(byteNanos) + " " + format(linkNanos) + " ", ""));
  }

  private static String format(double nanos) {
    return String.format(Locale.ROOT, "%.3g", nanos);
  }

  /** What was kept; none where it is damaged. */
  static Optional<DeviceRates> parse(String kept) {
    try {
      List<Double> all =
          Arrays.stream(kept.strip().split(" ", -1)).map(Double::parseDouble).toList();
      return all.size() > 2 && all.stream().allMatch(d -> d > 0 && d < Double.POSITIVE_INFINITY)
          ? Optional.of(new DeviceRates(all.get(0), all.get(1), all.subList(2, all.size())))
          : Optional.empty();
    } catch (NumberFormatException e) {
      return Optional.empty();
    }
  }
}
