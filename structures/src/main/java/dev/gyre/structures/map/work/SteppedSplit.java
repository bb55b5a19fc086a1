package dev.gyre.structures.map.work;

import dev.gyre.structures.map.BulkOptions;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * A bulk operation on the stores that a map is spread over, of keys that are no numbers: pieces of
 * them are under way at a time, the keys of a piece are shared out to their stores, each does its
 * own, and what comes back is put in the order of the keys.
 *
 * @param <S> stores
 * @param <P> what of a piece belongs to one store: keys, and values or room for them
 */
public abstract class SteppedSplit<S, P> {

  /** The stores. */
  public interface Stores<S> {
    int count();

    /** Keys that are shared out at a time, of so many. */
    int lengthFor(long keys);

    /** How many share keys out side by side. */
    int lanes();

    /** Has one of them do something. */
    <R> R on(int index, Function<S, R> operation);
  }

  /** What is done in a store with the keys of a piece that belong there. */
  @FunctionalInterface
  public interface Operation<S, P> {
    void run(S store, P part, BulkOptions options);
  }

  protected final Stores<S> stores;
  protected final BulkOptions options;
  private final Operation<S, P> operation;

  /** What is asked of all keys, whichever a mask leaves out. */
  private final BulkOptions ofParts;

  private final boolean told;

  /**
   * An operation.
   *
   * @param fetches whether values come back
   */
  protected SteppedSplit(
      Stores<S> stores, BulkOptions options, boolean fetches, Operation<S, P> operation) {
    this.stores = stores;
    this.options = options;
    this.operation = operation;
    this.ofParts = options.ofAll();
    this.told = options.outcomes() != null || (fetches && !ofParts.takeAll());
  }

  /** Some keys, which do not change any more. */
  protected abstract P piece(long from, int length);

  /** The stores of the keys of a piece. */
  protected abstract LongShares.Home homes(P piece, long from);

  /** Adds what of a piece belongs to each store, which was shared out. */
  protected abstract void deal(LongShares shares, P piece, long from, List<P> parts);

  /** Takes values that were found to the caller. */
  protected abstract void putBack(LongShares shares, long from, List<P> parts);

  /** The end of a part. */
  protected void end(P part) {}

  /** Does so many keys, which are all. */
  protected final void run(long count) {
    if (count == 1 && !options.isMasked()) {
      // Without other keys.
      P one = piece(0, 1);
      run(homes(one, 0).of(0), one, options);
      return;
    }
    Pieces.run(
        count, stores.lengthFor(count), stores.lanes(), (from, length, _) -> run(from, length));
  }

  private void run(int index, P part, BulkOptions its) {
    boolean _ =
        stores.on(
            index,
            store -> {
              operation.run(store, part, its);
              return true;
            });
  }

  private void run(long from, int length) {
    LongShares shares = new LongShares(stores.count(), length);
    P piece = piece(from, length);
    shares.share(length, homes(piece, from), options, from);
    shares.expectOutcomes(told);
    List<P> parts = new ArrayList<>();
    try {
      deal(shares, piece, from, parts);
      for (int i = 0; i < parts.size(); i++) {
        // Not all begin with the same store.
        int index = (int) ((from + i) % parts.size());
        if (shares.count(index) > 0) {
          run(index, parts.get(index), shares.withOutcomes(ofParts, index));
        }
      }
      putBack(shares, from, parts);
    } finally {
      parts.forEach(this::end);
      MemorySegment outcomes = options.outcomes();
      if (outcomes != null) {
        shares.collectOutcomes(outcomes, from);
      }
    }
  }
}
