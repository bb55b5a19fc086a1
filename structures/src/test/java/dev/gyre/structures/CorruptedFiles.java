package dev.gyre.structures;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.CRC32C;

/** Saved files that were changed by somebody who knows the checksum. */
public final class CorruptedFiles {

  private static final int CHECKSUM = 56;

  private CorruptedFiles() {}

  /** Writes a file with the checksum that its bytes have. */
  public static void write(Path file, byte[] forged) throws IOException {
    seal(forged);
    Files.write(file, forged);
  }

  /** Puts the checksum that bytes have in its place. */
  public static void seal(byte[] forged) {
    CRC32C sum = new CRC32C();
    sum.update(forged, 0, CHECKSUM);
    sum.update(forged, CHECKSUM + Long.BYTES, forged.length - CHECKSUM - Long.BYTES);
    ByteBuffer.wrap(forged).order(ByteOrder.nativeOrder()).putLong(CHECKSUM, sum.getValue());
  }
}
