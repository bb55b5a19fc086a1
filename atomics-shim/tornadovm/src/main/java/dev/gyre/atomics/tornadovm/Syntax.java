package dev.gyre.atomics.tornadovm;

import dev.gyre.atomics.table.ElementType;
import dev.gyre.atomics.table.Fence;
import dev.gyre.atomics.table.Operation;
import org.jspecify.annotations.Nullable;

/**
 * The language of one backend: the text that each operation of the shim becomes.
 *
 * <p>A text is one or more whole statements. In it {@code $r} stands for the variable of the
 * result, {@code $a} for the address of the element, {@code $x} and {@code $y} for the arguments
 * after the index (of a static function: for its arguments). An empty text is an operation that
 * needs no code.
 */
public interface Syntax {

  /**
   * The text of an operation on a handle.
   *
   * @throws UnsupportedByDeviceException if the device cannot do it at that order and scope
   * @throws IllegalArgumentException if the operation is composite, so that its Java body is
   *     compiled
   */
  String operation(Operation operation);

  /**
   * The text of a fence.
   *
   * @throws UnsupportedByDeviceException if the device has none of that order and scope
   */
  String fence(Fence fence);

  /**
   * The text that loads two neighbours at once, {@code $r} and {@code $s}, in place of two of these
   * loads; null where there is none.
   */
  default @Nullable String pair(String load) {
    return null;
  }

  /**
   * The text of arithmetic on floats or doubles.
   *
   * @throws UnsupportedByDeviceException if the device cannot do it as Java does
   */
  String arithmetic(Arithmetic what, ElementType type);

  /**
   * The text that declares memory which a block shares, at the begin of a kernel; {@code $r} is its
   * address, which the texts of operations on it take.
   *
   * @param number tells it from others of the kernel
   * @param bytes how much it is
   */
  String shared(int number, long bytes);

  /** The text of a function that is neither atomic nor ordered. */
  String function(PlainFunction function);
}
