package dev.gyre.structures.map.access;

import dev.gyre.kernels.map.Change;
import dev.gyre.kernels.map.RecordPredicate;
import dev.gyre.kernels.map.RecordVisitor;
import dev.gyre.kernels.map.TableRef;
import dev.gyre.structures.launch.RecordMapRef;
import dev.gyre.structures.map.BulkOptions;
import dev.gyre.structures.map.Changes;
import dev.gyre.structures.map.Columns;
import dev.gyre.structures.map.Columns.ColumnType;
import dev.gyre.structures.map.FindCounts;
import dev.gyre.structures.map.InsertCounts;
import dev.gyre.structures.map.Longs;
import dev.gyre.structures.map.RecordSchema;
import dev.gyre.structures.map.store.LongStore;
import dev.gyre.structures.map.table.Update;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.Spliterator;
import java.util.function.BiConsumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Map of records that is stored as a map of longs: the key is one long, and the value is one column
 * of longs.
 */
public final class PackedAccess implements RecordOperations {

  private static final long LOWER = 0xffff_ffffL;

  private final RecordSchema<?, ?> schema;
  private final LongStore store;
  private final LongAccess access;
  private final boolean paired;

  /** Creates the access for keys of one long or, if {@code paired}, of two ints. */
  public PackedAccess(RecordSchema<?, ?> schema, LongStore store, boolean paired) {
    this.schema = schema;
    this.store = store;
    this.access = new LongAccess(store);
    this.paired = paired;
  }

  /** Returns whether a schema can be stored in this way. */
  public static boolean canHold(RecordSchema<?, ?> schema) {
    List<ColumnType> keys = schema.keyTypes();
    boolean packed =
        keys.equals(List.of(ColumnType.LONG))
            || keys.equals(List.of(ColumnType.INT, ColumnType.INT));
    boolean longs = schema.valueTypes().equals(List.of(ColumnType.LONG));
    return packed && longs && !schema.hasOwnEquality();
  }

  private Longs packed(Columns keys) {
    return paired ? new PairedLongs(keys, 0, keys.length()) : keys.longs(0);
  }

  private long packed(Record record) {
    long[] key = schema.keyWords(record);
    return paired ? key[0] << Integer.SIZE | (key[1] & LOWER) : key[0];
  }

  private long[] unpacked(long key) {
    long lower = key << Integer.SIZE >> Integer.SIZE;
    return paired ? row(key >> Integer.SIZE, lower) : row(key, 0);
  }

  private static long[] row(long first, long second) {
    long[] row = new long[RecordSchema.MOST];
    row[0] = first;
    row[1] = second;
    return row;
  }

  private static long @Nullable [] row(OptionalLong value) {
    return value.isPresent() ? row(value.getAsLong(), 0) : null;
  }

  private long value(Record record) {
    return schema.valueWords(record)[0];
  }

  private static Change change(Changes.@Nullable Rule rule) {
    if (rule == null) {
      return Change.Policy.KEEP;
    }
    return rule.fold() == null
        ? Objects.requireNonNull(rule.apply()).change()
        : Change.of(rule.fold());
  }

  @Override
  public LongStore store() {
    return store;
  }

  @Override
  public RecordMapRef ref(TableRef ref, List<Changes.@Nullable Rule> rules) {
    Change change = rules.isEmpty() ? Change.Policy.KEEP : change(rules.getFirst());
    return new RecordMapRef.Packed(ref, paired, change);
  }

  @Override
  public InsertCounts insert(
      Columns keys, Columns values, Update update, @Nullable Columns found, BulkOptions options) {
    Change change = update.rules().isEmpty() ? update.whole() : change(update.rules().getFirst());
    return store.insert(
        packed(keys),
        values.longs(0),
        change,
        found == null ? null : found.longs(0),
        packed(options));
  }

  @Override
  public FindCounts find(Columns keys, @Nullable Columns found, BulkOptions options) {
    return store.find(packed(keys), found == null ? null : found.longs(0), packed(options));
  }

  @Override
  public FindCounts remove(Columns keys, @Nullable Columns found, BulkOptions options) {
    return store.remove(packed(keys), found == null ? null : found.longs(0), options);
  }

  @Override
  public long removeIf(RecordPredicate predicate) {
    return store.removeIf(new RecordPredicate.Packed(predicate, paired));
  }

  @Override
  public long @Nullable [] remove(Record key, long @Nullable [] expected) {
    if (expected == null) {
      return row(access.remove(packed(key)));
    }
    return access.remove(packed(key), expected[0]) ? expected : null;
  }

  @Override
  public long retrieve(Columns keys, Columns values, @Nullable RecordPredicate predicate) {
    return store.retrieve(
        packed(keys),
        values.longs(0),
        predicate == null ? null : new RecordPredicate.Packed(predicate, paired));
  }

  @Override
  public void visit(RecordVisitor visitor) {
    store.visit(new RecordVisitor.Packed(visitor, paired));
  }

  private BulkOptions packed(BulkOptions options) {
    RecordPredicate predicate = options.records();
    return predicate == null
        ? options
        : options.where(new RecordPredicate.Packed(predicate, paired));
  }

  @Override
  public void forEach(BiConsumer<long[], long[]> action) {
    access.forEach((key, value) -> action.accept(unpacked(key), row(value, 0)));
  }

  @Override
  public <E> Spliterator<E> entries(Function<long[], ? extends E> part, int distinct) {
    return new WalkSpliterator<>(access.walk(), walk -> part.apply(entry(walk)), distinct);
  }

  private long[] entry(LongWalk walk) {
    long[] entry = Arrays.copyOf(unpacked(walk.key()), 2 * RecordSchema.MOST);
    entry[RecordSchema.MOST] = walk.value();
    return entry;
  }

  @Override
  public boolean replace(Record key, long[] oldRow, Record value) {
    return access.replace(packed(key), oldRow[0], value(value));
  }

  @Override
  public long @Nullable [] get(Record key) {
    return row(access.get(packed(key)));
  }

  @Override
  public long @Nullable [] putIfAbsent(Record key, Record value) {
    return row(access.putIfAbsent(packed(key), value(value)));
  }

  @Override
  public long @Nullable [] put(Record key, Record value) {
    return row(access.change(packed(key), value(value), Change.Policy.ASSIGN));
  }

  @Override
  public long[] merge(Record key, Record value, List<Changes.@Nullable Rule> rules) {
    return row(access.merge(packed(key), value(value), change(rules.getFirst())), 0);
  }
}
