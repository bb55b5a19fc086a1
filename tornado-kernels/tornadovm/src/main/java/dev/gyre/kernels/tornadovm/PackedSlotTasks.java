package dev.gyre.kernels.tornadovm;

import dev.gyre.atomics.tornadovm.Handles;
import dev.gyre.kernels.map.PackedSlots;
import java.util.List;
import uk.ac.manchester.tornado.api.KernelContext;
import uk.ac.manchester.tornado.api.types.arrays.LongArray;

/** The task methods of the map with packed slots. */
public final class PackedSlotTasks implements KernelBindings {

  @Override
  public List<KernelBinding> bindings() {
    return List.of(
        KernelBinding.of(PackedSlots.Insert.class, PackedSlotTasks.class, "insert"),
        KernelBinding.of(PackedSlots.Find.class, PackedSlotTasks.class, "find"),
        KernelBinding.of(PackedSlots.Retrieve.class, PackedSlotTasks.class, "retrieve"));
  }

  static void insert(
      KernelContext context,
      LongArray parameters,
      LongArray words,
      LongArray inKeys,
      LongArray inValues,
      LongArray outcomes,
      LongArray counters) {
    PackedSlots.insert(
        context.globalIdx,
        Parameters.threads(parameters),
        Handles.deviceLongs(words),
        Parameters.scalar(parameters, 0),
        Parameters.scalar(parameters, 1),
        Handles.deviceInts(inKeys),
        Handles.deviceInts(inValues),
        Handles.bytes(outcomes),
        Handles.deviceLongs(counters),
        Parameters.scalar(parameters, 2),
        Parameters.scalar(parameters, 3),
        (int) Parameters.scalar(parameters, 4),
        (int) Parameters.scalar(parameters, 5),
        Parameters.scalar(parameters, 6));
    Parameters.end(context, parameters);
  }

  static void find(
      KernelContext context,
      LongArray parameters,
      LongArray words,
      LongArray inKeys,
      LongArray outValues,
      LongArray outcomes,
      LongArray counters) {
    PackedSlots.find(
        context.globalIdx,
        Parameters.threads(parameters),
        Handles.deviceLongs(words),
        Parameters.scalar(parameters, 0),
        Parameters.scalar(parameters, 1),
        Handles.deviceInts(inKeys),
        Handles.deviceInts(outValues),
        Handles.bytes(outcomes),
        Handles.deviceLongs(counters),
        Parameters.scalar(parameters, 2),
        Parameters.scalar(parameters, 3),
        (int) Parameters.scalar(parameters, 4));
    Parameters.end(context, parameters);
  }

  static void retrieve(
      KernelContext context,
      LongArray parameters,
      LongArray words,
      LongArray outKeys,
      LongArray outValues,
      LongArray counters) {
    PackedSlots.retrieve(
        context.globalIdx,
        Parameters.threads(parameters),
        Handles.deviceLongs(words),
        Parameters.scalar(parameters, 0),
        Handles.deviceInts(outKeys),
        Handles.deviceInts(outValues),
        Handles.deviceLongs(counters),
        Parameters.scalar(parameters, 1),
        Parameters.scalar(parameters, 2));
    Parameters.end(context, parameters);
  }
}
