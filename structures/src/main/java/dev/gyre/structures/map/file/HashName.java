package dev.gyre.structures.map.file;

import dev.gyre.kernels.map.Hash;
import dev.gyre.kernels.map.Hashing;
import dev.gyre.kernels.map.KeyHash;
import dev.gyre.kernels.map.Text;
import dev.gyre.kernels.map.TextHash;
import dev.gyre.structures.Agreement;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Identifies a hash in a file: the class of a user's hash, and a digest of its results for some
 * keys, which detects other numbers in its record, or other code. The default hash has no name.
 */
public record HashName(String type, long digest) {

  public static final HashName OURS = new HashName("", 0);

  private static final long[] PROBES = {
    0, 1, -1, 2, 97, 1_000_003, Integer.MIN_VALUE, Integer.MAX_VALUE, 0x123456789abcdefL
  };

  /** Test texts: short, longer than a slot, in both cases, with a zero, outside ASCII. */
  private static final List<String> TEXTS =
      List.of(
          "",
          "\0",
          "a",
          "A",
          "a ",
          "word",
          "Word",
          "two words",
          "Two Words",
          "a\u0301",
          "\u00e1",
          "longer than two words of eight",
          "Longer Than Two Words of Eight");

  /** Returns the name of a user's hash, or of the default. */
  public static HashName of(@Nullable KeyHash hash) {
    return switch (hash) {
      case null -> OURS;
      case Hash numbers -> new HashName(hash.getClass().getName(), digest(numbers));
      case TextHash texts -> new HashName(hash.getClass().getName(), digestOfTexts(texts));
      default -> throw new IllegalArgumentException("no hash of numbers or texts: " + hash);
    };
  }

  /** Throws if a user's hash declares two test texts equal and hashes them differently. */
  public static void requireAgreement(TextHash hash) {
    Agreement.require(
        hash.getClass().getName(),
        TEXTS,
        (one, other) -> hash.same(Text.of(one), Text.of(other)),
        (text, seed) -> hash.hash(Text.of(text), seed));
  }

  private static long digestOfTexts(TextHash hash) {
    long digest = 0;
    for (String one : TEXTS) {
      digest = Hashing.hash(digest ^ hash.hash(Text.of(one), 0), 1);
      digest = Hashing.hash(digest ^ hash.hash(Text.of(one), 97), 2);
      for (String other : TEXTS) {
        digest = Long.rotateLeft(digest, 1) ^ (hash.same(Text.of(one), Text.of(other)) ? 1 : 0);
      }
    }
    return digest;
  }

  private static long digest(Hash hash) {
    long digest = 0;
    for (long probe : PROBES) {
      digest = Hashing.hash(digest ^ hash.hash(probe, 0), probe);
      int narrow = (int) probe;
      digest = Hashing.hash(digest ^ hash.hash(narrow, probe), probe);
    }
    return digest;
  }

  /** Returns the name as a section of a file. */
  MemorySegment toSection() {
    byte[] name = type.getBytes(StandardCharsets.UTF_8);
    MemorySegment section = MemorySegment.ofArray(new byte[Long.BYTES + name.length]);
    section.set(ValueLayout.JAVA_LONG_UNALIGNED, 0, digest);
    section.asSlice(Long.BYTES).copyFrom(MemorySegment.ofArray(name));
    return section;
  }

  /** Returns the name from a section of a file with a digest. */
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
