package dev.gyre.kernels.tornadovm;

import dev.gyre.atomics.tornadovm.Handles;
import dev.gyre.kernels.map.TextSlots;
import java.util.List;
import uk.ac.manchester.tornado.api.KernelContext;
import uk.ac.manchester.tornado.api.types.arrays.LongArray;

/** The task methods of the map from text to long. */
public final class TextSlotTasks implements KernelBindings {

  @Override
  public List<KernelBinding> bindings() {
    return List.of(
        KernelBinding.of(TextSlots.Insert.class, TextSlotTasks.class, "insert"),
        KernelBinding.of(TextSlots.Find.class, TextSlotTasks.class, "find"),
        KernelBinding.of(TextSlots.Move.class, TextSlotTasks.class, "move"));
  }

  static void insert(
      KernelContext context,
      LongArray parameters,
      LongArray states,
      LongArray table,
      LongArray arena,
      LongArray bump,
      LongArray inWords,
      LongArray inPlaces,
      LongArray inValues,
      LongArray outcomes,
      LongArray counters) {
    TextSlots.insert(
        context.globalIdx,
        Parameters.threads(parameters),
        Handles.deviceInts(states),
        Handles.deviceLongs(table),
        Parameters.scalar(parameters, 0),
        Parameters.scalar(parameters, 1),
        Handles.deviceLongs(arena),
        Parameters.scalar(parameters, 2),
        Handles.deviceLongs(bump),
        Parameters.scalar(parameters, 3),
        Handles.deviceLongs(inWords),
        Handles.deviceLongs(inPlaces),
        Handles.deviceLongs(inValues),
        Handles.bytes(outcomes),
        Handles.deviceLongs(counters),
        Parameters.scalar(parameters, 4),
        Parameters.scalar(parameters, 5),
        (int) Parameters.scalar(parameters, 6),
        (int) Parameters.scalar(parameters, 7),
        Parameters.scalar(parameters, 8));
    Parameters.end(context, parameters);
  }

  static void find(
      KernelContext context,
      LongArray parameters,
      LongArray states,
      LongArray table,
      LongArray arena,
      LongArray inWords,
      LongArray inPlaces,
      LongArray outValues,
      LongArray outcomes,
      LongArray counters) {
    TextSlots.find(
        context.globalIdx,
        Parameters.threads(parameters),
        Handles.deviceInts(states),
        Handles.deviceLongs(table),
        Parameters.scalar(parameters, 0),
        Parameters.scalar(parameters, 1),
        Handles.deviceLongs(arena),
        Handles.deviceLongs(inWords),
        Handles.deviceLongs(inPlaces),
        Handles.deviceLongs(outValues),
        Handles.bytes(outcomes),
        Handles.deviceLongs(counters),
        Parameters.scalar(parameters, 2),
        Parameters.scalar(parameters, 3),
        (int) Parameters.scalar(parameters, 4),
        Parameters.scalar(parameters, 5));
    Parameters.end(context, parameters);
  }

  static void move(
      KernelContext context,
      LongArray parameters,
      LongArray oldStates,
      LongArray oldTable,
      LongArray states,
      LongArray table,
      LongArray arena) {
    TextSlots.move(
        context.globalIdx,
        Parameters.threads(parameters),
        Handles.deviceInts(oldStates),
        Handles.deviceLongs(oldTable),
        Handles.deviceInts(states),
        Handles.deviceLongs(table),
        Parameters.scalar(parameters, 0),
        Parameters.scalar(parameters, 1),
        Handles.deviceLongs(arena),
        Parameters.scalar(parameters, 2),
        Parameters.scalar(parameters, 3));
    Parameters.end(context, parameters);
  }
}
