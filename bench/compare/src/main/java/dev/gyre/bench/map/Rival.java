package dev.gyre.bench.map;

import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** The structures that all benchmarks compare. */
public enum Rival {
  GYRE_REFERENCE("gyre-reference", "gyre", Use.INTS, Use.LONGS, Use.THREADS, Use.LOAD),
  GYRE_LINE("gyre-line", "gyre", Use.LONGS, Use.THREADS, Use.LOAD),
  GYRE_PACKED("gyre-packed", "gyre", Use.INTS, Use.THREADS, Use.LOAD),
  GYRE_SET("gyre-set", "gyre", Use.SET, Use.THREADS),
  GYRE_TEXT_SET("gyre-text-set", "gyre", Use.TEXTS, Use.THREADS),
  GYRE_TEXT_MAP("gyre-text-map", "gyre", Use.TEXTS, Use.WORDS, Use.THREADS),
  GYRE_TRIE("gyre-trie", "gyre", Use.WORDS, Use.PREFIXES, Use.THREADS),
  /** The same with nodes of 32 bytes. */
  GYRE_TRIE_SMALL("gyre-trie-small", "gyre", Use.WORDS, Use.PREFIXES, Use.THREADS),
  /** Words are counted by a {@code LongAdder} each. */
  CONCURRENT_HASH_MAP("ConcurrentHashMap", "jdk", Use.INTS, Use.LONGS, Use.WORDS, Use.THREADS),
  HASH_SET("HashSet", "jdk", Use.TEXTS),
  HASH_MAP("HashMap", "jdk", Use.TEXTS),
  /** {@code lines().parallel() ... groupingByConcurrent}. */
  PARALLEL_STREAM("parallel stream", "jdk", Use.WORDS, Use.THREADS),
  /** The JDK's own for prefixes. */
  SKIP_LIST("ConcurrentSkipListMap", "jdk", Use.WORDS, Use.PREFIXES, Use.THREADS),
  PATRICIA_TRIE("PatriciaTrie", "commons-collections4", Use.WORDS, Use.PREFIXES),
  JCTOOLS("JCTools", "jctools-core", Use.LONGS, Use.THREADS),
  FASTUTIL("fastutil", "fastutil-core", Use.INTS, Use.LONGS, Use.SET, Use.LOAD),
  AGRONA("Agrona", "agrona", Use.INTS, Use.LONGS, Use.LOAD),
  ECLIPSE("Eclipse Collections", "eclipse-collections", Use.INTS, Use.LONGS),
  HPPC("HPPC", "hppc", Use.INTS, Use.LONGS, Use.SET, Use.LOAD);

  /** What a structure can do. */
  public enum Use {
    /** It is a map of ints. */
    INTS,
    /** It is a map of longs. */
    LONGS,
    /** It is a set of ints, and one of longs. */
    SET,
    /** It is a set or map of strings. */
    TEXTS,
    /** It counts the words of a text. */
    WORDS,
    /** It finds words by their beginning. */
    PREFIXES,
    /** Several threads may use it; the others are measured with one. */
    THREADS,
    /** The caller can set how full its table may be. */
    LOAD
  }

  private final String label;
  private final String artifact;

  // Is not changed.
  @SuppressWarnings("ImmutableEnumChecker")
  private final Set<Use> uses;

  Rival(String label, String artifact, Use first, Use... more) {
    this.label = label;
    this.artifact = artifact;
    this.uses = EnumSet.of(first, more);
  }

  /** Returns the rivals for a use, in their order. */
  public static List<Rival> of(Use use) {
    return Stream.of(values()).filter(rival -> rival.is(use)).toList();
  }

  public boolean is(Use use) {
    return uses.contains(use);
  }

  /** Returns the name in results. */
  public String label() {
    return label;
  }

  /** Returns the name of the jar that the structure comes in, {@code jdk} or {@code gyre}. */
  public String artifact() {
    return artifact;
  }

  /**
   * Requires that this can be measured.
   *
   * @throws IllegalArgumentException if it is for another use, or for one thread only
   */
  public void require(Use use, int threads) {
    if (!is(use)) {
      throw new IllegalArgumentException(
          "%s is not for %s; for that there are %s".formatted(label, use, of(use)));
    }
    if (threads != 1 && !is(Use.THREADS)) {
      throw new IllegalArgumentException(label + " is for one thread");
    }
  }
}
