package dev.gyre.bench.words;

import dev.gyre.atomics.Memory;
import dev.gyre.datasets.generators.ZipfText;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;

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

  /** The file that the system property gyre.text names, else generated text. */
  public static byte[] ofProperty() throws IOException {
    String file = System.getProperty("gyre.text");
    if (file == null) {
      System.out.println("# no -Dgyre.text=FILE: generated text");
      return generated();
    }
    return Files.readAllBytes(Path.of(file));
  }
}
