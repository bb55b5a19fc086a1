package dev.gyre.kernels.tornadovm;

import dev.gyre.atomics.tornadovm.Handles;
import dev.gyre.kernels.map.LongSlots;
import java.util.List;
import uk.ac.manchester.tornado.api.KernelContext;
import uk.ac.manchester.tornado.api.types.arrays.LongArray;

/** The task methods of the map from long to long. */
public final class LongSlotTasks implements KernelBindings {

  @Override
  public List<KernelBinding> bindings() {
    return List.of(
        KernelBinding.of(LongSlots.Insert.class, LongSlotTasks.class, "insert"),
        KernelBinding.of(LongSlots.Find.class, LongSlotTasks.class, "find"),
        KernelBinding.of(LongSlots.Retrieve.class, LongSlotTasks.class, "retrieve"));
  }

  static void insert(
      KernelContext context,
      LongArray parameters,
      LongArray states,
      LongArray keys,
      LongArray values,
      LongArray inKeys,
      LongArray inValues,
      LongArray outcomes,
      LongArray counters) {
    LongSlots.insert(
        context.globalIdx,
        Parameters.threads(parameters),
        (int) Parameters.scalar(parameters, 0),
        Handles.deviceInts(states),
        Handles.deviceLongs(keys),
        Handles.deviceLongs(values),
        Parameters.scalar(parameters, 1),
        Parameters.scalar(parameters, 2),
        Handles.deviceLongs(inKeys),
        Handles.deviceLongs(inValues),
        Handles.bytes(outcomes),
        Handles.deviceLongs(counters),
        Parameters.scalar(parameters, 3),
        Parameters.scalar(parameters, 4),
        (int) Parameters.scalar(parameters, 5),
        (int) Parameters.scalar(parameters, 6),
        Parameters.scalar(parameters, 7));
    Parameters.end(context, parameters);
  }

  static void find(
      KernelContext context,
      LongArray parameters,
      LongArray states,
      LongArray keys,
      LongArray values,
      LongArray inKeys,
      LongArray outValues,
      LongArray outcomes,
      LongArray counters) {
    LongSlots.find(
        context.globalIdx,
        Parameters.threads(parameters),
        (int) Parameters.scalar(parameters, 0),
        Handles.deviceInts(states),
        Handles.deviceLongs(keys),
        Handles.deviceLongs(values),
        Parameters.scalar(parameters, 1),
        Parameters.scalar(parameters, 2),
        Handles.deviceLongs(inKeys),
        Handles.deviceLongs(outValues),
        Handles.bytes(outcomes),
        Handles.deviceLongs(counters),
        Parameters.scalar(parameters, 3),
        Parameters.scalar(parameters, 4),
        (int) Parameters.scalar(parameters, 5),
        Parameters.scalar(parameters, 6));
    Parameters.end(context, parameters);
  }

  static void retrieve(
      KernelContext context,
      LongArray parameters,
      LongArray states,
      LongArray keys,
      LongArray values,
      LongArray outKeys,
      LongArray outValues,
      LongArray counters) {
    LongSlots.retrieve(
        context.globalIdx,
        Parameters.threads(parameters),
        (int) Parameters.scalar(parameters, 0),
        Handles.deviceInts(states),
        Handles.deviceLongs(keys),
        Handles.deviceLongs(values),
        Handles.deviceLongs(outKeys),
        Handles.deviceLongs(outValues),
        Handles.deviceLongs(counters),
        Parameters.scalar(parameters, 1),
        Parameters.scalar(parameters, 2));
    Parameters.end(context, parameters);
  }
}
