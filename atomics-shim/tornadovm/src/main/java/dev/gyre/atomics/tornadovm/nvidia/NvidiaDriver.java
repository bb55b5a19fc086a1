package dev.gyre.atomics.tornadovm.nvidia;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What NVIDIA's kernel module tells in Linux's file system. */
public final class NvidiaDriver {

  /** Memory that a block can share, where its size is known when the kernel is compiled. */
  public static final long SHARED_BYTES = 48 << 10;

  private static final Path VERSION = Path.of("/proc/driver/nvidia/version");
  private static final Pattern NUMBER = Pattern.compile("\\d+\\.\\d+(\\.\\d+)?");

  private NvidiaDriver() {}

  /** Version of the driver; empty where there is no such file. */
  public static String version() {
    try {
      Matcher number = NUMBER.matcher(Files.readString(VERSION));
      return number.find() ? number.group() : "";
    } catch (IOException e) {
      return "";
    }
  }
}
