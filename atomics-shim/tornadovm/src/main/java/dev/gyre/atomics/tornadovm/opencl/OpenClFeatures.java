package dev.gyre.atomics.tornadovm.opencl;

import dev.gyre.atomics.table.Order;
import dev.gyre.atomics.table.Scope;
import dev.gyre.atomics.tornadovm.UnsupportedByDeviceException;
import java.util.Set;

/**
 * What an OpenCL device declares of the optional parts of OpenCL C 3.0.
 *
 * @param device name of the device, for errors
 * @param vendor name of its maker
 * @param declared names of feature macros, such as {@code __opencl_c_atomic_scope_device}
 */
public record OpenClFeatures(String device, String vendor, Set<String> declared) {

  public OpenClFeatures {
    declared = Set.copyOf(declared);
  }

  /** Whether PTX can be written inside OpenCL C. */
  boolean hasInlinePtx() {
    return vendor.startsWith("NVIDIA");
  }

  /** Refuses what the device does not declare. Relaxed order and block scope need no feature. */
  void require(Object operation, Order order, Scope scope) {
    switch (order) {
      case ACQUIRE, RELEASE, ACQ_REL -> require(operation, "__opencl_c_atomic_order_acq_rel");
      case SEQ_CST -> require(operation, "__opencl_c_atomic_order_seq_cst");
      default -> {}
    }
    switch (scope) {
      case DEVICE -> require(operation, "__opencl_c_atomic_scope_device");
      case SYSTEM -> require(operation, "__opencl_c_atomic_scope_all_devices");
      default -> {}
    }
  }

  private void require(Object operation, String feature) {
    if (!declared.contains(feature)) {
      throw new UnsupportedByDeviceException(
          operation, "OpenCL device " + device, "it does not declare " + feature);
    }
  }
}
