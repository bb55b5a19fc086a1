package dev.gyre.kernels.tornadovm;

import dev.gyre.atomics.tornadovm.Handles;
import dev.gyre.kernels.examples.BlockHistogram;
import dev.gyre.kernels.examples.LetterHistogram;
import dev.gyre.kernels.examples.Stencil;
import java.util.List;
import uk.ac.manchester.tornado.api.KernelContext;
import uk.ac.manchester.tornado.api.types.arrays.LongArray;

/** The task methods of the talk's examples. */
public final class ExampleTasks implements KernelBindings {

  @Override
  public List<KernelBinding> bindings() {
    return List.of(
        KernelBinding.of(LetterHistogram.class, ExampleTasks.class, "letters"),
        KernelBinding.of(BlockHistogram.class, ExampleTasks.class, "lettersByBlock"),
        KernelBinding.of(Stencil.class, ExampleTasks.class, "stencil"));
  }

  static void letters(KernelContext context, LongArray parameters, LongArray text, LongArray bins) {
    LetterHistogram.count(
        context.globalIdx,
        Parameters.threads(parameters),
        Handles.bytes(text),
        Parameters.scalar(parameters, 0),
        Handles.deviceLongs(bins));
    Parameters.end(context, parameters);
  }

  static void lettersByBlock(
      KernelContext context,
      LongArray parameters,
      LongArray text,
      LongArray rows,
      LongArray barriers,
      LongArray bins,
      LongArray stuck) {
    BlockHistogram.count(
        context.globalIdx,
        Parameters.threads(parameters),
        Handles.bytes(text),
        Parameters.scalar(parameters, 0),
        Handles.blockLongs(rows),
        Handles.blockInts(barriers),
        Handles.deviceLongs(bins),
        Handles.deviceInts(stuck),
        (int) Parameters.scalar(parameters, 1),
        Parameters.scalar(parameters, 2));
    Parameters.end(context, parameters);
  }

  static void stencil(
      KernelContext context,
      LongArray parameters,
      LongArray barrier,
      LongArray cells,
      LongArray edges,
      LongArray stuck) {
    Stencil.solve(
        context.globalIdx,
        Parameters.threads(parameters),
        Handles.deviceInts(barrier),
        Handles.threadLongs(cells),
        Handles.threadLongs(edges),
        Handles.deviceInts(stuck),
        Parameters.scalar(parameters, 0),
        (int) Parameters.scalar(parameters, 1),
        Parameters.scalar(parameters, 2));
    Parameters.end(context, parameters);
  }
}
