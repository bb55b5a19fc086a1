package dev.gyre.bench.compare;

import java.util.List;

/**
 * How the tests of one class ended in one place.
 *
 * @param test the class, without its package
 * @param skipped tests that do not apply there, or whose data is not there
 * @param reasons why, each once, with semicolons between
 */
record TestedClass(Place place, String test, int passed, int failed, int skipped, String reasons) {

  static final List<String> COLUMNS =
      List.of(
          "target", "device", "with", "commit", "test", "passed", "failed", "skipped", "reasons");

  private static final String BETWEEN = "; ";
  private static final int MOST_REASONS = 3;

  /** The folders of a machine in front of a name. */
  private static final String PATH = "(?<= )/(\\S+/)+";

  /**
   * Where tests ran.
   *
   * @param target as in {@code --target}
   * @param with driver, TornadoVM, Java
   */
  record Place(String target, String device, String with, String commit) {}

  /** A class of which no test has run yet. */
  static TestedClass none(Place place, String test) {
    return new TestedClass(place, test, 0, 0, 0, "");
  }

  /** With so many more tests. */
  TestedClass plus(int morePassed, int moreFailed, int moreSkipped, String reason) {
    List<String> known = reasons.isEmpty() ? List.of() : List.of(reasons.split(BETWEEN, -1));
    String why = reason.strip().replaceAll("\\s+", " ").replace('|', '/').replace(BETWEEN, ", ");
    why = why.replaceFirst("^Assumption failed: ", "").replaceAll(PATH, "").strip();
    boolean isNew = !why.isEmpty() && !known.contains(why) && known.size() < MOST_REASONS;
    return new TestedClass(
        place,
        test,
        passed + morePassed,
        failed + moreFailed,
        skipped + moreSkipped,
        isNew ? reasons + (reasons.isEmpty() ? "" : BETWEEN) + why : reasons);
  }

  /** Whether a newer report of the same class, target and device takes the place of this one. */
  boolean isOutdatedBy(TestedClass newer) {
    return test.equals(newer.test)
        && place.target.equals(newer.place.target)
        && place.device.equals(newer.place.device);
  }

  List<String> fields() {
    return List.of(
        place.target,
        place.device,
        place.with,
        place.commit,
        test,
        Integer.toString(passed),
        Integer.toString(failed),
        Integer.toString(skipped),
        reasons);
  }

  /** What {@link #fields} was. */
  static TestedClass of(List<String> fields) {
    return new TestedClass(
        new Place(fields.get(0), fields.get(1), fields.get(2), fields.get(3)),
        fields.get(4),
        Integer.parseInt(fields.get(5)),
        Integer.parseInt(fields.get(6)),
        Integer.parseInt(fields.get(7)),
        fields.get(8));
  }

  /** For a table: tests that passed, and in brackets those that do not apply. */
  String cell() {
    String applied =
        failed == 0 ? Integer.toString(passed) : passed + ", **" + failed + " failed**";
    return skipped == 0 ? applied : applied + " (" + skipped + ")";
  }
}
