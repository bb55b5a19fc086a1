package dev.gyre.structures.trie;

import dev.gyre.atomics.Memory;
import dev.gyre.kernels.Launcher;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.IntPredicate;

/**
 * A long text in memory, cut between words, so that one piece is on its way to a device while the
 * device works on the one before.
 *
 * <p>A piece is a {@linkplain Memory#window window} on the text, which a driver may lock in memory
 * page by page: no two pieces have a page in common. The words between one piece and the next, a
 * page or little more, are copied to a piece of their own, which comes last.
 */
final class TextPieces implements AutoCloseable {

  private static final long PAGE_BYTES = 1 << 12;

  /** Where no cut is found within so many bytes, the rest is one piece. */
  private static final long MAX_SEAM_BYTES = 1 << 20;

  /** Bytes of a text, from a multiple of {@link Memory#HEADER_BYTES} to the end of a word. */
  private record Span(long from, long to) {
    long length() {
      return to - from;
    }
  }

  private final List<Memory> windows;
  private final Memory seams;

  private TextPieces(List<Memory> windows, Memory seams) {
    this.windows = windows;
    this.seams = seams;
  }

  /**
   * Cuts {@code text[0, length)}.
   *
   * @param length more than 0
   * @param pieceBytes about how long pieces are, at least a page
   * @param separates whether a byte (0 to 255) separates words whatever is around it
   */
  static TextPieces of(Memory text, long length, long pieceBytes, IntPredicate separates) {
    MemorySegment bytes = text.segment();
    List<Span> spans = new ArrayList<>();
    long from = 0;
    while (from < length) {
      long next = start(bytes, from + pieceBytes, length, separates);
      long to = next == length ? length : end(bytes, from, next, separates);
      spans.add(new Span(from, to));
      from = next;
    }
    Memory seams = seams(bytes, spans);
    return new TextPieces(
        spans.stream().map(span -> text.window(span.from(), span.length())).toList(), seams);
  }

  /**
   * Where the first piece from about {@code at} on can begin: at a multiple of {@link
   * Memory#HEADER_BYTES}, after a separator; {@code length} if nowhere near.
   */
  private static long start(MemorySegment text, long at, long length, IntPredicate separates) {
    long from = Math.ceilDiv(at, (long) Memory.HEADER_BYTES) * Memory.HEADER_BYTES;
    long limit = Math.min(length, from + MAX_SEAM_BYTES);
    while (from < limit && !separatorAt(text, from - 1, separates)) {
      from += Memory.HEADER_BYTES;
    }
    return from < limit ? from : length;
  }

  /** Where the piece before that at {@code next} ends: after a separator, a page before. */
  private static long end(MemorySegment text, long from, long next, IntPredicate separates) {
    long to = Math.max(from, next - Memory.HEADER_BYTES - PAGE_BYTES);
    while (to > from && !separatorAt(text, to - 1, separates)) {
      to--;
    }
    return to;
  }

  private static boolean separatorAt(MemorySegment text, long at, IntPredicate separates) {
    return separates.test(text.get(ValueLayout.JAVA_BYTE, at) & 0xff);
  }

  /** All that is between spans; each part of it ends with a separator. */
  private static Memory seams(MemorySegment text, List<Span> spans) {
    long bytes = 0;
    for (int i = 1; i < spans.size(); i++) {
      bytes += spans.get(i).from() - spans.get(i - 1).to();
    }
    Memory seams = Memory.ofBytes(bytes);
    long at = 0;
    for (int i = 1; i < spans.size(); i++) {
      long from = spans.get(i - 1).to();
      long length = spans.get(i).from() - from;
      MemorySegment.copy(text, from, seams.segment(), at, length);
      at += length;
    }
    return seams;
  }

  /** Has all pieces worked on, one after another; each is sent while the one before is. */
  void forEach(Launcher launcher, Consumer<Memory> work) {
    launcher.prefetch(windows.getFirst());
    for (int i = 0; i < windows.size(); i++) {
      if (i + 1 < windows.size()) {
        launcher.prefetch(windows.get(i + 1));
      }
      try (Memory piece = windows.get(i)) {
        work.accept(piece);
      }
    }
    if (seams.byteSize() > 0) {
      work.accept(seams);
    }
  }

  @Override
  public void close() {
    windows.forEach(Memory::close);
    seams.close();
  }
}
