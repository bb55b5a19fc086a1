package dev.gyre.structures.map;

import dev.gyre.atomics.Internal;
import dev.gyre.kernels.SpecializedCode;
import dev.gyre.kernels.map.Hashing;
import dev.gyre.kernels.map.KeyParts;
import dev.gyre.kernels.map.RecordEquality;
import dev.gyre.kernels.map.RecordHash;
import dev.gyre.structures.Agreement;
import dev.gyre.structures.RecordParts;
import dev.gyre.structures.map.Columns.ColumnType;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * Types of the keys and values of a {@link RecordMap}, with their hash and equality.
 *
 * <pre>{@code
 * record Edge(int from, int to) {}
 * record Traffic(double bytes, long latest) {}
 * var schema = RecordSchema.of(Edge.class, Traffic.class).hash(new EitherWay()).equality(new EitherWay());
 * }</pre>
 *
 * <p>A key has up to four components, int or long. A value has up to four columns, int, long, float
 * or double. Immutable.
 *
 * @param <K> keys
 * @param <V> values
 * @since 0.1.0
 */
public final class RecordSchema<K extends Record, V extends Record> {

  /** Largest number of components of a key, and of columns of a value. */
  public static final int MOST = 4;

  private static final int TURNS = 16;

  private static final long[] PROBES = {0, 1, -1, 97, Integer.MIN_VALUE, 0x123456789abcdefL};

  private final Class<K> keyType;
  private final Class<V> valueType;
  private final RecordParts key;
  private final RecordParts value;
  private final @Nullable RecordHash hash;
  private final @Nullable RecordEquality equality;

  private RecordSchema(
      Class<K> keyType,
      Class<V> valueType,
      RecordParts key,
      RecordParts value,
      @Nullable RecordHash hash,
      @Nullable RecordEquality equality) {
    this.keyType = keyType;
    this.valueType = valueType;
    this.key = key;
    this.value = value;
    this.hash = hash;
    this.equality = equality;
  }

  /**
   * Returns a schema whose keys are equal if all their components are, with the default hash.
   *
   * @throws IllegalArgumentException if a record has too many components, or unsupported types
   */
  public static <K extends Record, V extends Record> RecordSchema<K, V> of(
      Class<K> key, Class<V> value) {
    return new RecordSchema<>(
        key,
        value,
        new RecordParts(
            Objects.requireNonNull(key, "key"),
            List.of(ColumnType.INT, ColumnType.LONG),
            true,
            "key"),
        new RecordParts(
            Objects.requireNonNull(value, "value"), List.of(ColumnType.values()), false, "value"),
        null,
        null);
  }

  /**
   * Returns this schema with another hash: a record that is compiled into the kernels. A file notes
   * the hash, and only a schema with the same hash loads it.
   *
   * @throws dev.gyre.kernels.KernelException if the hash is not a record of handles and numbers, or
   *     uses static state, such as an enum
   */
  public RecordSchema<K, V> hash(RecordHash hash) {
    SpecializedCode.require(RecordHash.class, Objects.requireNonNull(hash, "hash"));
    return agreeing(hash, equality);
  }

  /**
   * Returns this schema with another equality: a record that is compiled into the kernels. Set a
   * hash first that is the same for equal keys.
   *
   * @throws dev.gyre.kernels.KernelException if the equality is not a record of handles and
   *     numbers, or uses static state, such as an enum
   * @throws IllegalArgumentException if no hash is set, or the equality declares two keys equal and
   *     their hashes differ
   */
  public RecordSchema<K, V> equality(RecordEquality equality) {
    SpecializedCode.require(RecordEquality.class, Objects.requireNonNull(equality, "equality"));
    if (hash == null) {
      throw new IllegalArgumentException(
          "an equality needs a hash by which equal keys have the same: give that before");
    }
    return agreeing(hash, equality);
  }

  /**
   * Returns the text that files note: names and types of components and columns, hash and equality.
   */
  @Override
  public String toString() {
    return "keys (%s), values (%s), %s, %s".formatted(key, value, hashName(), equalityName());
  }

  private RecordSchema<K, V> agreeing(RecordHash hash, @Nullable RecordEquality equality) {
    if (equality != null) {
      List<KeyParts> probes = new ArrayList<>(LongStream.of(PROBES).mapToObj(this::probe).toList());
      for (int turn = 0; turn < TURNS; turn++) {
        // Keys with permuted components, such as both directions of an edge.
        probes.add(parts(turn & 3, turn >> 2 & 3, turn >> 1 & 1, turn >> 3 & 1));
      }
      Agreement.require(equality.getClass().getName(), probes, equality::same, hash::hash);
    }
    return new RecordSchema<>(keyType, valueType, key, value, hash, equality);
  }

  private String hashName() {
    if (hash == null) {
      return "the hash of this library";
    }
    long digest = 0;
    for (long probe : PROBES) {
      KeyParts parts = probe(probe);
      digest = Hashing.hash(digest ^ hash.hash(parts, 0), probe);
      digest = Hashing.hash(digest ^ hash.hash(parts, probe), probe);
    }
    return "the hash %s, which makes %016x of the keys of a test"
        .formatted(hash.getClass().getName(), digest);
  }

  private String equalityName() {
    if (equality == null) {
      return "equal by components";
    }
    long digest = 0;
    for (long one : PROBES) {
      for (long other : PROBES) {
        digest = 2 * digest + (equality.same(probe(one), probe(other)) ? 1 : 0);
        digest = Hashing.hash(digest, one);
      }
    }
    return "the equality %s, which makes %016x of the keys of a test"
        .formatted(equality.getClass().getName(), digest);
  }

  private KeyParts probe(long number) {
    return parts(number, 2 * number, 3 * number, 4 * number);
  }

  /** Returns a key from as many numbers as it has components. */
  private KeyParts parts(long... numbers) {
    long[] words = new long[MOST];
    for (int i = 0; i < key.size(); i++) {
      words[i] = key.types.get(i) == ColumnType.INT ? (int) numbers[i] : numbers[i];
    }
    return new KeyParts(words[0], words[1], words[2], words[3]);
  }

  // For the other packages.

  /** Returns the hash; the default if none is set. */
  @Internal
  public RecordHash hash() {
    return hash == null ? new RecordHash.Ours(key.size()) : hash;
  }

  /** Returns whether a hash is set. */
  @Internal
  public boolean hasOwnHash() {
    return hash != null;
  }

  /** Returns the equality; that of all components if none is set. */
  @Internal
  public RecordEquality equality() {
    return equality == null ? new RecordEquality.OfParts() : equality;
  }

  /** Returns whether an equality is set. */
  @Internal
  public boolean hasOwnEquality() {
    return equality != null;
  }

  @Internal
  public List<ColumnType> keyTypes() {
    return key.types;
  }

  @Internal
  public List<ColumnType> valueTypes() {
    return value.types;
  }

  /** Returns an object as a key; null if it is none. */
  @Internal
  public @Nullable K asKey(@Nullable Object object) {
    return keyType.isInstance(object) ? keyType.cast(object) : null;
  }

  /** Returns the four words of a key; unused words are 0. */
  @Internal
  public long[] keyWords(Record record) {
    return words(key, Objects.requireNonNull(record, "key"));
  }

  /** Returns the words of a value. */
  @Internal
  public long[] valueWords(Record record) {
    return words(value, Objects.requireNonNull(record, "value"));
  }

  private static long[] words(RecordParts parts, Record record) {
    // Constant indexes: the compiler needs no array.
    long[] words = new long[MOST];
    words[0] = parts.word(record, 0);
    words[1] = parts.word(record, 1);
    words[2] = parts.word(record, 2);
    words[3] = parts.word(record, 3);
    return words;
  }

  /** Returns the key of some words. */
  @Internal
  public K key(long[] words) {
    return keyType.cast(key.record(words));
  }

  /** Returns the value of some words. */
  @Internal
  public V value(long[] words) {
    return valueType.cast(value.record(words));
  }

  /** Throws if columns do not match the key. */
  void checkKeys(Columns columns) {
    check(columns, key, "keys");
  }

  /** Throws if columns do not match the value. */
  void checkValues(Columns columns) {
    check(columns, value, "values");
  }

  /** Checks the operands of a bulk operation, of which values and their destination may lack. */
  @Internal
  public void check(
      Columns keys, @Nullable Columns values, @Nullable Columns found, BulkOptions options) {
    checkKeys(keys);
    Objects.requireNonNull(options, "options").check(keys.length());
    options.requireOn(false);
    var _ = options.records();
    keys.requireApartFrom(options);
    if (values != null) {
      checkValues(values);
      BulkOptions.requireAsMany(keys.length(), values.length());
      values.requireApartFrom(options);
    }
    if (found != null) {
      checkValues(found);
      BulkOptions.requireOutput(keys.length(), found.length(), found.areReadOnly());
      found.requireSameOrApart(keys, "keys");
      found.requireWrittenApartFrom(options);
    }
    if (found != null && values != null) {
      found.requireSameOrApart(values, "values");
    }
  }

  private static void check(Columns columns, RecordParts parts, String what) {
    List<ColumnType> given = Objects.requireNonNull(columns, what).types();
    if (!given.equals(parts.types)) {
      throw new IllegalArgumentException(
          "%s are columns of (%s), not of (%s)"
              .formatted(
                  what,
                  parts,
                  given.stream().map(ColumnType::toString).collect(Collectors.joining(", "))));
    }
  }

  /** Returns the change of each column; null if the column is unchanged. */
  @Internal
  public List<Changes.@Nullable Rule> rules(Changes changes) {
    Map<String, Changes.Rule> named = Objects.requireNonNull(changes, "changes").rules();
    List<Changes.@Nullable Rule> rules = new ArrayList<>();
    for (int i = 0; i < value.size(); i++) {
      String name = value.names.get(i);
      Changes.Rule rule = named.get(name);
      if (rule != null) {
        requireFor(rule, name, value.types.get(i));
      }
      rules.add(rule);
    }
    for (String name : named.keySet()) {
      if (!value.names.contains(name)) {
        throw new IllegalArgumentException(
            "no column %s: values are columns of (%s)".formatted(name, value));
      }
    }
    return rules;
  }

  private static void requireFor(Changes.Rule rule, String name, ColumnType type) {
    boolean real = type == ColumnType.FLOAT || type == ColumnType.DOUBLE;
    boolean bits =
        rule.apply() == Apply.AND || rule.apply() == Apply.OR || rule.apply() == Apply.XOR;
    boolean refused = real ? bits || rule.fold() != null : rule.real() != null;
    if (refused) {
      String what = bits ? String.valueOf(rule.apply()) : real ? "a Fold" : "a RealFold";
      throw new IllegalArgumentException(
          "the column %s, a %s, cannot be changed by %s; %s"
              .formatted(
                  name,
                  type,
                  what,
                  real ? "take ADD, MIN, MAX, ASSIGN or a RealFold" : "take an Apply or a Fold"));
    }
  }
}
