package dev.gyre.structures.trie;

import dev.gyre.atomics.Memory;
import dev.gyre.atomics.MemoryRange;
import dev.gyre.kernels.ChainLink;
import dev.gyre.kernels.JvmLauncher;
import dev.gyre.kernels.Launcher;
import dev.gyre.kernels.MemoryKind;
import dev.gyre.kernels.MemoryKindException;
import dev.gyre.structures.ForwardingLauncher;
import dev.gyre.structures.TargetUnderTest;
import java.util.List;
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
  public void runChain(List<ChainLink> links, MemoryRange... back) {
    count(back);
    launcher.runChain(links, back);
  }

  @Override
  public void readBack(MemoryRange... ranges) {
    count(ranges);
    launcher.readBack(ranges);
  }

  private void count(MemoryRange... ranges) {
    for (MemoryRange range : ranges) {
      home.getAndAdd(range.byteSize());
    }
  }

  @Override
  public void prefetch(MemoryRange... ranges) {
    launcher.prefetch(ranges);
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
  public void copyIn(Memory to, MemoryRange from) {
    sent.getAndAdd(from.byteSize());
    launcher.copyIn(to, from);
  }

  /** The device of the tests stays open. */
  @Override
  public void close() {
    if (onJvm) {
      launcher.close();
    }
  }
}
