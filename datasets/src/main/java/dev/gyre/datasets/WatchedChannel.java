package dev.gyre.datasets;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;

/** Channel that shows a watcher what is read. */
record WatchedChannel(String name, ReadableByteChannel channel, TextSource.Watcher watcher)
    implements ReadableByteChannel {

  @Override
  public int read(ByteBuffer to) throws IOException {
    int from = to.position();
    int count = channel.read(to);
    if (count < 0) {
      watcher.ended(name);
    } else if (count > 0) {
      watcher.read(name, MemorySegment.ofBuffer(to.slice(from, count)));
    }
    return count;
  }

  @Override
  public boolean isOpen() {
    return channel.isOpen();
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
