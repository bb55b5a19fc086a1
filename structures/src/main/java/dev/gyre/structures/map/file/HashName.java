package dev.gyre.structures.map.file;

import dev.gyre.kernels.map.Hash;
import dev.gyre.kernels.map.Hashing;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * What a file says of a hash: the class of a user's, and a digest of what it makes of some keys,
 * which tells other numbers in its record, or other code. Ours has no name.
 */
public record HashName(String type, long digest) {

  public static final HashName OURS = new HashName("", 0);

  private static final long[] PROBES = {
    0, 1, -1, 2, 97, 1_000_003, Integer.MIN_VALUE, Integer.MAX_VALUE, 0x123456789abcdefL
  };

  /** Of a user's hash, or of ours. */
  public static HashName of(@Nullable Hash hash) {
    if (hash == null) {
      return OURS;
    }
    long digest = 0;
    for (long probe : PROBES) {
      digest = Hashing.hash(digest ^ hash.hash(probe, 0), probe);
      int narrow = (int) probe;
      digest = Hashing.hash(digest ^ hash.hash(narrow, probe), probe);
    }
    return new HashName(hash.getClass().getName(), digest);
  }

  /** A section of a file. */
  MemorySegment toSection() {
    byte[] name = type.getBytes(StandardCharsets.UTF_8);
    MemorySegment section = MemorySegment.ofArray(new byte[Long.BYTES + name.length]);
    section.set(ValueLayout.JAVA_LONG_UNALIGNED, 0, digest);
    section.asSlice(Long.BYTES).copyFrom(MemorySegment.ofArray(name));
    return section;
  }

  /** From a section of a file, which has room for a digest. */
  static HashName ofSection(MemorySegment section) {
    byte[] name = section.asSlice(Long.BYTES).toArray(ValueLayout.JAVA_BYTE);
    return new HashName(
        new String(name, StandardCharsets.UTF_8), section.get(ValueLayout.JAVA_LONG_UNALIGNED, 0));
  }

  @Override
  public String toString() {
    return type.isEmpty()
        ? "the hash of this library"
        : "the hash %s, which makes %016x of the keys of a test".formatted(type, digest);
  }
}
