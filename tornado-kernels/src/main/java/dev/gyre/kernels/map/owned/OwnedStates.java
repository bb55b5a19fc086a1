package dev.gyre.kernels.map.owned;

import static dev.gyre.kernels.map.MapCodes.ABSENT;
import static dev.gyre.kernels.map.MapCodes.EMPTY;
import static dev.gyre.kernels.map.MapCodes.FETCH;
import static dev.gyre.kernels.map.MapCodes.FILLED;
import static dev.gyre.kernels.map.MapCodes.FOUND;
import static dev.gyre.kernels.map.MapCodes.INSERTED;
import static dev.gyre.kernels.map.MapCodes.PRESENT;
import static dev.gyre.kernels.map.MapCodes.SKIPPED;
import static dev.gyre.kernels.map.MapCodes.STUCK;

import dev.gyre.kernels.map.Batch;
import dev.gyre.kernels.map.Change;
import dev.gyre.kernels.map.NumberSlots;
import dev.gyre.kernels.map.Numbers;
import java.lang.invoke.VarHandle;

/**
 * {@link NumberSlots} that are owned. Others may read the slots meanwhile: a slot goes from EMPTY
 * to FILLED at once, after its key and value. Slots are published some at a time, behind one fence,
 * since a fence for each would have the compiler check the memories again after each.
 *
 * <table>
 *   <caption>All accesses that race</caption>
 *   <tr><th>access</th><th>order</th><th>pairs with</th><th>why not weaker</th></tr>
 *   <tr><td>key and value of a slot that is EMPTY, store</td><td>plain, before the fence</td>
 *       <td>loads where the slot is FILLED</td><td>as in {@link
 *       dev.gyre.kernels.map.StateSlots} (MapPublication.OwnedTest)</td></tr>
 *   <tr><td>fence</td><td>release</td><td>load of a state, acquire</td><td>the state could be seen
 *       before key and value</td></tr>
 *   <tr><td>state, store</td><td>plain, after the fence</td><td>load of a state, acquire</td>
 *       <td>-</td></tr>
 *   <tr><td>value of a slot that is FILLED, store</td><td>plain, aligned, so at once</td>
 *       <td>loads of a value, relaxed</td><td>nobody else stores values; it orders nothing</td></tr>
 * </table>
 *
 * <p>A key other than 0 says that its slot is taken, since keys of EMPTY slots are 0; so most slots
 * are told by their key alone. What nobody has published, which only a thread that died could leave
 * behind, is STUCK.
 */
record OwnedStates(NumberSlots table, Batch batch) implements OwnedSlots {

  @Override
  public int insert(long last, long at, int count, Told told) {
    byte[] codes = told.codes;
    long[] places = told.slots;
    Numbers keys = batch.keys();
    long length = table.slots();
    int inserted = 0;
    for (int i = 0; i < count; i++) {
      if (codes[i] == SKIPPED) {
        continue;
      }
      long key = keys.get(at + i);
      long slot = table.home(key, table.hash(key));
      long seen = table.plainKey(slot);
      while (seen != key && slot != last && isFilled(slot, seen)) {
        slot = slot + 1 == length ? 0 : slot + 1;
        seen = table.plainKey(slot);
      }
      byte code = PRESENT;
      if (isEmpty(slot, seen)) {
        write(slot, key, batch.values().get(at + i));
        code = INSERTED;
        inserted++;
      } else if (seen != key || !isFilled(slot, seen)) {
        code = STUCK;
        told.stuck++;
      }
      places[i] = slot;
      codes[i] = code;
    }
    return inserted;
  }

  private int state(long slot) {
    return table.states().get(table.stateAt(slot));
  }

  private boolean isFilled(long slot, long seen) {
    return seen != 0 || state(slot) == FILLED;
  }

  private boolean isEmpty(long slot, long seen) {
    return seen == 0 && state(slot) == EMPTY;
  }

  private void write(long slot, long key, long value) {
    table.setKey(slot, key);
    table.setValue(slot, value);
    if (key == 0) {
      // Its slot looks as before, so that following keys of this block need its state.
      // release: as in publish
      VarHandle.releaseFence();
      table.states().set(table.stateAt(slot), FILLED);
    }
  }

  @Override
  public void publish(Told told, int count) {
    byte[] codes = told.codes;
    long[] places = told.slots;
    // release: keys and values are seen by who loads the states, with acquire
    VarHandle.releaseFence();
    for (int i = 0; i < count; i++) {
      if (codes[i] == INSERTED) {
        table.states().set(table.stateAt(places[i]), FILLED);
      }
    }
  }

  /** Sums of ints wrap around where they are written. */
  @Override
  public void update(long at, int count, Change change, Told told) {
    Numbers values = batch.values();
    boolean fetches = change.policy() == FETCH;
    for (int i = 0; i < count; i++) {
      if (told.codes[i] == PRESENT) {
        long slot = told.slots[i];
        if (fetches) {
          values.set(at + i, table.plainValue(slot));
        } else {
          table.setValue(slot, change.applied(table.plainValue(slot), values.get(at + i)));
        }
      }
    }
  }

  @Override
  public int find(long at, int count, Told told, boolean fetches) {
    byte[] codes = told.codes;
    Numbers keys = batch.keys();
    long length = table.slots();
    Numbers values = batch.values();
    int found = 0;
    for (int i = 0; i < count; i++) {
      if (codes[i] == SKIPPED) {
        continue;
      }
      long key = keys.get(at + i);
      long slot = table.home(key, table.hash(key));
      long seen = table.plainKey(slot);
      while (seen != key && isFilled(slot, seen)) {
        slot = slot + 1 == length ? 0 : slot + 1;
        seen = table.plainKey(slot);
      }
      boolean there = isFilled(slot, seen);
      if (fetches) {
        values.set(at + i, there ? table.plainValue(slot) : 0);
      }
      found += there ? 1 : 0;
      byte code = there ? FOUND : ABSENT;
      if (!there && !isEmpty(slot, seen)) {
        code = STUCK;
        told.stuck++;
      }
      codes[i] = code;
    }
    return found;
  }
}
