package dev.gyre.atomics.tornadovm;

import dev.gyre.atomics.table.ElementType;
import dev.gyre.atomics.table.OperationKind;
import java.util.ArrayList;
import java.util.List;

/**
 * Arithmetic on a float or a double, as Java has it: each result is rounded to the nearest, never
 * one product and sum together; subnormal numbers, infinities, NaN and the sign of 0 are kept.
 * Which NaN comes out is up to the device.
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
  /** 1 where {@code x < y}, 0 otherwise. */
  LESS,
  /** 0 where {@code x >= y}, 1 otherwise. */
  NOT_GREATER_OR_EQUAL,
  /** 1 where {@code x == y}, 0 otherwise. */
  EQUAL,
  /** {@code (int) x}. */
  TO_INT,
  /** {@code (long) x}. */
  TO_LONG,
  /** The int {@code x} as such a number. */
  OF_INT,
  /** The long {@code x} as such a number. */
  OF_LONG,
  /** The number {@code x} of the other width as one of this. */
  OF_OTHER,
  /** The whole number of the bits of {@code x}. */
  BITS,
  /** The number whose bits the whole number {@code x} is. */
  OF_BITS;

  /** A row: arithmetic on numbers of a type. */
  public record Row(Arithmetic what, ElementType type) {
    @Override
    public String toString() {
      return what + "_" + type;
    }
  }

  /** All arithmetic on all types. */
  public static List<Row> rows() {
    List<Row> rows = new ArrayList<>();
    for (ElementType type : List.of(ElementType.FLOAT, ElementType.DOUBLE)) {
      for (Arithmetic a : values()) {
        rows.add(new Row(a, type));
      }
    }
    return rows;
  }

  /** What an update of a floating-point number computes. */
  public static Arithmetic of(OperationKind kind) {
    return switch (kind) {
      case FETCH_ADD -> ADD;
      case FETCH_MIN -> MIN;
      case FETCH_MAX -> MAX;
      default -> throw new IllegalArgumentException(kind.toString());
    };
  }
}
