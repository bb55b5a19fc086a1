package dev.gyre.datasets;

import dev.gyre.atomics.Internal;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;

/** Channel that reads a segment. */
@Internal
public final class SegmentChannel implements ReadableByteChannel {

  final MemorySegment bytes;
  private long at;

  public SegmentChannel(MemorySegment bytes) {
    this.bytes = bytes;
  }

  @Override
  public int read(ByteBuffer to) {
    long left = bytes.byteSize() - at;
    if (left == 0) {
      return -1;
    }
    int count = (int) Math.min(left, to.remaining());
    MemorySegment.copy(bytes, at, MemorySegment.ofBuffer(to), 0, count);
    to.position(to.position() + count);
    at += count;
    return count;
  }

  @Override
  public boolean isOpen() {
    return true;
  }

  @Override
  public void close() {}
}
