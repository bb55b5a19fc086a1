package dev.gyre.structures.arrow;

import static dev.gyre.structures.arrow.ArrowStruct.WORD;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * A struct that was moved here: the release of the producer's struct is null. Closing calls the
 * release, once, from any thread.
 */
final class Moved implements AutoCloseable {

  private final ArrowStruct type;

  /** Null if the struct was released before, or after it is released. */
  private final AtomicReference<@Nullable MemorySegment> struct;

  private Moved(ArrowStruct type, @Nullable MemorySegment struct) {
    this.type = type;
    this.struct = new AtomicReference<>(struct);
  }

  /** Moves the struct at an address, unless that is null or the struct was released. */
  static Moved from(ArrowStruct type, long address) {
    if (address == 0 || type.at(address).get(WORD, type.release) == 0) {
      return new Moved(type, null);
    }
    MemorySegment from = type.at(address);
    MemorySegment moved = Arena.ofAuto().allocate(type.bytes, Long.BYTES).copyFrom(from);
    from.set(WORD, type.release, 0);
    return new Moved(type, moved);
  }

  /** Moves the struct on. */
  Moved moved() {
    return new Moved(type, struct.getAndSet(null));
  }

  /**
   * Returns the struct.
   *
   * @throws ArrowException if it was released before
   */
  MemorySegment struct() {
    MemorySegment now = struct.get();
    if (now == null) {
      throw new ArrowException(
          "the %s is null, or was released or moved before: each import needs a struct that its"
              + " producer has filled",
          type);
    }
    return now;
  }

  @Override
  @SuppressWarnings("restricted") // The interface defines the function.
  public void close() {
    MemorySegment last = struct.getAndSet(null);
    if (last != null) {
      try {
        Linker.nativeLinker()
            .downcallHandle(
                MemorySegment.ofAddress(last.get(WORD, type.release)),
                FunctionDescriptor.ofVoid(ValueLayout.ADDRESS))
            .invokeExact(last);
      } catch (Throwable e) {
        throw new IllegalStateException("the release of an %s failed".formatted(type), e);
      }
    }
  }
}
