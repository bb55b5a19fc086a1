package dev.gyre.structures.trie;

import dev.gyre.atomics.Memory;
import dev.gyre.kernels.JvmLauncher;
import dev.gyre.kernels.Kernel;
import dev.gyre.kernels.LaunchShape;
import dev.gyre.kernels.Launcher;
import dev.gyre.kernels.MemoryKind;
import dev.gyre.kernels.MemoryKindException;
import dev.gyre.structures.ForwardingLauncher;
import dev.gyre.structures.TargetUnderTest;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Counts the bytes that come home from the device of the test, or from threads of the JVM that pass
 * for one.
 */
final class CountingLauncher extends ForwardingLauncher {

  private final boolean onJvm;
  private final AtomicLong home = new AtomicLong();
  private final AtomicLong sent = new AtomicLong();
  private volatile @Nullable Memory pinned;

  CountingLauncher() {
    this(TargetUnderTest.device());
  }

  private CountingLauncher(@Nullable Launcher device) {
    super(
        device == null ? JvmLauncher.ofWorkers(2) : device,
        device == null ? deviceOnJvm(2) : device.device());
    this.onJvm = device == null;
  }

  /** Bytes that came home since the last time. */
  long home() {
    return home.getAndSet(0);
  }

  @Override
  public void runAndReadBack(Kernel kernel, LaunchShape shape, Memory... memories) {
    count(memories);
    launcher.runAndReadBack(kernel, shape, memories);
  }

  @Override
  public void readBack(Memory... memories) {
    count(memories);
    launcher.readBack(memories);
  }

  private void count(Memory... memories) {
    for (Memory memory : memories) {
      home.getAndAdd(memory.byteSize());
    }
  }

  @Override
  public void readBack(Memory memory, long bytes) {
    home.getAndAdd(bytes);
    launcher.readBack(memory, bytes);
  }

  @Override
  public void hostWrote(Memory memory, long bytes) {
    launcher.hostWrote(memory, bytes);
  }

  @Override
  public void prefetch(Memory... memories) {
    launcher.prefetch(memories);
  }

  @Override
  public void prefetch(Memory memory, long bytes) {
    launcher.prefetch(memory, bytes);
  }

  /** Bytes that were sent from where they lie, since the last time. */
  long sent() {
    return sent.getAndSet(0);
  }

  /** Pinned memory; other memory, where the target has none. */
  Memory pinned(long bytes) {
    try {
      Memory made = onJvm ? Memory.ofBytes(bytes) : launcher.memory(MemoryKind.PINNED, bytes);
      pinned = made;
      return made;
    } catch (MemoryKindException e) {
      return Memory.ofBytes(bytes);
    }
  }

  @Override
  @SuppressWarnings("ReferenceEquality") // That memory.
  public boolean copiesInPlace(Memory memory) {
    return onJvm ? memory == pinned : launcher.copiesInPlace(memory);
  }

  @Override
  public void prefetch(Memory memory, Memory from, long at, long bytes) {
    sent.getAndAdd(bytes);
    launcher.prefetch(memory, from, at, bytes);
  }

  /** The device of the tests stays open. */
  @Override
  public void close() {
    if (onJvm) {
      launcher.close();
    }
  }
}
