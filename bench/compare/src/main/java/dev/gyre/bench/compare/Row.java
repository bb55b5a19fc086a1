package dev.gyre.bench.compare;

import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A row of {@code results.csv}: one implementation in one situation. The columns are, in this
 * order:
 *
 * @param benchmark what is done, such as {@code map-insert}
 * @param implementation implementation; names with the prefix {@code gyre} are ours, and names with
 *     the prefix {@code limit: } are physical limits
 * @param version of the library or the compiler; of ours, the commit
 * @param target {@code jvm}, {@code opencl}, {@code ptx}, {@code cuda} also for CUDA C++, {@code
 *     cpu} for C++
 * @param device processor or GPU
 * @param n items that are worked on: keys, words, entries
 * @param bytes of the items, or of the text; of rows about memory, all bytes at rest
 * @param threads that work, of the JVM or of the device
 * @param params further circumstances: {@code name=value}, separated by spaces
 * @param median {@code seconds_median}: the median over forks of the median of each
 * @param min {@code seconds_min}: the quickest fork, or the quickest run if there is one fork only
 * @param max {@code seconds_max}: the slowest
 * @param forks processes that measured
 * @param collections collections of the heap in the timed region of all forks
 * @param collectionMillis {@code collection_millis}: how long they took
 * @param pageFaults {@code page_faults} in the timed region of all forks; -1 if not counted
 * @param throughput of the median; of rows about memory, bytes for each entry
 * @param unit of throughput
 * @param marks why no headline is made of the row, separated by spaces: {@code unsteady}, {@code
 *     spread}, {@code loaded}, {@code disagrees}
 */
public record Row(
    String benchmark,
    String implementation,
    String version,
    String target,
    String device,
    long n,
    long bytes,
    int threads,
    String params,
    double median,
    double min,
    double max,
    int forks,
    long collections,
    long collectionMillis,
    long pageFaults,
    double throughput,
    String unit,
    String marks) {

  /** The unit of rows about memory. */
  static final String MEMORY_UNIT = "bytes/entry";

  /** What the names of limits begin with. */
  static final String LIMIT = "limit: ";

  /** The names of the columns. */
  static final List<String> COLUMNS =
      List.of(
          ("benchmark,implementation,version,target,device,n,bytes,threads,params,seconds_median,"
                  + "seconds_min,seconds_max,forks,collections,collection_millis,page_faults,"
                  + "throughput,unit,marks")
              .split(","));

  private static final RecordComponent[] COMPONENTS = Row.class.getRecordComponents();

  /**
   * What a program of {@code bench/rivals} and {@code DeviceBenchmark} print: without columns that
   * only JMH can fill, or that are known afterwards.
   */
  private static final int PROGRAM_COLUMNS = 13;

  /** Returns whether a column has texts, not numbers. */
  static boolean isText(String column) {
    return COMPONENTS[COLUMNS.indexOf(column)].getType() == String.class;
  }

  /** Reads the fields of a row, in the order of {@link #COLUMNS}. */
  static Row of(List<String> fields) {
    Class<?>[] types = Stream.of(COMPONENTS).map(RecordComponent::getType).toArray(Class<?>[]::new);
    Object[] values = new Object[types.length];
    for (int i = 0; i < types.length; i++) {
      String field = fields.get(i);
      values[i] =
          switch (types[i].getName()) {
            case "long" -> Long.valueOf(field);
            case "int" -> Integer.valueOf(field);
            case "double" -> Double.valueOf(field);
            default -> field;
          };
    }
    try {
      return Row.class.getDeclaredConstructor(types).newInstance(values);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }

  /**
   * Reads a line that a program printed; no field of it contains a comma.
   *
   * @return null if the line is not a row
   */
  static @Nullable Row ofProgram(String line) {
    List<String> f = Arrays.asList(line.split(",", -1));
    if (f.size() != PROGRAM_COLUMNS || f.getFirst().equals(COLUMNS.getFirst())) {
      return null;
    }
    List<String> fields = new ArrayList<>(f.subList(0, 2));
    fields.add("");
    fields.addAll(f.subList(2, 11));
    fields.addAll(
        List.of("1", "0", "0", "-1", f.get(11).isEmpty() ? "0" : f.get(11), f.get(12), ""));
    return of(fields);
  }

  /** Makes a row of something on the JVM that has no times yet. */
  static Row ofJvm(
      String benchmark,
      String implementation,
      long n,
      long bytes,
      int threads,
      String params,
      String unit) {
    String front = String.join(",", benchmark, implementation, "jvm", Machine.processor());
    return Objects.requireNonNull(
        ofProgram("%s,%d,%d,%d,%s,0,0,0,0,%s".formatted(front, n, bytes, threads, params, unit)));
  }

  /** Returns the fields, in the order of {@link #COLUMNS}. */
  List<String> fields() {
    return Stream.of(COMPONENTS).map(this::field).toList();
  }

  private String field(RecordComponent component) {
    try {
      Object value = component.getAccessor().invoke(this);
      return value instanceof Double number
          ? String.format(Locale.ROOT, "%.6g", number.doubleValue())
          : String.valueOf(value);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Returns what rows of the same case have in common. */
  List<String> identity() {
    Map<String, String> lasting = parameters();
    // What tells something of one run, rather than naming a case.
    lasting.keySet().removeAll(Set.of("runs", "ratio", "low", "high", "peak", "nodes"));
    return List.of(
        benchmark, implementation, target, device, "" + n, "" + threads, lasting.toString());
  }

  /** Returns a parameter, or an empty text if it is not there. */
  String param(String name) {
    return parameters().getOrDefault(name, "");
  }

  /** Returns the parameters by name, in their order. */
  Map<String, String> parameters() {
    Map<String, String> all = new LinkedHashMap<>();
    for (String each : params.split(" ", -1)) {
      int equals = each.indexOf('=');
      if (equals > 0) {
        all.put(each.substring(0, equals), each.substring(equals + 1));
      }
    }
    return all;
  }

  /** Returns whether the implementation is ours. */
  boolean isOurs() {
    return implementation.startsWith("gyre");
  }

  /** Returns whether the row is of no implementation, but of what nothing of the kind gets past. */
  boolean isLimit() {
    return implementation.startsWith(LIMIT);
  }

  boolean isMemory() {
    return unit.equals(MEMORY_UNIT);
  }

  boolean isMarked() {
    return !marks.isEmpty();
  }

  boolean isMarked(String mark) {
    return List.of(marks.split(" ", -1)).contains(mark);
  }

  /** Returns what was measured, for a reader. */
  String title() {
    return "%s, %s, %s"
        .formatted(Situation.of(this).title(), implementation, Comparison.threads(threads));
  }

  /** Returns (max - min) / median. */
  double spread() {
    return median > 0 ? (max - min) / median : 0;
  }

  /** Returns the row with other values, each behind the name of its column. */
  Row with(Map<String, ?> changes) {
    List<String> fields = new ArrayList<>(fields());
    changes.forEach((column, value) -> fields.set(COLUMNS.indexOf(column), value.toString()));
    return of(fields);
  }

  /** Returns the row with more parameters. */
  Row and(String more) {
    return with(Map.of("params", params + " " + more));
  }

  Row marked(String mark) {
    Set<String> all = new LinkedHashSet<>(Arrays.asList(marks.split(" ", -1)));
    all.add(mark);
    return with(Map.of("marks", String.join(" ", all).strip()));
  }
}
