package dev.gyre.atomics.tornadovm;

import dev.gyre.atomics.table.ElementType;
import dev.gyre.atomics.table.Fence;
import dev.gyre.atomics.table.Operation;
import org.jspecify.annotations.Nullable;

/**
 * Language of a backend: the text of each operation of the shim.
 *
 * <p>A text is one or more complete statements. In it {@code $r} stands for the variable of the
 * result, {@code $a} for the address of the element, {@code $x} and {@code $y} for the arguments
 * after the index (of a static function: for its arguments). An empty text is an operation without
 * code.
 */
public interface Syntax {

  /**
   * Returns the text of an operation on a handle.
   *
   * @throws UnsupportedByDeviceException if the device does not support it at that order and scope
   * @throws IllegalArgumentException if the operation is composite, so that its Java body is
   *     compiled
   */
  String operation(Operation operation);

  /**
   * Returns the text of a fence.
   *
   * @throws UnsupportedByDeviceException if the device does not support that order and scope
   */
  String fence(Fence fence);

  /**
   * Returns the text that loads two neighbours at once, {@code $r} and {@code $s}, in place of two
   * given loads; null if the language has no such access.
   */
  default @Nullable String pair(String load) {
    return null;
  }

  /**
   * Returns the text of arithmetic on floats or doubles.
   *
   * @throws UnsupportedByDeviceException if the device does not follow Java
   */
  String arithmetic(Arithmetic what, ElementType type);

  /**
   * Returns the text that declares shared memory at the start of a kernel; {@code $r} is its
   * address for the texts of its operations.
   *
   * @param number identifies it within the kernel
   * @param bytes its size
   */
  String shared(int number, long bytes);

  /** Returns the text of a function that is neither atomic nor ordered. */
  String function(PlainFunction function);
}
