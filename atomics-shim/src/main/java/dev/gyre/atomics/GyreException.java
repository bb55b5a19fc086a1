package dev.gyre.atomics;

import java.io.Serial;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Parent of the exceptions that Gyre throws for reasons of its own.
 *
 * <p>One that ends a bulk operation in the middle says how much of it is known to be done, in its
 * message and by {@link #soFar}.
 */
public class GyreException extends RuntimeException {
  @Serial private static final long serialVersionUID = 1L;

  private transient @Nullable Object soFar;
  private @Nullable String inWords;

  public GyreException(String message) {
    super(message);
  }

  public GyreException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }

  /**
   * What the bulk operation that failed would have returned for that part of it which is known to
   * be done. The rest may be done or not.
   *
   * @param type of what the operation returns: {@code InsertCounts} of an insert, {@code Long}, for
   *     bytes of text or for words, of what counts words
   * @return empty where no such operation had begun, and of an exception that was serialized, which
   *     keeps its message only
   */
  public final <T> Optional<T> soFar(Class<T> type) {
    return type.isInstance(soFar) ? Optional.of(type.cast(soFar)) : Optional.empty();
  }

  /** Says what is known to be done, in place of what was said of a part of the operation. */
  @Internal
  public final void tell(Object known, String words) {
    soFar = known;
    inWords = words;
  }

  @Override
  public String getMessage() {
    String problem = String.valueOf(super.getMessage());
    return inWords == null ? problem : problem + "; " + inWords;
  }
}
