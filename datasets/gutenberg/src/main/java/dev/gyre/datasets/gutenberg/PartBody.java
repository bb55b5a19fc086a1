package dev.gyre.datasets.gutenberg;

import java.io.IOException;
import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpResponse.BodySubscriber;
import java.net.http.HttpResponse.BodySubscribers;
import java.net.http.HttpResponse.ResponseInfo;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Writes the body of an answer after a part, or over it, as the answer says; drops everything that
 * is not text.
 */
final class PartBody implements BodyHandler<PartBody.Received> {

  /** Result of the body. */
  enum Received {
    /** The part is the text from its beginning to its end. */
    WHOLE,
    /** The part continues where it ended, to the end of the text. */
    CONTINUED,
    /** The range is not the requested one; nothing was written. */
    WRONG_RANGE,
    /** The body is a web page, which is a message and not a book; nothing was written. */
    NOT_TEXT,
    /** The length differs from that of the answer's header. */
    WRONG_LENGTH,
    /** The answer has another status; nothing was written. */
    NOTHING
  }

  private static final Pattern RANGE =
      Pattern.compile("bytes (\\d{1,18})-(\\d{1,18})/(\\d{1,18}|\\*)");

  private final GutenbergCache cache;
  private final GutenbergBook book;
  private final long offset;
  private volatile long position;
  private volatile long total = -1;
  private volatile long lastActivity = System.nanoTime();
  private volatile @Nullable IOException writeError;
  private volatile @Nullable Writer writer;

  PartBody(GutenbergCache cache, GutenbergBook book, long offset) {
    this.cache = cache;
    this.book = book;
    this.offset = offset;
    this.position = offset;
  }

  /** Returns the bytes of the part so far. */
  long position() {
    return position;
  }

  /** Returns the bytes of the text, or -1 if the server does not say. */
  long total() {
    return total;
  }

  /** Returns the time of the last byte, on the clock of {@link System#nanoTime}. */
  long lastActivity() {
    return lastActivity;
  }

  /** Returns the error of the cache folder that ended the transfer, or null. */
  @Nullable IOException writeError() {
    return writeError;
  }

  /** Stops writing, even if the abandoned connection delivers more. */
  void abandon() {
    Writer writing = writer;
    if (writing != null) {
      writing.close();
    }
  }

  @Override
  public BodySubscriber<Received> apply(ResponseInfo info) {
    lastActivity = System.nanoTime();
    if (info.statusCode() != 200 && info.statusCode() != 206) {
      return BodySubscribers.replacing(Received.NOTHING);
    }
    String type = info.headers().firstValue("Content-Type").orElse("").toLowerCase(Locale.ROOT);
    if (type.contains("html")) {
      return BodySubscribers.replacing(Received.NOT_TEXT);
    }
    try {
      return info.statusCode() == 206 ? continuing(info) : whole(info);
    } catch (IOException e) {
      writeError = e;
      return BodySubscribers.replacing(Received.NOTHING);
    }
  }

  private BodySubscriber<Received> whole(ResponseInfo info) throws IOException {
    cache.dropPart(book);
    cache.setTag(book, tag(info));
    total = info.headers().firstValueAsLong("Content-Length").orElse(-1);
    position = 0;
    return writing(Received.WHOLE);
  }

  private BodySubscriber<Received> continuing(ResponseInfo info) throws IOException {
    Matcher range = RANGE.matcher(info.headers().firstValue("Content-Range").orElse(""));
    if (!range.matches() || Long.parseLong(range.group(1)) != offset || offset == 0) {
      return BodySubscribers.replacing(Received.WRONG_RANGE);
    }
    OptionalLong length = info.headers().firstValueAsLong("Content-Length");
    long end = Long.parseLong(range.group(2)) + 1;
    boolean reachesEnd = range.group(3).equals("*") || Long.parseLong(range.group(3)) == end;
    if (!reachesEnd || length.orElse(end - offset) != end - offset) {
      return BodySubscribers.replacing(Received.WRONG_RANGE);
    }
    total = end;
    return writing(Received.CONTINUED);
  }

  /** Returns a strong entity tag, or the date of the last change; If-Range accepts both. */
  private static String tag(ResponseInfo info) {
    String tag = info.headers().firstValue("ETag").orElse("");
    return tag.startsWith("\"") ? tag : info.headers().firstValue("Last-Modified").orElse("");
  }

  private Writer writing(Received result) throws IOException {
    FileChannel part =
        FileChannel.open(cache.part(book), StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    Writer writing = new Writer(part, result);
    writer = writing;
    return writing;
  }

  /** Appends the body to the part. */
  private final class Writer implements BodySubscriber<Received> {
    private final FileChannel part;
    private final Received result;
    private final CompletableFuture<Received> body = new CompletableFuture<>();
    private Flow.@Nullable Subscription subscription;

    Writer(FileChannel part, Received result) {
      this.part = part;
      this.result = result;
    }

    @Override
    public CompletionStage<Received> getBody() {
      return body;
    }

    @Override
    public void onSubscribe(Flow.Subscription from) {
      subscription = from;
      from.request(1);
    }

    @Override
    public void onNext(List<ByteBuffer> buffers) {
      lastActivity = System.nanoTime();
      try {
        for (ByteBuffer buffer : buffers) {
          while (buffer.hasRemaining()) {
            // One thread at a time delivers an answer: no other thread writes.
            long written = position + part.write(buffer);
            position = written;
          }
        }
        if (subscription != null) {
          subscription.request(1);
        }
      } catch (ClosedChannelException e) {
        onError(e);
      } catch (IOException e) {
        writeError = e;
        if (subscription != null) {
          subscription.cancel();
        }
        onError(e);
      }
    }

    @Override
    public void onError(Throwable error) {
      close();
      body.completeExceptionally(error);
    }

    @Override
    public void onComplete() {
      close();
      boolean right = total < 0 || position == total;
      body.complete(right ? result : Received.WRONG_LENGTH);
    }

    // Closes the channel for good: a later write fails.
    private void close() {
      try {
        part.close();
      } catch (IOException e) {
        writeError = e;
      }
    }
  }
}
