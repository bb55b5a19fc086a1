package dev.gyre.datasets.gutenberg;

import dev.gyre.atomics.GyreException;
import java.io.Serial;
import org.jspecify.annotations.Nullable;

/**
 * Thrown if a book cannot be downloaded. The message is one line with the book, its URL and the
 * reason.
 *
 * @since 0.1.0
 */
public final class DownloadException extends GyreException {
  @Serial private static final long serialVersionUID = 1L;

  /** What went wrong. */
  public enum Kind {
    /** The server has no such book: status 404 or 410. */
    NOT_FOUND,
    /** The server refuses with another status; a further attempt would not help. */
    REFUSED,
    /** The server is overloaded, demands too long a pause, or fails; try later. */
    BUSY,
    /** There is no connection, or it broke or stalled repeatedly. */
    UNREACHABLE,
    /** The text ended too early repeatedly. */
    TRUNCATED,
    /** The text is not the edition of the catalogue. */
    OTHER_EDITION,
    /** The server sent something other than plain text, such as a web page. */
    NOT_TEXT,
    /** The cache folder cannot be used. */
    CACHE
  }

  // Not serializable: a serialized exception loses it.
  private final transient @Nullable GutenbergBook book;
  private final Kind kind;

  DownloadException(GutenbergBook book, Kind kind, String reason, @Nullable Throwable cause) {
    super(book + ", " + book.url() + ": " + reason, cause);
    this.book = book;
    this.kind = kind;
  }

  /** Returns the book, or null if the exception was serialized. */
  public @Nullable GutenbergBook book() {
    return book;
  }

  /** What went wrong. */
  public Kind kind() {
    return kind;
  }
}
