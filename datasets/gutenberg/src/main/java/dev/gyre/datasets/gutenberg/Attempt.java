package dev.gyre.datasets.gutenberg;

import dev.gyre.datasets.ByteProgress;
import dev.gyre.datasets.gutenberg.DownloadException.Kind;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** Request for a book, or for the rest of one. */
record Attempt(
    HttpClient client,
    DownloadSettings settings,
    RetryPolicy retryPolicy,
    GutenbergCache cache,
    GutenbergBook book) {

  /** Result of the request. */
  sealed interface Result {}

  /**
   * The cached part is as long as the server says.
   *
   * @param continued whether an earlier request downloaded its first bytes
   */
  record Complete(boolean continued) implements Result {}

  /**
   * The book is not complete.
   *
   * @param mendable whether another attempt may help
   * @param asked pause that the server requests
   */
  record Failed(
      Kind kind, String reason, boolean mendable, Duration asked, @Nullable Throwable cause)
      implements Result {

    static Failed mendable(Kind kind, String reason) {
      return new Failed(kind, reason, true, Duration.ZERO, null);
    }

    static Failed lasting(Kind kind, String reason) {
      return new Failed(kind, reason, false, Duration.ZERO, null);
    }
  }

  private static final long POLL_MILLIS = 50;

  /**
   * Sends the request and waits for the whole answer.
   *
   * @throws IOException if the cache cannot be used
   */
  Result run(ByteProgress progress) throws IOException, InterruptedException {
    long offset = cache.resumable(book);
    PartBody body = new PartBody(cache, book, offset);
    CompletableFuture<HttpResponse<PartBody.Received>> answer =
        client.sendAsync(request(offset), body);
    try {
      HttpResponse<PartBody.Received> response = await(answer, body, progress);
      throwWriteError(body);
      return judge(response);
    } catch (ExecutionException e) {
      throwWriteError(body);
      String reason = "the connection failed: " + e.getCause();
      return new Failed(Kind.UNREACHABLE, reason, true, Duration.ZERO, e.getCause());
    } catch (TimeoutException e) {
      String reason = "nothing came for " + settings.stall().toMillis() + " ms";
      return Failed.mendable(Kind.UNREACHABLE, reason);
    } finally {
      answer.cancel(true);
      body.abandon();
    }
  }

  private HttpRequest request(long offset) throws IOException {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(book.url())
            .header("User-Agent", settings.userAgent())
            .header("Accept", "text/plain, */*;q=0.1");
    if (offset > 0) {
      request.header("Range", "bytes=" + offset + "-");
      // Otherwise a server with a newer edition would send the end of that edition.
      request.header("If-Range", cache.tag(book));
    }
    return request.build();
  }

  private HttpResponse<PartBody.Received> await(
      CompletableFuture<HttpResponse<PartBody.Received>> answer,
      PartBody body,
      ByteProgress progress)
      throws ExecutionException, TimeoutException, InterruptedException {
    while (true) {
      try {
        return answer.get(POLL_MILLIS, TimeUnit.MILLISECONDS);
      } catch (TimeoutException e) {
        if (System.nanoTime() - body.lastActivity() > settings.stall().toNanos()) {
          throw e;
        }
      } finally {
        progress.update(body.position(), body.total());
      }
    }
  }

  private static void throwWriteError(PartBody body) throws IOException {
    IOException error = body.writeError();
    if (error != null) {
      throw error;
    }
  }

  private Result judge(HttpResponse<PartBody.Received> response) throws IOException {
    Result result =
        switch (response.body()) {
          case WHOLE -> new Complete(false);
          case CONTINUED -> new Complete(true);
          case NOTHING -> judgeStatus(response);
          case NOT_TEXT -> Failed.lasting(Kind.NOT_TEXT, "the server sent a web page, no text");
          case WRONG_RANGE ->
              Failed.mendable(
                  Kind.TRUNCATED, "the server sent another range than it was asked for");
          case WRONG_LENGTH ->
              Failed.mendable(Kind.TRUNCATED, "the server sent another length than it promised");
        };
    if (result instanceof Failed failed && failed.kind() == Kind.TRUNCATED) {
      // The part would be continued wrongly again.
      cache.dropPart(book);
    }
    return result;
  }

  private Failed judgeStatus(HttpResponse<PartBody.Received> response) {
    int status = response.statusCode();
    String said = "the server answered with status " + status;
    Duration asked = retryPolicy.asked(response.headers().firstValue("Retry-After"));
    return switch (status) {
      case 404, 410 -> Failed.lasting(Kind.NOT_FOUND, said);
      case 416 -> Failed.mendable(Kind.TRUNCATED, said);
      case 408, 425, 429, 500, 502, 503, 504 ->
          asked.compareTo(settings.longestWait()) > 0
              ? Failed.lasting(
                  Kind.BUSY, said + " and asks to wait for " + asked.toSeconds() + " seconds")
              : new Failed(Kind.BUSY, said, true, asked, null);
      default -> Failed.lasting(Kind.REFUSED, said);
    };
  }
}
