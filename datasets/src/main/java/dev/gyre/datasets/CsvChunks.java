package dev.gyre.datasets;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Chunks of whole records of one CSV text, which any number of threads take. */
abstract class CsvChunks {

  /**
   * Whole records, each with an end of line, in a buffer of the thread that parses them.
   *
   * @param number number of the chunk, from 0 over all texts
   * @param bytes the buffer, with {@link CsvFields#PADDING_BYTES} after the records
   * @param source bytes in which lines are counted
   * @param shift what is added to a place for the place in the source
   * @param firstLine number of the line with which the source begins
   * @param sourceBytes bytes that were read for it
   */
  record Chunk(
      long number,
      MemorySegment bytes,
      long from,
      long to,
      MemorySegment source,
      long shift,
      long firstLine,
      long sourceBytes) {

    long line(long at) {
      return firstLine + CsvQuotes.lines(source, 0, Math.min(at + shift, source.byteSize()));
    }
  }

  /**
   * What is known of a text before it is read.
   *
   * @param firstNumber number of its first chunk
   * @param choose returns the wanted columns for the names of all columns
   */
  record Setup(
      String name,
      CsvFormat format,
      long chunkBytes,
      long firstNumber,
      Function<List<String>, List<CsvColumn>> choose) {}

  static final String CHANGED = "changed while it was read";

  final String name;
  final CsvFormat format;
  final long chunkBytes;
  final long firstNumber;
  private final Function<List<String>, List<CsvColumn>> choose;

  /** Bytes before the first chunk. */
  long headBytes;

  private int[][] wanted = {};

  CsvChunks(Setup setup) {
    this.name = setup.name();
    this.format = setup.format();
    this.chunkBytes = setup.chunkBytes();
    this.firstNumber = setup.firstNumber();
    this.choose = setup.choose();
  }

  /** Returns the next chunk in a buffer; null after the last one. */
  abstract @Nullable Chunk next(ChunkBuffer own) throws IOException;

  /** Returns the number of chunks, after the last one was taken. */
  abstract long count();

  /** Lets no thread wait any longer, because one has failed. */
  abstract void abort();

  void close() throws IOException {}

  final int[][] wanted() {
    return wanted;
  }

  /**
   * Reads the names of the columns, and chooses columns.
   *
   * @param text beginning of the text
   * @param firstRow where the first row begins
   */
  final void begin(MemorySegment text, long firstRow) {
    List<String> names = format.names();
    if (names == null) {
      long from = CsvNames.skipEmptyLines(text, CsvNames.markBytes(text), firstRow);
      if (from == firstRow) {
        throw new BadInputException(name, "empty; the first row must name the columns");
      }
      names = CsvNames.of(text.asSlice(from, firstRow - from), format);
    }
    select(names, choose.apply(names));
  }

  private void select(List<String> names, List<CsvColumn> columns) {
    for (CsvColumn each : columns) {
      String column = each.name();
      if (!names.contains(column)) {
        throw new BadInputException(
            name, "no column \"%s\" among %s".formatted(column, CsvNames.shown(names)));
      }
      if (names.indexOf(column) != names.lastIndexOf(column)) {
        throw new BadInputException(
            name,
            "more than one column \"%s\" among %s"
                .formatted(CsvNames.shown(column), CsvNames.shown(names)));
      }
    }
    wanted =
        names.stream()
            .map(
                each ->
                    IntStream.range(0, columns.size())
                        .filter(slot -> columns.get(slot).name().equals(each))
                        .toArray())
            .toArray(int[][]::new);
  }

  /** Returns the exception for a problem of a chunk. */
  final BadInputException bad(CsvProblem problem, Chunk chunk) {
    String field = problem.field < 0 ? "" : ", column " + (problem.field + 1);
    String reason = "line %d%s: %s".formatted(chunk.line(problem.at), field, problem.getMessage());
    return problem.needed == null
        ? new BadInputException(name, reason)
        : new CsvTypeException(name, reason, problem.slot, problem.needed);
  }

  /** Refuses a quote that is not closed in the last records of a text. */
  final void requireClosed(MemorySegment text, CsvQuotes quotes, long from, long to, long line) {
    long at = quotes.unclosed(from, to);
    if (at >= 0) {
      throw new BadInputException(
          name, "line %d: %s".formatted(line + CsvQuotes.lines(text, 0, at), CsvScanner.UNCLOSED));
    }
  }

  /** Makes the last record end with a line, and returns the end. */
  static long closeLine(MemorySegment text, long from, long to) {
    if (to == from || text.get(ValueLayout.JAVA_BYTE, to - 1) == '\n') {
      return to;
    }
    text.set(ValueLayout.JAVA_BYTE, to, (byte) '\n');
    return to + 1;
  }
}
