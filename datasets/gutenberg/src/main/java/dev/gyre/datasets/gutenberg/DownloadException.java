package dev.gyre.datasets.gutenberg;

import dev.gyre.atomics.GyreException;
import java.io.Serial;
import org.jspecify.annotations.Nullable;

/** A book could not be had; the message is one line that names it and its url and says why. */
public final class DownloadException extends GyreException {
  @Serial private static final long serialVersionUID = 1L;

  /** What went wrong. */
  public enum Kind {
    /** The server says that there is no such book: status 404 or 410. */
    NOT_FOUND,
    /** The server refuses with another status; trying again would not help. */
    REFUSED,
    /** The server is overloaded, asks for more patience than there is, or fails; try later. */
    BUSY,
    /** No connection, or one that broke or stalled again and again. */
    UNREACHABLE,
    /** The text ended too early again and again. */
    TRUNCATED,
    /** The text is not the edition that the catalogue knows. */
    OTHER_EDITION,
    /** The server sent something that is no plain text, such as a web page. */
    NOT_TEXT,
    /** The cache folder cannot be used. */
    CACHE
  }

  // A record of this library, but not serializable: an exception that travels loses it.
  private final transient @Nullable GutenbergBook book;
  private final Kind kind;

  DownloadException(GutenbergBook book, Kind kind, String reason, @Nullable Throwable cause) {
    super(book + ", " + book.url() + ": " + reason, cause);
    this.book = book;
    this.kind = kind;
  }

  /** The book that could not be had, or null in an exception that was serialized. */
  public @Nullable GutenbergBook book() {
    return book;
  }

  /** What went wrong. */
  public Kind kind() {
    return kind;
  }
}
