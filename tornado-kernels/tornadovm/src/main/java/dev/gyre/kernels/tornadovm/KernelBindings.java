package dev.gyre.kernels.tornadovm;

import java.util.List;

/** Task methods for kernels, found by {@link java.util.ServiceLoader}. */
public interface KernelBindings {

  /** The kernels that have task methods here; no kernel has two. */
  List<KernelBinding> bindings();
}
