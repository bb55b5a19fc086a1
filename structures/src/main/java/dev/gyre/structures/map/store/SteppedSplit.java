package dev.gyre.structures.map.store;

import dev.gyre.structures.map.BulkOptions;
import dev.gyre.structures.map.work.LongShares;
import dev.gyre.structures.map.work.Pieces;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/**
 * {@link LongSplit} of keys that are no numbers.
 *
 * @param <P> what of a piece belongs to one store: keys, and values or room for them
 */
abstract class SteppedSplit<P> {

  /** What is done in a store with the keys of a piece that belong there. */
  @FunctionalInterface
  interface Operation<P> {
    void run(Store<?, ?> store, P part, BulkOptions options);
  }

  final Shards shards;
  final BulkOptions options;
  private final Operation<P> operation;

  /** What is asked of all keys, whichever a mask leaves out. */
  private final BulkOptions ofParts;

  private final boolean told;

  /**
   * An operation.
   *
   * @param fetches whether values come back
   */
  SteppedSplit(Shards shards, BulkOptions options, boolean fetches, Operation<P> operation) {
    this.shards = shards;
    this.options = options;
    this.operation = operation;
    this.ofParts = options.ofAll();
    this.told = options.outcomes() != null || (fetches && !ofParts.takeAll());
  }

  /** The stores of some keys. */
  abstract LongShares.Home homes(long from, int length);

  /** All there is, of a single key. */
  abstract P whole();

  /** Adds what belongs to each store, which was shared out. */
  abstract void deal(LongShares shares, long from, List<P> parts);

  /** Takes values that were found to the caller. */
  abstract void putBack(LongShares shares, long from, List<P> parts);

  /** The end of a part. */
  void end(P part) {}

  /** Does so many keys, which are all. */
  final void run(long count) {
    if (count == 1 && !options.isMasked()) {
      // Without other keys.
      run(homes(0, 1).of(0), whole(), options);
      return;
    }
    Pieces.run(
        count, shards.lengthFor(count), shards.lanes(), (from, length, _) -> run(from, length));
  }

  private void run(int index, P part, BulkOptions its) {
    boolean _ =
        shards.on(
            index,
            store -> {
              operation.run(store, part, its);
              return true;
            });
  }

  private void run(long from, int length) {
    LongShares shares = new LongShares(shards.count(), length);
    shares.share(length, homes(from, length), options, from);
    shares.expectOutcomes(told);
    List<P> parts = new ArrayList<>();
    try {
      deal(shares, from, parts);
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
