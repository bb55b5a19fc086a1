package dev.gyre.atomics.tornadovm;

import dev.gyre.atomics.table.ElementType;
import dev.gyre.atomics.table.OperationKind;
import java.util.ArrayList;
import java.util.List;

/**
 * Arithmetic on floats and doubles with the semantics of Java.
 *
 * <p>Each result is rounded to nearest; a product and a sum are never fused. Subnormal numbers,
 * infinities, NaN and the sign of 0 are kept. The device chooses the bits of a NaN.
 */
public enum Arithmetic {
  ADD,
  SUBTRACT,
  MULTIPLY,
  DIVIDE,
  /** {@code x % y}. */
  REMAINDER,
  /** {@link Math#min}. */
  MIN,
  /** {@link Math#max}. */
  MAX,
  SQRT,
  ABS,
  NEGATE,
  /** 1 if {@code x < y}, otherwise 0. */
  LESS,
  /** 0 if {@code x >= y}, otherwise 1. */
  NOT_GREATER_OR_EQUAL,
  /** 1 if {@code x == y}, otherwise 0. */
  EQUAL,
  /** {@code (int) x}. */
  TO_INT,
  /** {@code (long) x}. */
  TO_LONG,
  /** The int {@code x} as a number of this type. */
  OF_INT,
  /** The long {@code x} as a number of this type. */
  OF_LONG,
  /** The number {@code x} of the other width as a number of this type. */
  OF_OTHER,
  /** The bits of {@code x} as an integer. */
  BITS,
  /** The number with the bits of the integer {@code x}. */
  OF_BITS;

  /** Row of the table: arithmetic on numbers of a type. */
  public record Row(Arithmetic what, ElementType type) {
    @Override
    public String toString() {
      return what + "_" + type;
    }
  }

  /** Returns all arithmetic on all types. */
  public static List<Row> rows() {
    List<Row> rows = new ArrayList<>();
    for (ElementType type : List.of(ElementType.FLOAT, ElementType.DOUBLE)) {
      for (Arithmetic a : values()) {
        rows.add(new Row(a, type));
      }
    }
    return rows;
  }

  /** Returns the arithmetic of an update of a floating-point number. */
  public static Arithmetic of(OperationKind kind) {
    return switch (kind) {
      case FETCH_ADD -> ADD;
      case FETCH_MIN -> MIN;
      case FETCH_MAX -> MAX;
      default -> throw new IllegalArgumentException(kind.toString());
    };
  }
}
