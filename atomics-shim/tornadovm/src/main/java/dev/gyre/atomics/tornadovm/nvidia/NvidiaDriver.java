package dev.gyre.atomics.tornadovm.nvidia;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Facts of NVIDIA's kernel module in the file system of Linux. */
public final class NvidiaDriver {

  /** Shared memory of a block whose size is known at compile time, in bytes. */
  public static final long SHARED_BYTES = 48 << 10;

  private static final Path VERSION = Path.of("/proc/driver/nvidia/version");
  private static final Pattern NUMBER = Pattern.compile("\\d+\\.\\d+(\\.\\d+)?");

  private NvidiaDriver() {}

  /** Returns the version of the driver; empty if there is no such file. */
  public static String version() {
    try {
      Matcher number = NUMBER.matcher(Files.readString(VERSION));
      return number.find() ? number.group() : "";
    } catch (IOException e) {
      return "";
    }
  }
}
