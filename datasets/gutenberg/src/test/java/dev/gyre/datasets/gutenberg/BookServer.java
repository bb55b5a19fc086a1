package dev.gyre.datasets.gutenberg;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * A server on the loopback interface that misbehaves as it is told: each request takes the next
 * answer of a list, the last one again and again.
 */
final class BookServer implements AutoCloseable {

  /** Answers one request. */
  @FunctionalInterface
  interface Answer {
    void to(HttpExchange exchange) throws IOException;
  }

  private static final long ARRIVAL_MILLIS = 200;
  private static final long FOREVER_MILLIS = 20_000;

  private final HttpServer server;
  private final ExecutorService workers = Executors.newCachedThreadPool();
  private final ConcurrentLinkedQueue<Answer> answers = new ConcurrentLinkedQueue<>();
  private final List<String> requests = Collections.synchronizedList(new ArrayList<>());
  private final List<String> agents = Collections.synchronizedList(new ArrayList<>());

  BookServer(Answer... inOrder) throws IOException {
    answers.addAll(Arrays.asList(inOrder));
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(workers);
    server.createContext("/", this::handle);
    server.start();
  }

  private void handle(HttpExchange exchange) throws IOException {
    Answer answer = answers.size() > 1 ? answers.poll() : answers.peek();
    String range = exchange.getRequestHeaders().getFirst("Range");
    requests.add(range == null ? "whole" : range);
    agents.add(exchange.getRequestHeaders().getFirst("User-Agent"));
    try (exchange) {
      if (answer != null) {
        answer.to(exchange);
      }
    }
  }

  URI url() {
    InetSocketAddress address = server.getAddress();
    return URI.create("http://localhost:" + address.getPort() + "/book.txt");
  }

  /** What was asked for: "whole", or the Range header. */
  List<String> requests() {
    return requests;
  }

  List<String> agents() {
    return agents;
  }

  @Override
  public void close() {
    server.stop(0);
    workers.shutdownNow();
  }

  /** All of a text, as it should be. */
  static Answer whole(byte[] text) {
    return exchange -> send(exchange, 200, text, 0, text.length, text.length);
  }

  /** All of a text, or the range asked for if its version is still the same. */
  static Answer ranges(byte[] text, String tag) {
    return exchange -> {
      exchange.getResponseHeaders().set("ETag", tag);
      String range = exchange.getRequestHeaders().getFirst("Range");
      String version = exchange.getRequestHeaders().getFirst("If-Range");
      if (range == null || (version != null && !version.equals(tag))) {
        send(exchange, 200, text, 0, text.length, text.length);
      } else {
        int from = Integer.parseInt(range.replaceAll("bytes=(\\d+)-", "$1"));
        exchange
            .getResponseHeaders()
            .set("Content-Range", "bytes " + from + "-" + (text.length - 1) + "/" + text.length);
        send(exchange, 206, text, from, text.length, text.length - from);
      }
    };
  }

  /** The first bytes of a text, then the end of the connection, though all of it was promised. */
  static Answer broken(byte[] text, int count, String tag) {
    return exchange -> {
      exchange.getResponseHeaders().set("ETag", tag);
      send(exchange, 200, text, 0, count, text.length);
      // A client may forget what it has not read yet when the connection breaks.
      sleep(ARRIVAL_MILLIS);
    };
  }

  /** The first bytes of a text, then nothing for a long time. */
  static Answer stalled(byte[] text, int count, String tag) {
    return exchange -> {
      exchange.getResponseHeaders().set("ETag", tag);
      exchange.sendResponseHeaders(200, text.length);
      exchange.getResponseBody().write(text, 0, count);
      exchange.getResponseBody().flush();
      sleep(FOREVER_MILLIS);
    };
  }

  /** Not even a status for a long time. */
  static Answer silent() {
    return _ -> sleep(FOREVER_MILLIS);
  }

  /** A range that is not the one asked for. */
  static Answer wrongRange(byte[] text) {
    return exchange -> {
      exchange.getResponseHeaders().set("Content-Range", "bytes 1-" + (text.length - 1) + "/*");
      send(exchange, 206, text, 1, text.length, text.length - 1);
    };
  }

  /** A status without a text, and headers. */
  static Answer status(int status, String... headers) {
    return exchange -> {
      for (int i = 0; i < headers.length; i += 2) {
        exchange.getResponseHeaders().set(headers[i], headers[i + 1]);
      }
      send(exchange, status, "sorry".getBytes(StandardCharsets.US_ASCII), 0, 5, 5);
    };
  }

  /** A web page with status 200, as servers send to those they take for robots. */
  static Answer page() {
    return exchange -> {
      exchange.getResponseHeaders().set("Content-Type", "text/html; charset=utf-8");
      send(exchange, 200, new byte[10], 0, 10, 10);
    };
  }

  /** An answer whose every byte is given; the server closes behind it. */
  static URI raw(String answer, List<AutoCloseable> toClose) throws IOException {
    ServerSocket socket = new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
    toClose.add(socket);
    Thread.ofPlatform()
        .daemon()
        .start(
            () -> {
              while (!socket.isClosed()) {
                try (Socket connection = socket.accept()) {
                  // One read gets the few bytes of a request without a body.
                  int count = connection.getInputStream().read(new byte[1 << 16]);
                  if (count > 0) {
                    connection.getOutputStream().write(answer.getBytes(StandardCharsets.US_ASCII));
                  }
                } catch (IOException e) {
                  if (!socket.isClosed()) {
                    throw new UncheckedIOException(e);
                  }
                }
              }
            });
    return URI.create("http://localhost:" + socket.getLocalPort() + "/book.txt");
  }

  private static void send(
      HttpExchange exchange, int status, byte[] text, int from, int to, int promised)
      throws IOException {
    exchange.sendResponseHeaders(status, promised);
    OutputStream out = exchange.getResponseBody();
    out.write(text, from, to - from);
    out.flush();
  }

  private static void sleep(long millis) {
    try {
      Thread.sleep(millis);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
