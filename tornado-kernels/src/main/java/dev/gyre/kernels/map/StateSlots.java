package dev.gyre.kernels.map;

import static dev.gyre.kernels.map.MapCodes.EMPTY;
import static dev.gyre.kernels.map.MapCodes.FETCH;
import static dev.gyre.kernels.map.MapCodes.FILLED;
import static dev.gyre.kernels.map.MapCodes.FOUND;
import static dev.gyre.kernels.map.MapCodes.HELD;
import static dev.gyre.kernels.map.MapCodes.PRESENT;
import static dev.gyre.kernels.map.MapCodes.QUIESCENT;
import static dev.gyre.kernels.map.MapCodes.REMOVED;
import static dev.gyre.kernels.map.MapCodes.RESERVED;
import static dev.gyre.kernels.map.MapCodes.SEARCHING;
import static dev.gyre.kernels.map.MapCodes.STUCK;

import dev.gyre.atomics.DeviceInts;
import dev.gyre.atomics.Internal;

/**
 * Slots with a state, as in the talk.
 *
 * <p><b>Protocol.</b> An insert claims the first EMPTY slot from the key's home on, writes key and
 * value, and publishes them. A thread that meets a RESERVED slot waits for its publication, because
 * it may get the thread's own key.
 *
 * <table>
 *   <caption>Racing accesses; scope device</caption>
 *   <tr><th>access</th><th>order</th><th>pairs with</th><th>why not weaker</th></tr>
 *   <tr><td>load state</td><td>acquire</td><td>publish</td>
 *       <td>old contents of key and value could be read</td></tr>
 *   <tr><td>claim state</td><td>acquire</td><td>publish</td>
 *       <td>as the load, if another thread was first; the claim itself needs no order</td></tr>
 *   <tr><td>publish state</td><td>release</td><td>load, claim and wait</td>
 *       <td>the state could be visible before key and value</td></tr>
 *   <tr><td>wait for state</td><td>acquire</td><td>publish</td><td>as the load</td></tr>
 *   <tr><td>take a FILLED slot</td><td>acquire</td><td>its release</td>
 *       <td>as the claim; an update could miss the one before</td></tr>
 *   <tr><td>value of a FILLED slot</td><td>relaxed</td><td>each other</td>
 *       <td>a plain read together with an update is a race; updates order nothing but themselves</td></tr>
 *   <tr><td>load, claim, publish, value for a single key</td><td>seq_cst</td><td>each other</td>
 *       <td>see {@link SingleKeys}</td></tr>
 * </table>
 *
 * <p><b>Removal.</b> A key is removed by a compare-and-exchange from FILLED to REMOVED. A search
 * passes a REMOVED slot, and no key is ever put there. A thread that changes a value, in a table
 * from which keys can be removed, first takes the slot from FILLED to HELD, and publishes it as
 * FILLED afterwards. So no update is lost in a removed slot. A search finds the key of a HELD slot
 * and does not wait for it: each value that it reads was the key's during the search.
 *
 * <p><b>Progress.</b> A thread that has claimed a slot publishes it without waiting. So a waiting
 * thread needs only parallel forward progress: a started thread goes on. Each wait ends after a
 * limit of polls. There are no wake-ups: a slot is RESERVED for a few instructions, and a waiting
 * thread polls.
 *
 * @since 0.1.0
 */
@Internal
public interface StateSlots extends Slots {

  /** Returns the states. */
  DeviceInts states();

  /** Returns the index of the state of a slot. */
  long stateAt(long slot);

  /** Returns the index of the value of a slot. */
  long valueAt(long slot);

  /** Writes the key of a claimed slot. */
  void write(long slot, long key, long hash, long text);

  /** Writes the value of a slot that no other thread writes. */
  void setValue(long slot, long value);

  @Override
  default long claimWord(long key, long value) {
    return RESERVED;
  }

  @Override
  default long load(long slot) {
    // acquire: pairs with publish; key and value are visible if the slot is FILLED
    return states().loadAcquire(stateAt(slot));
  }

  @Override
  default long claim(long slot, long claimWord) {
    // acquire: pairs with publish, if another thread was first
    return states().compareAndExchangeAcquire(stateAt(slot), EMPTY, RESERVED);
  }

  @Override
  default long await(long slot, long seen, long pollLimit) {
    int state = (int) seen;
    if (state == RESERVED) {
      // acquire: pairs with publish
      state = states().waitWhileEqualAcquire(stateAt(slot), RESERVED, pollLimit);
    }
    return state;
  }

  @Override
  default void fill(long slot, long key, long hash, Numbers from, long i, long text) {
    write(slot, key, hash, text);
    setValue(slot, from.get(i));
    // release: publishes key and value to loads, claims and waits
    states().storeRelease(stateAt(slot), FILLED);
  }

  @Override
  default boolean isOccupied(long seen) {
    return seen >= FILLED;
  }

  /** Returns whether the key of an occupied slot is present. */
  default boolean isPresent(long seen) {
    return !isRemovable() || MapCodes.isPresent((int) seen);
  }

  /**
   * Takes a FILLED slot to another state, HELD or REMOVED.
   *
   * @return PRESENT, or another result of {@link #changePresent}
   */
  private int take(long slot, int to, long pollLimit) {
    // acquire, as the wait: pairs with the release of the slot; the latest value is visible
    int before = states().compareAndExchangeAcquire(stateAt(slot), FILLED, to);
    int after = before;
    if (before == HELD) {
      after = states().waitWhileEqualAcquire(stateAt(slot), HELD, pollLimit);
    }
    int refused = after == HELD ? STUCK : SEARCHING;
    return before == FILLED ? PRESENT : refused;
  }

  @Override
  default int changePresent(
      long slot, long seen, long key, Numbers values, long i, Change change, long pollLimit) {
    int policy = change.policy();
    int outcome = PRESENT;
    if (policy == FETCH) {
      change.change(this, slot, key, values, i);
    }
    if (policy > FETCH) {
      outcome = take(slot, HELD, pollLimit);
      if (outcome == PRESENT) {
        change.change(this, slot, key, values, i);
        // release: publishes the value to the next thread that takes the slot
        states().storeRelease(stateAt(slot), FILLED);
      }
    }
    return outcome;
  }

  @Override
  default int remove(long slot, long seen, long pollLimit) {
    int outcome = take(slot, REMOVED, pollLimit);
    return outcome == PRESENT ? FOUND : outcome;
  }

  @Override
  default long observe(long slot, int options, long pollLimit) {
    int state;
    if ((options & QUIESCENT) != 0) {
      state = states().get(stateAt(slot));
    } else {
      // acquire: pairs with publish
      state = states().waitWhileEqualAcquire(stateAt(slot), RESERVED, pollLimit);
    }
    return state;
  }

  @Override
  default long quiet(long slot) {
    return states().get(stateAt(slot));
  }

  @Override
  default int stateOf(long seen) {
    // HELD counts as FILLED, without a branch, because device compilers may mistranslate two.
    long held = isRemovable() ? (seen >> 1) & 1 : 0;
    return (int) (seen & ~held);
  }

  @Override
  default long loadSeqCst(long slot) {
    return states().loadSeqCst(stateAt(slot));
  }

  @Override
  default long claimSeqCst(long slot, long claimWord) {
    return states().compareAndExchangeSeqCst(stateAt(slot), EMPTY, RESERVED);
  }

  @Override
  default void fillSeqCst(long slot, long key, long hash, long value, long text) {
    write(slot, key, hash, text);
    setValue(slot, value);
    // seq_cst: publishes key and value, before all later reads of this thread
    states().storeSeqCst(stateAt(slot), FILLED);
  }
}
