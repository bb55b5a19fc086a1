package dev.gyre.atomics;

import java.io.Serial;
import org.jspecify.annotations.Nullable;

/** A read or write of a handle at an index that is out of bounds; carries the handle. */
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

  /** The {@link Handle} or {@link SharedHandle}; null once the exception was serialised. */
  public @Nullable Object handle() {
    return handle;
  }

  /** The index that was out of bounds. */
  public long index() {
    return index;
  }

  /** Number of elements of the handle. */
  public long length() {
    return length;
  }
}
