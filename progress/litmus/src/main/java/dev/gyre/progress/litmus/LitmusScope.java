package dev.gyre.progress.litmus;

import dev.gyre.atomics.BlockInts;
import dev.gyre.atomics.DeviceInts;
import dev.gyre.atomics.Memory;
import dev.gyre.atomics.SystemInts;

/** Scope of the accesses of a litmus test. */
public enum LitmusScope {
  BLOCK("block"),
  DEVICE("device"),
  SYSTEM("system"),
  /** System scope; one thread is on the host and the others are on the device. */
  HOST("system, host and device"),
  /** Stores of block scope, loads of device scope. */
  UNMATCHED("block / device");

  private final String label;

  LitmusScope(String label) {
    this.label = label;
  }

  Words words(Memory cells) {
    return switch (this) {
      case BLOCK -> new BlockWords(BlockInts.of(cells));
      case DEVICE -> new DeviceWords(DeviceInts.of(cells));
      case SYSTEM, HOST -> new SystemWords(SystemInts.of(cells));
      case UNMATCHED -> new UnmatchedWords(BlockInts.of(cells), DeviceInts.of(cells));
    };
  }

  /** Returns the scope in words. */
  public String label() {
    return label;
  }
}
