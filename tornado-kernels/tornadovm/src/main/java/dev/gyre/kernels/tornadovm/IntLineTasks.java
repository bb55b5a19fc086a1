package dev.gyre.kernels.tornadovm;

import dev.gyre.atomics.tornadovm.Handles;
import dev.gyre.kernels.map.IntLines;
import java.util.List;
import uk.ac.manchester.tornado.api.KernelContext;
import uk.ac.manchester.tornado.api.types.arrays.LongArray;

/** The task methods of the map from int to int whose slots are lines. */
public final class IntLineTasks implements KernelBindings {

  @Override
  public List<KernelBinding> bindings() {
    return List.of(
        KernelBinding.of(IntLines.Insert.class, IntLineTasks.class, "insert"),
        KernelBinding.of(IntLines.Find.class, IntLineTasks.class, "find"),
        KernelBinding.of(IntLines.Retrieve.class, IntLineTasks.class, "retrieve"));
  }

  static void insert(
      KernelContext context,
      LongArray parameters,
      LongArray words,
      LongArray inKeys,
      LongArray inValues,
      LongArray outcomes,
      LongArray counters) {
    IntLines.insert(
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
    IntLines.find(
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
        (int) Parameters.scalar(parameters, 4),
        Parameters.scalar(parameters, 5));
    Parameters.end(context, parameters);
  }

  static void retrieve(
      KernelContext context,
      LongArray parameters,
      LongArray words,
      LongArray outKeys,
      LongArray outValues,
      LongArray counters) {
    IntLines.retrieve(
        context.globalIdx,
        Parameters.threads(parameters),
        Handles.deviceLongs(words),
        Handles.deviceInts(outKeys),
        Handles.deviceInts(outValues),
        Handles.deviceLongs(counters),
        Parameters.scalar(parameters, 0),
        Parameters.scalar(parameters, 1));
    Parameters.end(context, parameters);
  }
}
