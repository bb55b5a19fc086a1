package dev.gyre.bench.words;

import dev.gyre.atomics.Memory;
import dev.gyre.datasets.ZipfText;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The text that words are counted in. */
public final class Texts {

  private static final int GENERATED_BYTES = 11 << 20;

  private Texts() {}

  /** As much generated text as the ten books of the blog have; ends with a gap. */
  public static byte[] generated() {
    return new ZipfText(ZipfText.Shape.DEFAULT).bytes(GENERATED_BYTES);
  }

  /** A text, several times in a row. */
  public static Memory repeated(byte[] once, int times) {
    Memory memory = Memory.ofBytes((long) once.length * times);
    for (int i = 0; i < times; i++) {
      MemorySegment.copy(
          MemorySegment.ofArray(once), 0, memory.segment(), (long) i * once.length, once.length);
    }
    return memory;
  }

  /** Pieces of a text of so many bytes, or more up to the end of the last line. */
  public static List<Memory> pieces(Memory text, long bytes) {
    MemorySegment all = text.segment();
    List<Memory> pieces = new ArrayList<>();
    long from = 0;
    while (from < all.byteSize()) {
      long to = Math.min(from + bytes, all.byteSize());
      while (to < all.byteSize() && all.get(ValueLayout.JAVA_BYTE, to - 1) != '\n') {
        to++;
      }
      Memory piece = Memory.ofBytes(to - from);
      MemorySegment.copy(all, from, piece.segment(), 0, to - from);
      pieces.add(piece);
      from = to;
    }
    return pieces;
  }

  /** The file that the system property gyre.text names, else generated text. */
  static byte[] ofProperty() throws IOException {
    String file = System.getProperty("gyre.text");
    if (file == null) {
      System.out.println("# no -Dgyre.text=FILE: generated text");
      return generated();
    }
    return Files.readAllBytes(Path.of(file));
  }
}
