package dev.gyre.kernels.tornadovm;

import dev.gyre.atomics.tornadovm.Handles;
import dev.gyre.kernels.ClearLongs;
import java.util.List;
import uk.ac.manchester.tornado.api.KernelContext;
import uk.ac.manchester.tornado.api.types.arrays.LongArray;

/** The task method that clears memories. */
public final class ClearTask implements KernelBindings {

  @Override
  public List<KernelBinding> bindings() {
    return List.of(KernelBinding.of(ClearLongs.class, ClearTask.class, "clear"));
  }

  static void clear(KernelContext context, LongArray parameters, LongArray longs) {
    ClearLongs.clear(
        context.globalIdx,
        Parameters.threads(parameters),
        Handles.threadLongs(longs),
        Parameters.scalar(parameters, 0));
    Parameters.end(context, parameters);
  }
}
