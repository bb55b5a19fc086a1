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
 * Where a text comes from: one or more parts, each read once from its beginning to its end.
 *
 * <p>Between two parts a newline is put, so that no word spans files.
 *
 * <p>Files, streams and channels that are gzip are unpacked, whatever their names are. Zip
 * archives, and UTF-16 and UTF-32 with a byte-order mark, are a {@link BadInputException}.
 */
public final class TextSource {

  /** One file or stream. */
  record Part(String name, long size, Opener opener) {}

  /** Sees the bytes of a source as they are read, by the thread that reads them. */
  public interface Watcher {

    /** Bytes of a part that was read; valid until this returns. */
    void read(String part, MemorySegment bytes);

    /** A part has ended. */
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
   * Reads files one after the other.
   *
   * @throws BadInputException naming a file that does not exist, cannot be read, or is refused
   */
  public static TextSource ofFiles(List<Path> files) {
    return new TextSource(files.stream().map(TextSource::filePart).toList());
  }

  /**
   * Reads a part of each of some files, such as the book without what is around it. The files are
   * mapped, and nobody may write them meanwhile; gzip is unpacked on the heap, file by file.
   *
   * @param part the part of a file's bytes that is wanted: a slice of what it is given
   * @throws BadInputException naming a file that cannot be read or is no regular one
   */
  public static TextSource ofFiles(List<Path> files, UnaryOperator<MemorySegment> part) {
    return new TextSource(files.stream().map(file -> slicePart(file, part)).toList());
  }

  /**
   * Reads a channel to its end and closes it.
   *
   * @param name what errors call it
   */
  public static TextSource ofChannel(String name, ReadableByteChannel channel) {
    return new TextSource(
        List.of(new Part(name, ByteProgress.UNKNOWN, () -> TextInput.of(channel))));
  }

  /**
   * Reads a stream to its end and closes it.
   *
   * @param name what errors call it
   */
  public static TextSource ofStream(String name, InputStream stream) {
    return ofChannel(name, Channels.newChannel(stream));
  }

  /** Copies text that is in memory already; nobody may write it meanwhile. */
  public static TextSource ofMemory(MemorySegment text) {
    return new TextSource(
        List.of(new Part("memory", text.byteSize(), () -> new SegmentChannel(text))));
  }

  /**
   * Bytes of all parts, without what is put between them, or {@link ByteProgress#UNKNOWN}, as of a
   * stream and of gzip.
   */
  public long byteSize() {
    boolean known = parts.stream().allMatch(part -> part.size() >= 0);
    return known ? parts.stream().mapToLong(Part::size).sum() : ByteProgress.UNKNOWN;
  }

  /**
   * The text as memory, where it is one regular file, which is mapped then, or is in memory
   * already; empty of other texts. Nobody may write it meanwhile.
   *
   * @param arena ends the mapping
   * @throws BadInputException naming a file that cannot be read
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

  /** Returns the names of the parts, by which errors call them. */
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
