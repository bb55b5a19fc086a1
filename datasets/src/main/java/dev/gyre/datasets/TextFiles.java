package dev.gyre.datasets;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.AccessMode;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

/**
 * Resolves the arguments of a command, or folders, to files.
 *
 * <ul>
 *   <li>A file stands for itself, hidden or not, regular or not (for example a pipe), as many times
 *       as it is named.
 *   <li>A folder stands for the regular files in it and in the folders below it, sorted by path.
 *       Names that begin with a dot are left out, and links to folders are not followed. The
 *       argument itself may be either.
 * </ul>
 *
 * @since 0.1.0
 */
public final class TextFiles {

  private TextFiles() {}

  /**
   * Returns the files of some arguments, in order.
   *
   * @throws BadInputException for the first argument or file that does not exist or cannot be read,
   *     or a folder without files
   */
  public static List<Path> resolve(List<String> arguments) {
    List<Path> files = new ArrayList<>();
    for (String argument : arguments) {
      Path path = parse(argument);
      if (Files.isDirectory(path)) {
        files.addAll(below(path));
      } else {
        files.add(requireReadable(path));
      }
    }
    return List.copyOf(files);
  }

  private static Path parse(String argument) {
    if (argument.isEmpty()) {
      throw new BadInputException("''", "an empty name is not a file");
    }
    try {
      return FileNames.path(argument);
    } catch (InvalidPathException e) {
      throw new BadInputException(argument, "not the name of a file: " + e.getReason(), e);
    }
  }

  /**
   * Returns the files of a folder, sorted by path.
   *
   * @throws BadInputException for a folder that cannot be read or has no files, or for a file in it
   *     that cannot be read
   */
  public static List<Path> below(Path folder) {
    List<Path> files = new ArrayList<>();
    // A list of folders to visit: recursion could overflow the stack.
    List<Path> toVisit = new ArrayList<>(List.of(folder));
    while (!toVisit.isEmpty()) {
      for (Path entry : entries(toVisit.removeLast())) {
        if (entry.getFileName().toString().startsWith(".")) {
          continue;
        }
        if (Files.isRegularFile(entry)) {
          files.add(requireReadable(entry));
        } else if (Files.isDirectory(entry) && !Files.isSymbolicLink(entry)) {
          toVisit.add(entry);
        }
      }
    }
    if (files.isEmpty()) {
      throw new BadInputException(folder.toString(), "a folder without files");
    }
    files.sort(null);
    return files;
  }

  private static List<Path> entries(Path folder) {
    try (Stream<Path> entries = Files.list(folder)) {
      return entries.toList();
    } catch (IOException e) {
      throw new BadInputException(folder.toString(), reasonOf(e, "folder"), e);
    } catch (UncheckedIOException e) {
      IOException cause = Objects.requireNonNull(e.getCause());
      throw new BadInputException(folder.toString(), reasonOf(cause, "folder"), e);
    }
  }

  private static Path requireReadable(Path file) {
    try {
      file.getFileSystem().provider().checkAccess(file, AccessMode.READ);
    } catch (NoSuchFileException e) {
      throw new BadInputException(file.toString(), "no such file or folder", e);
    } catch (IOException e) {
      // For example, the file or a folder on the way denies access.
      throw new BadInputException(file.toString(), reasonOf(e, "file"), e);
    }
    return file;
  }

  /** Returns in a few words why a file or folder could not be read. */
  public static String reasonOf(IOException e, String kind) {
    return switch (e) {
      case UnreadableTextException unreadable -> String.valueOf(unreadable.getMessage());
      case NoSuchFileException _ -> "no such " + kind;
      case AccessDeniedException _ -> "not readable: permission denied";
      case FileSystemException f when f.getReason() != null -> "not readable: " + f.getReason();
      default -> "not readable: " + e.getMessage();
    };
  }
}
