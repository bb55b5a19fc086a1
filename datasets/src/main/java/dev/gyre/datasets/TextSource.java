package dev.gyre.datasets;

import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.channels.ReadableByteChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * Source of a text: one or more parts, each read once.
 *
 * <pre>{@code
 * trie.add(TextSource.ofFiles(List.of(Path.of("a.txt"), Path.of("b.txt.gz"))), ByteProgress.NONE);
 * }</pre>
 *
 * <p>A newline is inserted between two parts, so that no word spans files. Files, streams and
 * channels with gzip are unpacked, whatever their names. Zip archives, and UTF-16 and UTF-32 with a
 * byte-order mark, throw {@link BadInputException}.
 *
 * @since 0.1.0
 */
public final class TextSource {

  /** File or stream. */
  record Part(String name, long size, Opener opener) {}

  /** Sees the bytes of a source as the reading thread reads them. */
  public interface Watcher {

    /** Called with bytes of a part, which are valid until this method returns. */
    void read(String part, MemorySegment bytes);

    /** Called at the end of a part. */
    void ended(String part);
  }

  /** Opens a part for reading. */
  @FunctionalInterface
  interface Opener {
    ReadableByteChannel open() throws IOException;
  }

  private final List<Part> parts;

  private TextSource(List<Part> parts) {
    this.parts = parts;
  }

  /**
   * Returns a source that reads files one after another.
   *
   * @throws BadInputException for a file that does not exist, cannot be read, or is refused
   */
  public static TextSource ofFiles(List<Path> files) {
    return new TextSource(files.stream().map(TextSource::filePart).toList());
  }

  /**
   * Returns a source that reads a part of each file, for example a book without its license.
   *
   * <p>The files are mapped and must not be written meanwhile; gzip is unpacked on the heap, file
   * by file.
   *
   * @param part returns a slice of the bytes of a file
   * @throws BadInputException for a file that cannot be read or is not regular
   */
  public static TextSource ofFiles(List<Path> files, UnaryOperator<MemorySegment> part) {
    return new TextSource(files.stream().map(file -> slicePart(file, part)).toList());
  }

  /**
   * Returns a source that reads a channel to its end and closes it.
   *
   * @param name name in error messages
   */
  public static TextSource ofChannel(String name, ReadableByteChannel channel) {
    return new TextSource(
        List.of(new Part(name, ByteProgress.UNKNOWN, () -> TextInput.of(channel))));
  }

  /**
   * Returns a source that reads a stream to its end and closes it.
   *
   * @param name name in error messages
   */
  public static TextSource ofStream(String name, InputStream stream) {
    return ofChannel(name, Channels.newChannel(stream));
  }

  /** Returns a source that copies text from memory, which must not be written meanwhile. */
  public static TextSource ofMemory(MemorySegment text) {
    return new TextSource(
        List.of(new Part("memory", text.byteSize(), () -> new SegmentChannel(text))));
  }

  /**
   * Returns the bytes of all parts, without inserted newlines, or {@link ByteProgress#UNKNOWN}, for
   * example for streams and gzip.
   */
  public long byteSize() {
    boolean known = parts.stream().allMatch(part -> part.size() >= 0);
    return known ? parts.stream().mapToLong(Part::size).sum() : ByteProgress.UNKNOWN;
  }

  /**
   * Returns the text as memory if it is one regular file, which is mapped, or is in memory;
   * otherwise empty. The text must not be written meanwhile.
   *
   * @param arena lifetime of the mapping
   * @throws BadInputException for a file that cannot be read
   */
  public Optional<MemorySegment> inMemory(Arena arena) {
    if (parts.size() != 1 || parts.getFirst().size() < 0) {
      return Optional.empty();
    }
    Part part = parts.getFirst();
    try (ReadableByteChannel channel = part.opener().open()) {
      return switch (channel) {
        case SegmentChannel memory -> Optional.of(memory.bytes);
        case ResumedChannel(_, FileChannel file) ->
            Optional.of(file.map(MapMode.READ_ONLY, 0, file.size(), arena));
        default -> Optional.empty();
      };
    } catch (IOException e) {
      throw new BadInputException(part.name(), TextFiles.reasonOf(e, "file"), e);
    }
  }

  /**
   * Returns the same text, which is shown to a watcher while it is read. It is never {@link
   * #inMemory}.
   */
  public TextSource watched(Watcher watcher) {
    return new TextSource(
        parts.stream()
            .map(
                part ->
                    new Part(
                        part.name(),
                        part.size(),
                        () -> new WatchedChannel(part.name(), part.opener().open(), watcher)))
            .toList());
  }

  /** Returns the names of the parts, as error messages use them. */
  public List<String> names() {
    return parts.stream().map(Part::name).toList();
  }

  List<Part> parts() {
    return parts;
  }

  private static Part filePart(Path file) {
    try {
      BasicFileAttributes found = Files.readAttributes(file, BasicFileAttributes.class);
      boolean sized = found.isRegularFile() && !TextInput.isPacked(file);
      long size = sized ? found.size() : ByteProgress.UNKNOWN;
      return new Part(file.toString(), size, () -> TextInput.of(FileChannel.open(file)));
    } catch (IOException e) {
      throw new BadInputException(file.toString(), TextFiles.reasonOf(e, "file"), e);
    }
  }

  private static Part slicePart(Path file, UnaryOperator<MemorySegment> wanted) {
    if (Files.exists(file) && !Files.isRegularFile(file)) {
      throw new BadInputException(
          file.toString(), "no regular file: only of one a part can be read");
    }
    try (FileChannel channel = FileChannel.open(file)) {
      if (TextInput.isPacked(file)) {
        return new Part(
            file.toString(),
            ByteProgress.UNKNOWN,
            () -> new SegmentChannel(wanted.apply(unpacked(file))));
      }
      MemorySegment slice =
          wanted.apply(channel.map(MapMode.READ_ONLY, 0, channel.size(), Arena.ofAuto()));
      return new Part(file.toString(), slice.byteSize(), () -> new SegmentChannel(slice));
    } catch (IOException e) {
      throw new BadInputException(file.toString(), TextFiles.reasonOf(e, "file"), e);
    }
  }

  private static MemorySegment unpacked(Path file) throws IOException {
    try (InputStream text = Channels.newInputStream(TextInput.of(FileChannel.open(file)))) {
      return MemorySegment.ofArray(text.readAllBytes());
    }
  }
}
