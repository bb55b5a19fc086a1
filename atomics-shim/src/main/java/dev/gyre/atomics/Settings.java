package dev.gyre.atomics;

import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads sizes and times from system properties: a whole number and a unit, such as {@code 512m} or
 * {@code 2min}.
 *
 * <table>
 * <caption>Units, in upper or lower case</caption>
 * <tr><th>size<th>bytes<th>time<th>meaning
 * <tr><td>none, b<td>1<td>us<td>microseconds
 * <tr><td>k, kb, KiB<td>2^10<td>ms<td>milliseconds
 * <tr><td>m, mb, MiB<td>2^20<td>none, s<td>seconds
 * <tr><td>g, gb, GiB<td>2^30<td>m, min<td>minutes
 * <tr><td>t, tb, TiB<td>2^40<td>h<td>hours
 * </table>
 *
 * <p>As in options of the JVM, {@code k}, {@code kb} and {@code KiB} all mean 1024 bytes.
 *
 * @since 0.1.0
 */
public final class Settings {

  private static final Pattern NUMBER_AND_UNIT = Pattern.compile("(\\d{1,18}) *(\\p{Alpha}*)");

  private static final Map<String, Long> SIZES =
      Map.ofEntries(
          Map.entry("", 1L),
          Map.entry("b", 1L),
          Map.entry("k", 1L << 10),
          Map.entry("kb", 1L << 10),
          Map.entry("kib", 1L << 10),
          Map.entry("m", 1L << 20),
          Map.entry("mb", 1L << 20),
          Map.entry("mib", 1L << 20),
          Map.entry("g", 1L << 30),
          Map.entry("gb", 1L << 30),
          Map.entry("gib", 1L << 30),
          Map.entry("t", 1L << 40),
          Map.entry("tb", 1L << 40),
          Map.entry("tib", 1L << 40));

  /** In nanoseconds. */
  private static final Map<String, Long> TIMES =
      Map.of(
          "us", 1_000L,
          "ms", 1_000_000L,
          "", 1_000_000_000L,
          "s", 1_000_000_000L,
          "m", 60_000_000_000L,
          "min", 60_000_000_000L,
          "h", 3_600_000_000_000L);

  private Settings() {}

  /**
   * Reads a size from a system property.
   *
   * @param property name of the property
   * @return the size in bytes; empty if the property is not set
   * @throws SettingException if the value is no size, is 0, or is 2^63 bytes or more
   */
  public static OptionalLong bytes(String property) {
    return value(
        property,
        SIZES,
        "a size is a number from 1 with the unit k, m, g or t, or without in bytes");
  }

  /**
   * Reads a time from a system property.
   *
   * @param property name of the property
   * @return the time; empty if the property is not set
   * @throws SettingException if the value is no time, is 0, or is 2^63 nanoseconds or more
   */
  public static Optional<Duration> time(String property) {
    OptionalLong nanos =
        value(
            property,
            TIMES,
            "a time is a number from 1 with the unit us, ms, s, min or h, or without in seconds");
    return nanos.isPresent() ? Optional.of(Duration.ofNanos(nanos.getAsLong())) : Optional.empty();
  }

  private static OptionalLong value(String property, Map<String, Long> units, String wanted) {
    String value = System.getProperty(property);
    if (value == null) {
      return OptionalLong.empty();
    }
    Matcher matcher = NUMBER_AND_UNIT.matcher(value.strip());
    long unit = 0;
    long number = 0;
    if (matcher.matches()) {
      unit = units.getOrDefault(matcher.group(2).toLowerCase(Locale.ROOT), 0L);
      number = Long.parseLong(matcher.group(1));
    }
    if (unit == 0 || number == 0 || number > Long.MAX_VALUE / unit) {
      throw new SettingException(property, value, wanted);
    }
    return OptionalLong.of(number * unit);
  }
}
