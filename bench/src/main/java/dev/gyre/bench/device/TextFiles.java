package dev.gyre.bench.device;

import dev.gyre.atomics.Memory;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Texts in memory. */
final class TextFiles {

  private TextFiles() {}

  /** Files with ends of lines between, so many times over. */
  static Memory read(List<String> files, int repeat) throws IOException {
    ByteArrayOutputStream once = new ByteArrayOutputStream();
    for (String file : files) {
      once.write(Files.readAllBytes(Path.of(file)));
      once.write('\n');
    }
    return repeated(once.toByteArray(), repeat);
  }

  /** A text so many times over. */
  static Memory repeated(byte[] once, int repeat) {
    MemorySegment bytes = MemorySegment.ofArray(once);
    Memory text = Memory.ofBytes(bytes.byteSize() * repeat);
    for (int i = 0; i < repeat; i++) {
      text.segment().asSlice(i * bytes.byteSize(), bytes.byteSize()).copyFrom(bytes);
    }
    return text;
  }
}
