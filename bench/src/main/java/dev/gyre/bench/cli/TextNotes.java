package dev.gyre.bench.cli;

import dev.gyre.datasets.TextSource;
import dev.gyre.kernels.Target;
import dev.gyre.kernels.trie.Alphabet;
import java.io.PrintWriter;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Notes for the user on a counted text: which files are mostly not text, and how many words the
 * alphabet cuts.
 *
 * <p>The thread that reads the text examines it while it is in the cache. If a device reads a
 * single mapped file, another thread examines a part of it during the count.
 */
final class TextNotes implements TextSource.Watcher {

  /** As much of the beginning of a file says whether it is text. */
  private static final int SAMPLE_BYTES = 1 << 13;

  /** A file is mostly not text if more than one byte in so many is no text, as Perl's -B says. */
  private static final int STRANGE = 3;

  private static final int MAX_FILES_NAMED = 10;

  /** What malformed bytes are decoded as. */
  private static final char MALFORMED = '\ufffd';

  private final Target target;
  private final @Nullable OutsideWords outside;
  private final byte[] sample = new byte[SAMPLE_BYTES];
  private final List<String> notText = new ArrayList<>();
  private int sampled;
  private long filesNotText;
  private CompletableFuture<?> counting = CompletableFuture.completedFuture(null);

  /** Notes on a text that is counted in an alphabet on a target. */
  TextNotes(Alphabet alphabet, Target target) {
    this.target = target;
    this.outside = alphabet == Alphabet.ASCII_LETTERS ? new OutsideWords() : null;
  }

  /** The text to count. */
  TextSource watch(TextSource text) {
    Optional<MemorySegment> mapped =
        target == Target.JVM ? Optional.empty() : text.inMemory(Arena.ofAuto());
    if (mapped.isEmpty()) {
      return text.watched(this);
    }
    counting =
        CompletableFuture.runAsync(
            () -> {
              read(text.names().getFirst(), mapped.get());
              ended(text.names().getFirst());
            });
    return text;
  }

  @Override
  public void read(String part, MemorySegment bytes) {
    if (sampled < SAMPLE_BYTES) {
      int count = (int) Math.min(SAMPLE_BYTES - sampled, bytes.byteSize());
      MemorySegment.copy(bytes, ValueLayout.JAVA_BYTE, 0, sample, sampled, count);
      sampled += count;
    }
    if (outside != null) {
      outside.read(bytes);
    }
  }

  @Override
  public void ended(String part) {
    if (outside != null) {
      outside.ended();
    }
    if (isMostlyNotText(sample, sampled)) {
      filesNotText++;
      if (notText.size() < MAX_FILES_NAMED) {
        notText.add(part);
      }
    }
    sampled = 0;
  }

  /** Whether most of the first bytes are no text in UTF-8. */
  private static boolean isMostlyNotText(byte[] text, int size) {
    int strange = 0;
    String decoded = new String(text, 0, size, StandardCharsets.UTF_8);
    for (int code : decoded.codePoints().toArray()) {
      // White space of ASCII is control characters, too; escapes colour what programs print.
      boolean isText = code >= ' ' ? code != 0x7f : (code >= '\b' && code <= '\r') || code == 0x1b;
      strange += isText && code != MALFORMED ? 0 : 1;
    }
    return strange * STRANGE > size;
  }

  /** Prints what there is to say, once the text was counted. */
  void print(String command, PrintWriter err) {
    var _ = counting.join();
    for (String file : notText) {
      err.printf("%s: %s: mostly not text in UTF-8; its words may mean nothing%n", command, file);
    }
    if (filesNotText > notText.size()) {
      err.printf("%s: %d more files are mostly not text%n", command, filesNotText - notText.size());
    }
    if (outside != null && outside.words() > 0) {
      boolean one = outside.words() == 1;
      err.printf(
          "%s: %s letters outside of a to z, and %s cut there; --alphabet unicode counts %s"
              + " whole%n",
          command,
          one ? "1 word has" : number(outside) + " words have",
          one ? "is" : "are",
          one ? "it" : "them");
    }
  }

  /** Two digits of what was sampled are known. */
  private static String number(OutsideWords outside) {
    long words = outside.words();
    if (!outside.areSampled()) {
      return String.format(Locale.ROOT, "%,d", words);
    }
    long unit = 1;
    while (words / unit >= 100) {
      unit *= 10;
    }
    return String.format(Locale.ROOT, "about %,d", words / unit * unit);
  }
}
