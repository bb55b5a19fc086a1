package dev.gyre.atomics.tornadovm;

import dev.gyre.atomics.Block;
import dev.gyre.atomics.Bytes;
import dev.gyre.atomics.Lanes;
import dev.gyre.atomics.Meeting;
import dev.gyre.atomics.Unsigned;
import dev.gyre.atomics.table.ElementType;
import java.util.Arrays;
import java.util.List;

/**
 * Functions of device code besides the operations of the table: unsigned arithmetic, lanes,
 * meetings, barriers and bytes.
 */
public enum PlainFunction {
  SHIFT_RIGHT_INT(Unsigned.class, "shiftRight", int.class, int.class),
  SHIFT_RIGHT_LONG(Unsigned.class, "shiftRight", long.class, int.class),
  LESS_THAN_INT(Unsigned.class, "lessThan", int.class, int.class),
  LESS_THAN_LONG(Unsigned.class, "lessThan", long.class, long.class),
  MULTIPLY_HIGH(Unsigned.class, "multiplyHigh", long.class, long.class),
  TO_LONG(Unsigned.class, "toLong", int.class),
  MEET_BLOCK(Meeting.class, "ofBlock"),
  MEET_DEVICE(Meeting.class, "ofDevice"),
  MEET_SYSTEM(Meeting.class, "ofSystem"),
  BARRIER(Block.class, "barrier"),
  LANES_WIDTH(Lanes.class, "width"),
  LANES_INDEX(Lanes.class, "index"),
  LANES_ANY(Lanes.class, "any", boolean.class),
  LANES_ALL(Lanes.class, "all", boolean.class),
  LANES_BALLOT(Lanes.class, "ballot", boolean.class),
  LANES_SHUFFLE_INT(Lanes.class, "shuffle", int.class, int.class),
  LANES_SHUFFLE_LONG(Lanes.class, "shuffle", long.class, int.class),
  LANES_SHUFFLE_FLOAT(Lanes.class, "shuffle", float.class, int.class),
  LANES_SHUFFLE_DOUBLE(Lanes.class, "shuffle", double.class, int.class),
  LANES_SUM_INT(Lanes.class, "sumOfAll", int.class),
  LANES_SUM_LONG(Lanes.class, "sumOfAll", long.class),
  LANES_SUM_FLOAT(Lanes.class, "sumOfAll", float.class),
  LANES_SUM_DOUBLE(Lanes.class, "sumOfAll", double.class),
  LANES_PREFIX_SUM_INT(Lanes.class, "prefixSum", int.class),
  LANES_PREFIX_SUM_LONG(Lanes.class, "prefixSum", long.class),
  LANES_PREFIX_SUM_FLOAT(Lanes.class, "prefixSum", float.class),
  LANES_PREFIX_SUM_DOUBLE(Lanes.class, "prefixSum", double.class),
  SUM_OF_PRESENT(Lanes.class, "sumOfPresent", int.class),
  GET_BYTE(Bytes.class, "get", long.class),
  GET_UNSIGNED_BYTE(Bytes.class, "getUnsigned", long.class),
  SET_BYTE(Bytes.class, "set", long.class, byte.class);

  private final Class<?> holder;
  private final String method;

  @SuppressWarnings("ImmutableEnumChecker") // List.of cannot be changed.
  private final List<Class<?>> parameters;

  PlainFunction(Class<?> holder, String method, Class<?>... parameters) {
    this.holder = holder;
    this.method = method;
    this.parameters = List.of(parameters);
  }

  public Class<?> holder() {
    return holder;
  }

  public String method() {
    return method;
  }

  public List<Class<?>> parameters() {
    return parameters;
  }

  /** Returns whether all threads of a warp call this together, if it has several. */
  public boolean isOfLanes() {
    return holder == Lanes.class;
  }

  /** Returns whether the result may differ from lane to lane for equal arguments. */
  public boolean differsByLane() {
    return switch (this) {
      case LANES_INDEX,
          LANES_PREFIX_SUM_INT,
          LANES_PREFIX_SUM_LONG,
          LANES_PREFIX_SUM_FLOAT,
          LANES_PREFIX_SUM_DOUBLE,
          SUM_OF_PRESENT ->
          true;
      default -> false;
    };
  }

  /** Returns the type of the first argument and of the result; int without arguments. */
  public ElementType type() {
    Class<?> first = parameters.isEmpty() ? int.class : parameters.getFirst();
    return Arrays.stream(ElementType.values())
        .filter(t -> t.primitive().equals(first.getName()))
        .findFirst()
        .orElse(ElementType.INT);
  }

  /** Returns whether this reads or writes an element, so that its first parameter is an index. */
  public boolean onElement() {
    return holder == Bytes.class;
  }

  @Override
  public String toString() {
    return holder.getSimpleName() + "." + method;
  }
}
