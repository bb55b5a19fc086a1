package dev.gyre.atomics.tornadovm.opencl;

import dev.gyre.atomics.table.ElementType;
import dev.gyre.atomics.table.Order;
import dev.gyre.atomics.table.Scope;
import dev.gyre.atomics.tornadovm.Arithmetic;
import dev.gyre.atomics.tornadovm.UnsupportedByDeviceException;
import java.util.Set;

/**
 * Optional features of OpenCL C 3.0 that a device declares.
 *
 * @param device name of the device, for errors
 * @param vendor name of its maker
 * @param declared names of feature macros, such as {@code __opencl_c_atomic_scope_device}, and of
 *     floating-point capabilities such as {@link #SUBNORMAL_FLOATS}, and {@link #REDUX}
 */
public record OpenClFeatures(String device, String vendor, Set<String> declared) {

  public static final String SUBNORMAL_FLOATS = "CL_FP_DENORM";
  public static final String ROUNDED_DIVISION = "CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT";
  public static final String DOUBLES = "cl_khr_fp64";

  /** PTX instruction that adds values of the threads of a warp. */
  public static final String REDUX = "redux.sync";

  public OpenClFeatures {
    declared = Set.copyOf(declared);
  }

  /** Returns whether OpenCL C may contain PTX. */
  boolean hasInlinePtx() {
    return vendor.startsWith("NVIDIA");
  }

  boolean declares(String feature) {
    return declared.contains(feature);
  }

  /**
   * Throws for arithmetic that the device does not declare to follow Java. A device that supports
   * doubles supports all of it.
   */
  void require(Arithmetic what, ElementType type) {
    Object row = new Arithmetic.Row(what, type);
    boolean rounds = what != Arithmetic.BITS && what != Arithmetic.OF_BITS;
    if (type == ElementType.DOUBLE) {
      require(row, DOUBLES);
    } else if (rounds) {
      require(row, SUBNORMAL_FLOATS);
      if (what == Arithmetic.DIVIDE || what == Arithmetic.SQRT) {
        require(row, ROUNDED_DIVISION);
      }
    }
  }

  /** Throws for what the device does not declare. Relaxed order and block scope need no feature. */
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
