package dev.gyre.bench.words;

import dev.gyre.atomics.Memory;
import dev.gyre.datasets.ZipfText;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The text that words are counted in. */
final class Words {

  /** The ten books of the blog, in its order. */
  private static final List<String> TEN =
      List.of(
          "2600-0.txt",
          "2701-0.txt",
          "35-0.txt",
          "84-0.txt",
          "8800.txt",
          "pg1727.txt",
          "pg55.txt",
          "pg6130.txt",
          "pg996.txt",
          "1342-0.txt");

  private static final int GENERATED_BYTES = 11 << 20;

  private Words() {}

  /** A text, several times in a row. */
  static Memory repeated(int times) throws IOException {
    byte[] once = once();
    Memory memory = Memory.ofBytes((long) once.length * times);
    for (int i = 0; i < times; i++) {
      MemorySegment.copy(
          MemorySegment.ofArray(once), 0, memory.segment(), (long) i * once.length, once.length);
    }
    return memory;
  }

  /** The ten books of the folder that gyre.books names, else as much generated text. */
  private static byte[] once() throws IOException {
    String folder = System.getProperty("gyre.books");
    if (folder == null) {
      System.out.println("# no -Dgyre.books=FOLDER: generated text");
      return new ZipfText(ZipfText.Shape.DEFAULT).bytes(GENERATED_BYTES);
    }
    ByteArrayOutputStream text = new ByteArrayOutputStream();
    for (String book : TEN) {
      text.write(Files.readAllBytes(Path.of(folder, book)));
      text.write('\n');
    }
    return text.toByteArray();
  }
}
