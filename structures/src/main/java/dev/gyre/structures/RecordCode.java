package dev.gyre.structures;

import java.lang.constant.ConstantDescs;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.util.List;

/**
 * Reads and makes the records of one type.
 *
 * <p>{@link RecordParts} defines this class again, as a hidden class for each type. There the
 * handles are constants, so that HotSpot inlines what they call. The class itself has none and is
 * never initialised.
 */
final class RecordCode implements RecordParts.Code {

  private static final List<MethodHandle> HANDLES = handles();
  private static final MethodHandle FIRST = HANDLES.get(0);
  private static final MethodHandle SECOND = HANDLES.get(1);
  private static final MethodHandle THIRD = HANDLES.get(2);
  private static final MethodHandle FOURTH = HANDLES.get(3);
  private static final MethodHandle MAKER = HANDLES.get(4);

  @SuppressWarnings("unchecked")
  private static List<MethodHandle> handles() {
    try {
      return MethodHandles.classData(
          MethodHandles.lookup(), ConstantDescs.DEFAULT_NAME, List.class);
    } catch (IllegalAccessException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  @Override
  public long word(Record record, int index) throws Throwable {
    return switch (index) {
      case 0 -> (long) FIRST.invokeExact(record);
      case 1 -> (long) SECOND.invokeExact(record);
      case 2 -> (long) THIRD.invokeExact(record);
      default -> (long) FOURTH.invokeExact(record);
    };
  }

  @Override
  public Record record(long first, long second, long third, long fourth) throws Throwable {
    return (Record) MAKER.invokeExact(first, second, third, fourth);
  }
}
