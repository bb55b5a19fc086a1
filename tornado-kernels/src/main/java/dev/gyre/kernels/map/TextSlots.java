package dev.gyre.kernels.map;

import dev.gyre.atomics.DeviceInts;
import dev.gyre.atomics.DeviceLongs;
import dev.gyre.kernels.Kernel;
import dev.gyre.kernels.OwnCode;

/**
 * Slots whose keys are texts: {@link StateSlots} with keys of any length in an arena; see {@link
 * TextLayout}.
 *
 * <p>Room for a key is taken from the arena before its slot is claimed, so that no slot stays
 * RESERVED for want of it. A thread that loses the claim keeps the room for its next key, and gives
 * back what it has left at the end, where nobody took room behind it. States and values are
 * accessed as in {@link StateSlots}; publish makes the key in the arena visible, too.
 *
 * <table>
 *   <caption>All other accesses that race; scope device</caption>
 *   <tr><th>access</th><th>order</th><th>pairs with</th><th>why not weaker</th></tr>
 *   <tr><td>take room, by a fetch-add, and give it back, by a compare-and-exchange</td>
 *       <td>relaxed</td><td>each other</td><td>not atomic: one place for two keys. No more is
 *       needed since nothing is written to room before the claim of a slot, after which it is not
 *       given back: who takes room again has no store of another thread to come after. Were a key
 *       written first, giving back would have to be release and taking acquire
 *       (TextKeyRoom and its WrittenLateTwin)</td></tr>
 *   <tr><td>length, first word and mark in a slot, words of a key in the arena</td><td>plain</td>
 *       <td>publish of the state, and its load</td><td>written between claim and publish, read where
 *       the slot is FILLED (TextPublication.Key)</td></tr>
 * </table>
 *
 * <p>A key for which there is no room in the arena is PENDING: the caller makes room and launches
 * once more, of the keys that are PENDING.
 *
 * @param states the table, as ints
 * @param table the same memory, as longs
 * @param rule how keys are hashed and compared
 * @param arena the text of keys that are not wholly in their slots
 * @param arenaWords how much of that there is
 * @param bump number of words that were taken from the arena, in element 0
 * @param ahead words that a thread takes from the arena at once, at least
 * @param inWords where the text of a batch's keys is
 */
public record TextSlots(
    DeviceInts states,
    DeviceLongs table,
    long slots,
    long seed,
    TextRule rule,
    DeviceLongs arena,
    long arenaWords,
    DeviceLongs bump,
    long ahead,
    DeviceLongs inWords)
    implements LongValues, TextCode {

  @Override
  public Slots copy() {
    return new TextSlots(states, table, slots, seed, rule, arena, arenaWords, bump, ahead, inWords);
  }

  @Override
  public Slots reading(DeviceLongs words) {
    return with(words, ahead);
  }

  TextSlots with(DeviceLongs words, long taken) {
    return new TextSlots(states, table, slots, seed, rule, arena, arenaWords, bump, taken, words);
  }

  /** The same in code that other layouts do not run, for threads of the JVM. */
  public TextCode own() {
    return OwnCode.apart(TextCode.class, this, Slots.class);
  }

  /** Inserts that fold values by a user's function, as devices compile them. */
  public TextInserts folding(Fold fold) {
    return new TextInserts.Folding(this, fold);
  }

  /**
   * The same in code of its own, for threads of the JVM.
   *
   * @throws dev.gyre.kernels.KernelException if the function is no record as kernels are made of
   */
  public TextInserts ownFolding(Fold fold) {
    return OwnCode.of(TextInserts.class, new TextInserts.Folding(this, fold));
  }

  @Override
  public Kernel insert(
      DeviceLongs words, Portion keys, int policy, int options, long taken, long pollLimit) {
    return new Insert(
        with(words, taken),
        Batch.of(keys),
        keys.counters(),
        keys.from(),
        keys.to(),
        policy,
        options,
        pollLimit);
  }

  @Override
  public Kernel find(DeviceLongs words, Portion keys, int options, long pollLimit) {
    return new Find(
        with(words, 0),
        Batch.of(keys),
        keys.counters(),
        keys.from(),
        keys.to(),
        options,
        pollLimit);
  }

  @Override
  public Kernel move(
      DeviceInts freshStates,
      DeviceLongs fresh,
      long size,
      DeviceLongs counters,
      long from,
      long to) {
    Slots moved = new MovedTexts(freshStates, fresh, size, states, table, arena, rule, seed);
    return new Move(this, moved, counters, from, to);
  }

  @Override
  public long update(long slot, long operand, int policy) {
    return updateSeqCst(slot, MapCodes.FILLED, operand, policy);
  }

  @Override
  public long warm(DeviceLongs words, DeviceLongs places, long from, long to) {
    long seen = 0;
    for (long i = from; i < to; i++) {
      long place = places.get(i);
      long hash = rule.hash(words, TextLayout.start(place), TextLayout.length(place), seed);
      seen += states.get(TextLayout.stateAt(TextLayout.home(hash, slots)));
    }
    return seen;
  }

  @Override
  public long hash(long place) {
    return rule.hash(inWords, TextLayout.start(place), TextLayout.length(place), seed);
  }

  @Override
  public long home(long place, long hash) {
    return TextLayout.home(hash, slots);
  }

  @Override
  public long stateAt(long slot) {
    return TextLayout.stateAt(slot);
  }

  @Override
  public DeviceLongs values() {
    return table;
  }

  @Override
  public long valueAt(long slot) {
    return TextLayout.valueAt(slot);
  }

  @Override
  public boolean same(long slot, long seen, long place, long hash, long desired) {
    long mark = table.get(TextLayout.markAt(slot));
    int length = states.get(TextLayout.lengthAt(slot));
    long first = table.get(TextLayout.firstAt(slot));
    return rule.same(mark, hash, first, length, arena, inWords, place);
  }

  @Override
  public void write(long slot, long place, long hash, long text) {
    long start = TextLayout.start(place);
    int length = TextLayout.length(place);
    long needed = TextLayout.room(length);
    states.set(TextLayout.lengthAt(slot), length);
    table.set(TextLayout.firstAt(slot), inWords.get(start));
    table.set(TextLayout.markAt(slot), TextLayout.mark(hash, needed > 0 ? text : 0));
    for (long word = 0; word < needed; word++) {
      arena.set(text + word, inWords.get(start + word));
    }
  }

  @Override
  public boolean hasText() {
    return true;
  }

  @Override
  public long text(long place) {
    return TextLayout.room(TextLayout.length(place));
  }

  @Override
  public boolean lacks(long needed, long from, long to) {
    long end = arenaWords < to ? arenaWords : to;
    return needed > end - from;
  }

  @Override
  public long chunk(long needed) {
    return needed > ahead ? needed : ahead;
  }

  @Override
  public long take(long words) {
    // relaxed: whose words they are; publish makes what is in them seen
    return bump.fetchAddRelaxed(0, words);
  }

  @Override
  public void giveBack(long from, long to) {
    if (to > from) {
      // relaxed: nothing was written there
      long _ = bump.compareAndExchangeRelaxed(0, to, from);
    }
  }

  /**
   * A visitor of slots.
   *
   * @param states the table, as ints
   * @param table the same memory, as longs
   */
  public record Visited(
      TextVisitor visitor, DeviceInts states, DeviceLongs table, DeviceLongs arena)
      implements EntryVisitor {
    @Override
    public void visit(long slot, long value) {
      visitor.visit(TextLayout.key(states, table, arena, slot), value);
    }
  }

  /** In place of the key stands its slot; see {@link TextLayout#key}. */
  @Override
  public long key(long slot, long seen) {
    return slot;
  }

  @Override
  public boolean isWhole(long slot) {
    int length = states.get(TextLayout.lengthAt(slot));
    long start = TextLayout.arenaWord(table.get(TextLayout.markAt(slot)));
    return length >= 0 && start + TextLayout.room(length) <= arenaWords;
  }
}
