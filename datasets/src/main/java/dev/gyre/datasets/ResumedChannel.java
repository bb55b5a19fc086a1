package dev.gyre.datasets;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;

/** Channel whose first bytes were already read: it delivers them again, then the rest. */
record ResumedChannel(ByteBuffer first, ReadableByteChannel rest) implements ReadableByteChannel {

  @Override
  public int read(ByteBuffer to) throws IOException {
    if (!first.hasRemaining()) {
      return rest.read(to);
    }
    int count = Math.min(first.remaining(), to.remaining());
    to.put(to.position(), first, first.position(), count);
    first.position(first.position() + count);
    to.position(to.position() + count);
    return count;
  }

  @Override
  public boolean isOpen() {
    return rest.isOpen();
  }

  @Override
  public void close() throws IOException {
    rest.close();
  }
}
