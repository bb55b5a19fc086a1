package dev.gyre.datasets;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;

/**
 * Output file of a program, which is checked before there is anything to write.
 *
 * <ul>
 *   <li>A regular file, or a new name, is written as a whole or not at all: a temporary file
 *       replaces it at the end, after following symbolic links. If writing fails, or the process is
 *       terminated meanwhile, the old content stays and the temporary file is deleted. The new file
 *       has the permissions, owner and group of the old one.
 *   <li>Anything else, such as a pipe, a terminal or a device, is written directly.
 *   <li>So are descriptors of the process, such as {@code /dev/stdout} and {@code /dev/fd/3}, even
 *       if they are regular files. Standard output continues where the process that opened it
 *       stopped, and that process continues where writing ends. A file behind another descriptor is
 *       opened again by the system: it is emptied, and written from its beginning.
 * </ul>
 *
 * @since 0.1.0
 */
public final class OutputFile {

  /** Limit of symbolic links, as in Linux. */
  private static final int MAX_LINKS = 40;

  private static final Path STANDARD_OUTPUT = Path.of("/dev/stdout");
  private static final Pattern DESCRIPTORS =
      Pattern.compile("/dev/fd|/proc/(?:self|[0-9]+|thread-self)(?:/task/[0-9]+)?/fd");

  /** Type of a file in its Unix mode, and two types. */
  private static final int TYPE = 0xf000;

  private static final int PIPE = 0x1000;
  private static final int SOCKET = 0xc000;

  /** Writes the content of a file, and leaves the channel open. */
  @FunctionalInterface
  public interface Content {
    void writeTo(FileChannel file) throws IOException;
  }

  private final Path name;
  private final Path target;

  private OutputFile(Path name, Path target) {
    this.name = name;
    this.target = target;
  }

  /**
   * Finds the target of a name and checks whether it is writable. Changes nothing.
   *
   * @throws BadInputException if it cannot be written, with the reason
   */
  public static OutputFile of(Path name) {
    try {
      OutputFile file = new OutputFile(name, resolved(name));
      file.tryToWrite();
      return file;
    } catch (IOException e) {
      throw new BadInputException(name.toString(), reason(e), e);
    }
  }

  /** Returns the standard output of this process. */
  public static OutputFile standardOutput() {
    return new OutputFile(Path.of("standard output"), STANDARD_OUTPUT);
  }

  /** Returns whether both names lead to the same file, which cannot hold two outputs. */
  public boolean isSameAs(OutputFile other) {
    return leadsTo(other.target);
  }

  /** Returns whether writing replaces an existing file. */
  public boolean replaces(Path read) {
    return isReplaced() && Files.exists(target) && leadsTo(read);
  }

  private boolean leadsTo(Path file) {
    try {
      return Files.isSameFile(target, file);
    } catch (IOException e) {
      // One of two different names has no file.
      return false;
    }
  }

  /** Returns whether this is the standard output. */
  public boolean isStandardOutput() {
    String own = "/proc/" + ProcessHandle.current().pid() + "/fd/1";
    return List.of("/dev/stdout", "/dev/fd/1", "/proc/self/fd/1", own).contains(target.toString());
  }

  /**
   * Writes the file.
   *
   * @throws BrokenPipeException if it is a pipe whose reader has ended
   * @throws IOException if it cannot be written; a regular file is unchanged
   */
  public void write(Content content) throws IOException {
    try {
      if (isReplaced()) {
        replace(content);
      } else {
        writeInto(content);
      }
    } catch (ClosedChannelException e) {
      throw e;
    } catch (IOException e) {
      if (isPipe(target)) {
        throw new BrokenPipeException(name + ": its reader has ended", e);
      }
      throw e;
    }
  }

  /**
   * Returns whether a file is a pipe or a socket, whose errors mostly mean that its reader has
   * ended.
   */
  static boolean isPipe(Path file) {
    try {
      int type = (int) Files.getAttribute(file, "unix:mode") & TYPE;
      return type == PIPE || type == SOCKET;
    } catch (IOException | RuntimeException e) {
      return false;
    }
  }

  @Override
  public String toString() {
    return name.toString();
  }

  /** Follows links, also to names without a file and in folders on the way. */
  private static Path resolved(Path name) throws IOException {
    Path at = name.toAbsolutePath();
    for (int links = 0; Files.isSymbolicLink(at) && !isDescriptor(at); links++) {
      if (links == MAX_LINKS) {
        throw new FileSystemException(name.toString(), null, "too many symbolic links");
      }
      at = at.resolveSibling(Files.readSymbolicLink(at));
    }
    Path folder = at.getParent();
    if (folder == null || isDescriptor(at) || Files.isDirectory(at)) {
      return at;
    }
    if (!Files.isDirectory(folder)) {
      // Fails with the reason if access is denied.
      Files.readAttributes(folder, BasicFileAttributes.class);
    }
    return folder.toRealPath().resolve(Objects.requireNonNull(at.getFileName()));
  }

  private static boolean isDescriptor(Path file) {
    Path folder = file.getParent();
    return folder != null && DESCRIPTORS.matcher(folder.toString()).matches();
  }

  private boolean isReplaced() {
    return !isDescriptor(target)
        && !target.equals(STANDARD_OUTPUT)
        && (!Files.exists(target) || Files.isRegularFile(target));
  }

  private void tryToWrite() throws IOException {
    if (Files.isDirectory(target)) {
      throw new FileSystemException(name.toString(), null, "is a folder, not a file to write");
    }
    if (Files.exists(target) && !Files.isWritable(target)) {
      throw new AccessDeniedException(name.toString());
    }
    if (isReplaced()) {
      Files.delete(Replacement.create(target));
    } else if (!Files.exists(target)) {
      throw new FileSystemException(name.toString(), null, "no such descriptor");
    }
  }

  private void replace(Content content) throws IOException {
    Path unfinished = Replacement.create(target);
    Thread hook = Replacement.deleteAtExit(unfinished);
    try {
      try (FileChannel file = FileChannel.open(unfinished, StandardOpenOption.WRITE)) {
        content.writeTo(file);
        file.force(true);
      }
      Files.move(
          unfinished, target, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } finally {
      Files.deleteIfExists(unfinished);
      Replacement.forget(hook);
    }
  }

  // Standard output stays open for later output.
  @SuppressWarnings("resource")
  private void writeInto(Content content) throws IOException {
    if (isStandardOutput()) {
      content.writeTo(new FileOutputStream(FileDescriptor.out).getChannel());
    } else {
      try (FileChannel file =
          FileChannel.open(
              target, StandardOpenOption.WRITE, StandardOpenOption.TRUNCATE_EXISTING)) {
        content.writeTo(file);
      }
    }
  }

  private static String reason(IOException e) {
    return switch (e) {
      case NoSuchFileException _ -> "its folder does not exist";
      case AccessDeniedException _ -> "not writable: permission denied";
      case FileSystemException f when f.getReason() != null -> f.getReason();
      default -> String.valueOf(e.getMessage());
    };
  }
}
