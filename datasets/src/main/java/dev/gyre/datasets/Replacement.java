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

/** Files that are written beside others, to take their names and places. */
final class Replacement {

  private static final int RADIX = 36;

  private Replacement() {}

  /**
   * Makes an empty file in the folder of another, with its permissions, owner and group if it is
   * there.
   *
   * @throws FileSystemException if none can be made that is so, with the reason
   */
  static Path create(Path target) throws IOException {
    while (true) {
      String number = Long.toUnsignedString(ThreadLocalRandom.current().nextLong(), RADIX);
      // Not called after the target, whose name may be as long as names can be.
      Path fresh = target.resolveSibling(".gyre-" + number + ".part");
      try {
        return Files.exists(target) ? createAlike(fresh, target) : Files.createFile(fresh);
      } catch (FileAlreadyExistsException e) {
        // Another number.
      } catch (AccessDeniedException e) {
        throw failed(target, "its folder is not writable, as it must be: permission denied", e);
      }
    }
  }

  private static Path createAlike(Path fresh, Path target) throws IOException {
    PosixFileAttributeView old = Files.getFileAttributeView(target, PosixFileAttributeView.class);
    if (old == null) {
      return Files.createFile(fresh);
    }
    // Nobody else reads what the old file keeps from them, not for a moment.
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
