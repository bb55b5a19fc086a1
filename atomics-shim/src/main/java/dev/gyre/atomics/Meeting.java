package dev.gyre.atomics;

import org.jspecify.annotations.Nullable;

/**
 * Says that a thread waits here for others which may not have begun, such as at a barrier; for
 * device functions.
 *
 * <p>Such threads must all run at once. A device function cannot see to that, a launch can: devices
 * find these calls in the kernels that they compile, and refuse a grid that has no room before it
 * starts. On the JVM a launch whose threads may have to wait for a worker is stopped here, before
 * the wait. So call it once, before the loop that waits.
 *
 * <p>A wait for a thread that has begun, as for the holder of a lock, is not a meeting.
 */
public final class Meeting {

  /** What the launch, in which a thread of the JVM works, has room for. */
  public interface Room {
    /** Refuses threads that wait for others of their block, if these may not run at once. */
    void requireBlock();

    /** Refuses threads that wait for any other of the launch, if these may not run at once. */
    void requireGrid();

    /** Waits until all threads of the block do. */
    void awaitBlock();
  }

  private static final ThreadLocal<@Nullable Room> ROOM = new ThreadLocal<>();

  private Meeting() {}

  /** Threads wait for others of their block. */
  public static void ofBlock() {
    Room room = ROOM.get();
    if (room != null) {
      room.requireBlock();
    }
  }

  /** Threads wait for others of the device. */
  public static void ofDevice() {
    Room room = ROOM.get();
    if (room != null) {
      room.requireGrid();
    }
  }

  /** Threads wait for others of the system. */
  public static void ofSystem() {
    ofDevice();
  }

  /** Where the calling thread works; null outside of a launch. */
  static @Nullable Room room() {
    return ROOM.get();
  }

  /**
   * Has the calling thread work in a room, or in none; for launchers.
   *
   * @return where it worked before
   */
  public static @Nullable Room enter(@Nullable Room room) {
    Room before = ROOM.get();
    if (room == null) {
      ROOM.remove();
    } else {
      ROOM.set(room);
    }
    return before;
  }
}
