package dev.gyre.kernels.map.owned;

import static dev.gyre.kernels.map.MapCodes.EMPTY;
import static dev.gyre.kernels.map.MapCodes.FILLED;
import static dev.gyre.kernels.map.MapCodes.INSERTED;

import dev.gyre.kernels.map.NumberSlots;
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
record OwnedStates(NumberSlots table) implements OwnedSlots {

  private int state(long slot) {
    return table.states().get(table.stateAt(slot));
  }

  @Override
  public long word(long slot) {
    return table.plainKey(slot);
  }

  @Override
  public boolean same(long word, long key) {
    return word == key;
  }

  @Override
  public boolean isFilled(long slot, long word) {
    return word != 0 || state(slot) == FILLED;
  }

  @Override
  public boolean isEmpty(long slot, long word) {
    return word == 0 && state(slot) == EMPTY;
  }

  @Override
  public boolean hasValue(long slot) {
    return true;
  }

  @Override
  public void write(long slot, long key, long value) {
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

  @Override
  public long value(long slot) {
    return table.plainValue(slot);
  }

  @Override
  public void setValue(long slot, long value) {
    table.setValue(slot, value);
  }
}
