package dev.gyre.atomics;

import java.io.Serial;
import org.jspecify.annotations.Nullable;

/** Thrown if a read or write of a handle is out of bounds; refers to the handle. */
@Internal
public final class ElementIndexException extends IndexOutOfBoundsException {
  @Serial private static final long serialVersionUID = 1L;

  private final transient @Nullable Object handle;
  private final long index;
  private final long length;

  ElementIndexException(Object handle, long index, long length) {
    super("index " + index + " is out of bounds of a handle with " + length + " elements");
    this.handle = handle;
    this.index = index;
    this.length = length;
  }

  /** Returns the {@link Handle} or {@link SharedHandle}; null if this was deserialized. */
  public @Nullable Object handle() {
    return handle;
  }

  /** Returns the index that is out of bounds. */
  public long index() {
    return index;
  }

  /** Returns the number of elements of the handle. */
  public long length() {
    return length;
  }
}
