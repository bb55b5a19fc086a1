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
 * Where a program was told to write, found out and tried before there is anything to write.
 *
 * <ul>
 *   <li>A regular file, or a name that is free, is written as a whole or not at all: beside what
 *       the name leads to, symbolic links followed, which is replaced at the end. Until then what
 *       was there is there, and it stays where writing fails. The new file has the permissions,
 *       owner and group of the old one; one that was not there has those that the process gives.
 *   <li>Anything else, such as a pipe, a terminal or a device, is written into.
 *   <li>So are the descriptors of a process, {@code /dev/stdout} and {@code /dev/fd/3}, even where
 *       they are regular files: those who opened them go on where writing ends.
 * </ul>
 */
public final class OutputFile {

  /** As many as Linux follows. */
  private static final int MAX_LINKS = 40;

  private static final Path STANDARD_OUTPUT = Path.of("/dev/stdout");
  private static final Pattern DESCRIPTORS =
      Pattern.compile("/dev/fd|/proc/(?:self|[0-9]+|thread-self)(?:/task/[0-9]+)?/fd");

  /** Type of a file in its Unix mode, and two of them. */
  private static final int TYPE = 0xf000;

  private static final int PIPE = 0x1000;
  private static final int SOCKET = 0xc000;

  /** Writes a file from its beginning to its end, and leaves the channel open. */
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
   * Finds out what a name leads to, and tries whether that can be written; this changes nothing.
   *
   * @throws BadInputException saying why it cannot be written
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

  /** The standard output of this process. */
  public static OutputFile standardOutput() {
    return new OutputFile(Path.of("standard output"), STANDARD_OUTPUT);
  }

  /** Whether both names lead to the same file, which then cannot hold what both are to get. */
  public boolean isSameAs(OutputFile other) {
    try {
      return target.equals(other.target)
          || (Files.exists(target)
              && Files.exists(other.target)
              && Files.isSameFile(target, other.target));
    } catch (IOException e) {
      return false;
    }
  }

  /** Whether another file will be in the place of one that is there. */
  public boolean replaces(Path read) {
    try {
      return isReplaced() && Files.exists(target) && Files.isSameFile(target, read);
    } catch (IOException e) {
      return false;
    }
  }

  /** Whether what is written goes where the standard output goes. */
  public boolean isStandardOutput() {
    String own = "/proc/" + ProcessHandle.current().pid() + "/fd/1";
    return List.of("/dev/stdout", "/dev/fd/1", "/proc/self/fd/1", own).contains(target.toString());
  }

  /**
   * Writes the file.
   *
   * @throws BrokenPipeException if it is a pipe that nobody reads any more
   * @throws IOException if it cannot be written; what was there before is unchanged, but for what
   *     is no regular file
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
        throw new BrokenPipeException(name + ": nobody reads it any more", e);
      }
      throw e;
    }
  }

  /** Whether something is a pipe or a socket, in which all errors but one are those of its end. */
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

  /** Follows links, also to where no file is yet, and those of folders on the way. */
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
      // Fails with the reason where it is one of rights.
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
    try {
      try (FileChannel file = FileChannel.open(unfinished, StandardOpenOption.WRITE)) {
        content.writeTo(file);
        file.force(true);
      }
      Files.move(
          unfinished, target, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } finally {
      Files.deleteIfExists(unfinished);
    }
  }

  // Standard output stays open for what else is printed.
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
