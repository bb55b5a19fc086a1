package dev.gyre.kernels.map;

import dev.gyre.atomics.DeviceInts;
import dev.gyre.atomics.DeviceLongs;
import dev.gyre.kernels.Kernel;
import dev.gyre.kernels.SpecializedCode;

/**
 * Slots whose keys are texts: {@link StateSlots} with keys of any length in an arena; see {@link
 * TextLayout}.
 *
 * <p><b>Protocol.</b> Space for a key is taken from the arena before its slot is claimed, so that
 * no slot stays RESERVED. A thread that loses the claim keeps the space for its next key. At the
 * end it returns the rest, unless another thread took space after it. States and values are
 * accessed as in {@link StateSlots}; publish makes the key in the arena visible too.
 *
 * <table>
 *   <caption>Other racing accesses; scope device</caption>
 *   <tr><th>access</th><th>order</th><th>pairs with</th><th>why not weaker</th></tr>
 *   <tr><td>take space, by a fetch-add, and return it, by a compare-and-exchange</td>
 *       <td>relaxed</td><td>each other</td><td>not atomic: two keys could get one place. Relaxed is enough because nothing is written to the space before the claim
 *       of a slot, after which it is not returned: no store of another thread precedes a second taking. If a key were written first,
 *       returning must be release and taking acquire (TextKeyCapacity and its WrittenLateMutant)</td></tr>
 *   <tr><td>length, first word and mark in a slot, words of a key in the arena</td><td>plain</td>
 *       <td>publish of the state, and its load</td><td>written between claim and publish, read if the slot is FILLED
 *       (TextPublication.Key)</td></tr>
 * </table>
 *
 * <p>A key that does not fit in the arena is PENDING. The caller enlarges the arena and launches
 * again for the PENDING keys.
 *
 * @param states the table, as ints
 * @param table the same memory, as longs
 * @param rule hash and equality of keys
 * @param arena text of keys that do not fit in their slots
 * @param arenaWords number of words of the arena
 * @param bump number of words that were taken from the arena, in element 0
 * @param ahead smallest number of words that a thread takes from the arena at once
 * @param inWords words with the keys of a batch
 * @since 0.1.0
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
    DeviceLongs inWords,
    Removal removal)
    implements TextLines, TextCode {

  @Override
  public Slots copy() {
    return with(inWords, ahead);
  }

  @Override
  public boolean isRemovable() {
    return removal.isAllowed();
  }

  @Override
  public Slots reading(DeviceLongs words) {
    return with(words, ahead);
  }

  TextSlots with(DeviceLongs words, long taken) {
    return new TextSlots(
        states, table, slots, seed, rule, arena, arenaWords, bump, taken, words, removal);
  }

  /** Returns the same in code specialised for this layout, for threads of the JVM. */
  public TextCode own() {
    return SpecializedCode.apart(TextCode.class, this, Slots.class);
  }

  /**
   * Returns inserts with a user's function: in specialised code for threads of the JVM, or as
   * devices compile them.
   *
   * @throws dev.gyre.kernels.KernelException if the function is not a record of handles and numbers
   */
  public TextInserts folding(Change.Folding change, boolean onJvm) {
    TextInserts inserts = new TextInserts.Folding(this, change);
    return onJvm ? SpecializedCode.of(TextInserts.class, inserts) : inserts;
  }

  @Override
  public Kernel insert(
      DeviceLongs words, BatchRange keys, int policy, int options, long taken, long pollLimit) {
    return new Insert(with(words, taken), keys, new Change.Policy(policy), options, pollLimit);
  }

  @Override
  public Kernel find(DeviceLongs words, BatchRange keys, int options, long pollLimit) {
    return new Find(with(words, 0), keys, options, pollLimit);
  }

  @Override
  public Kernel move(
      DeviceLongs freshTable,
      DeviceLongs freshArena,
      DeviceLongs freshBump,
      DeviceLongs counters,
      long from,
      long to) {
    return new Move(this, moved(freshTable, freshArena, freshBump), counters, from, to);
  }

  private Slots moved(DeviceLongs freshTable, DeviceLongs freshArena, DeviceLongs freshBump) {
    return new MovedTexts(
        DeviceInts.of(freshTable.memory()),
        freshTable,
        freshTable.length() / TextLayout.SLOT_LONGS,
        freshArena,
        freshBump,
        states,
        table,
        arena,
        rule,
        seed);
  }

  /** Returns this table as one to which its own entries are moved: it hashes their keys. */
  public Slots hashed() {
    return moved(table, arena, bump);
  }

  @Override
  public boolean exchange(long slot, long expected, long value, boolean removes) {
    return exchangeSeqCst(slot, MapCodes.FILLED, expected, value, removes);
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
  public boolean matches(long slot, long seen, long place, long hash, long claimWord) {
    long mark = table.get(TextLayout.markAt(slot));
    int length = states.get(TextLayout.lengthAt(slot));
    long first = table.get(TextLayout.firstAt(slot));
    return isPresent(seen) && rule.same(mark, hash, first, length, arena, inWords, place);
  }

  @Override
  public void write(long slot, long place, long hash, long text) {
    long start = TextLayout.start(place);
    int length = TextLayout.length(place);
    long needed = TextLayout.arenaWords(length);
    states.set(TextLayout.lengthAt(slot), length);
    table.set(TextLayout.firstAt(slot), inWords.get(start));
    table.set(TextLayout.markAt(slot), TextLayout.mark(hash, needed > 0 ? text : 0));
    for (long word = 0; word < needed; word++) {
      arena.set(text + word, inWords.get(start + word));
    }
  }

  @Override
  public long text(long place) {
    return TextLayout.arenaWords(TextLayout.length(place));
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
    // relaxed: allocates words; publish makes their content visible
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
   * Slots for a visitor.
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
}
