package dev.gyre.datasets;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.concurrent.ThreadLocalRandom;

/** Temporary files that replace other files. */
final class Replacement {

  private static final int RADIX = 36;

  private Replacement() {}

  /**
   * Creates an empty file in the folder of a target, with permissions, owner and group of the
   * target if it exists.
   *
   * @throws FileSystemException if that is impossible, with the reason
   */
  static Path create(Path target) throws IOException {
    while (true) {
      String number = Long.toUnsignedString(ThreadLocalRandom.current().nextLong(), RADIX);
      // Its name does not contain that of the target, which may have the maximum length.
      Path fresh = target.resolveSibling(".gyre-" + number + ".part");
      try {
        return Files.exists(target) ? createAlike(fresh, target) : Files.createFile(fresh);
      } catch (FileAlreadyExistsException e) {
        // Try another number.
      } catch (AccessDeniedException e) {
        throw failed(target, "its folder is not writable, as it must be: permission denied", e);
      }
    }
  }

  /** Returns a hook that deletes a file if the process is terminated, such as by Ctrl-C. */
  static Thread deleteAtExit(Path file) {
    Thread hook = new Thread(() -> delete(file));
    try {
      Runtime.getRuntime().addShutdownHook(hook);
    } catch (IllegalStateException _) {
      // The process is already ending: one of its own shutdown hooks writes the file.
    }
    return hook;
  }

  private static void delete(Path file) {
    try {
      boolean _ = Files.deleteIfExists(file);
    } catch (IOException _) {
      // At the end of the process, no caller is left that could handle it.
    }
  }

  /** Removes a hook after its file was deleted or renamed. */
  static void forget(Thread hook) {
    try {
      boolean _ = Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException _) {
      // The process is ending, and the hook finds no file.
    }
  }

  private static Path createAlike(Path fresh, Path target) throws IOException {
    PosixFileAttributeView old = Files.getFileAttributeView(target, PosixFileAttributeView.class);
    if (old == null) {
      return Files.createFile(fresh);
    }
    // No other user may read a protected file at any moment.
    Files.createFile(
        fresh, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    try {
      PosixFileAttributeView view = Files.getFileAttributeView(fresh, PosixFileAttributeView.class);
      PosixFileAttributes wanted = old.readAttributes();
      own(view, wanted, target);
      view.setPermissions(wanted.permissions());
      return fresh;
    } catch (IOException | RuntimeException e) {
      Files.deleteIfExists(fresh);
      throw e;
    }
  }

  private static void own(PosixFileAttributeView view, PosixFileAttributes wanted, Path target)
      throws IOException {
    PosixFileAttributes now = view.readAttributes();
    try {
      if (!now.group().equals(wanted.group())) {
        view.setGroup(wanted.group());
      }
      if (!now.owner().equals(wanted.owner())) {
        view.setOwner(wanted.owner());
      }
    } catch (FileSystemException e) {
      throw failed(
          target,
          "belongs to %s:%s, and a file that replaces it would not; remove it, or name another"
              .formatted(wanted.owner().getName(), wanted.group().getName()),
          e);
    }
  }

  private static FileSystemException failed(Path target, String reason, IOException cause) {
    FileSystemException failed = new FileSystemException(target.toString(), null, reason);
    failed.initCause(cause);
    return failed;
  }
}
