package dev.gyre.atomics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Surefire enables native access. */
class AddressPinTest {

  private static final long SMALL = 1000;
  private static final long LARGE = 3 * HugePages.MIN_BLOCK_BYTES;

  @BeforeAll
  static void largeBlocksAreMapped() {
    HugePages.prepare();
  }

  private static Memory filled(long longs) {
    Memory memory = Memory.addressable(longs, Long.BYTES);
    memory.segment().fill((byte) 1);
    return memory;
  }

  private static AddressPin held(Memory memory) {
    return Objects.requireNonNull(memory.addressPin());
  }

  @Test
  void readsWhatIsThere() {
    for (long longs : new long[] {1, SMALL, LARGE}) {
      try (Memory memory = Memory.addressable(longs, Long.BYTES)) {
        long last = (longs - 1) * Long.BYTES;
        memory.segment().set(ValueLayout.JAVA_LONG, last, 0x7_0000_0003L);
        long at = held(memory).payload() + last;
        assertThat(AddressPin.getLong(at)).isEqualTo(0x7_0000_0003L);
        assertThat(AddressPin.getLongVolatile(at)).isEqualTo(0x7_0000_0003L);
        assertThat(AddressPin.getInt(at)).isEqualTo(3);
        assertThat(AddressPin.getIntVolatile(at)).isEqualTo(3);
      }
    }
  }

  @Test
  void addressesOutliveTheirMemoryWhichIsClosedToAllElse() {
    for (long longs : new long[] {SMALL, LARGE}) {
      Memory memory = filled(longs);
      AddressPin pin = held(memory);
      MemorySegment segment = memory.segment();
      memory.close();
      assertThatThrownBy(memory::addressPin).isInstanceOf(ClosedException.class);
      assertThatThrownBy(() -> segment.get(ValueLayout.JAVA_BYTE, 0))
          .isInstanceOf(IllegalStateException.class);
      for (long at = 0; at < longs * Long.BYTES; at += Long.BYTES) {
        assertThat(AddressPin.getLong(pin.payload() + at)).isIn(0L, 0x0101_0101_0101_0101L);
      }
    }
  }

  @Test
  void aLargeBlockIsUnmappedWithItsMemoryUnlessItIsHeldAndThenWithItsHold()
      throws IOException, InterruptedException {
    assumeTrue(System.getProperty("os.name").equals("Linux"), "blocks are not mapped elsewhere");
    long free;
    try (Memory memory = filled(LARGE)) {
      free = memory.segment().address();
    }
    assertThat(isMapped(free)).isFalse();
    long address = heldAndClosed();
    for (int i = 0; isMapped(address) && i < 1000; i++) {
      System.gc();
      Thread.sleep(10);
    }
    assertThat(isMapped(address)).isFalse();
  }

  private static long heldAndClosed() throws IOException {
    Memory memory = filled(LARGE);
    AddressPin pin = held(memory);
    memory.close();
    assertThat(isMapped(pin.payload())).isTrue();
    assertThat(AddressPin.getLong(pin.payload())).isZero();
    return pin.payload();
  }

  /** Makes, holds and closes more than its process has addresses for. */
  static final class Many {
    public static void main(String[] args) {
      HugePages.prepare();
      for (int i = 0; i < 400; i++) {
        try (Memory memory = Memory.addressable(8 * LARGE, Long.BYTES)) {
          var _ = held(memory);
        }
      }
    }
  }

  @Test
  void whereAddressesRunOutThoseThatNobodyReadsAreUnmapped()
      throws IOException, InterruptedException {
    assumeTrue(System.getProperty("os.name").equals("Linux"), "blocks are not mapped elsewhere");
    // Kibibytes of addresses, of which the virtual machine takes a quarter.
    run("ulimit -v 16000000; exec \"$@\"", Many.class);
  }

  /** Has a segment only of a memory that it never closes. */
  static final class Forgetting {
    public static void main(String[] args) throws InterruptedException {
      MemorySegment segment = filled(SMALL).segment();
      for (int i = 0; i < 10; i++) {
        System.gc();
        Thread.sleep(5);
        filled(SMALL).segment().fill((byte) 2);
      }
      for (byte b : segment.toArray(ValueLayout.JAVA_BYTE)) {
        if (b != 1) {
          throw new IllegalStateException("another memory's: " + b);
        }
      }
    }
  }

  @Test
  void aSegmentIsThereAlsoWhereItsMemoryIsForgottenInsteadOfClosed()
      throws IOException, InterruptedException {
    run("exec \"$@\"", Forgetting.class);
  }

  private static void run(String script, Class<?> main) throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(
                "bash",
                "-c",
                script,
                "bash",
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx64m",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                main.getName())
            .redirectErrorStream(true)
            .start();
    String told = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(told).isZero();
  }

  /** Whether a part of the process's addresses has this one in it. */
  private static boolean isMapped(long address) throws IOException {
    return Files.readAllLines(Path.of("/proc/self/maps")).stream()
        .map(line -> line.substring(0, line.indexOf(' ')).split("-"))
        .anyMatch(
            part ->
                Long.compareUnsigned(Long.parseUnsignedLong(part[0], 16), address) <= 0
                    && Long.compareUnsigned(address, Long.parseUnsignedLong(part[1], 16)) < 0);
  }

  @Test
  void smallBlocksThatWouldBeTooManyHaveNoHold() {
    long bytes = HugePages.MIN_BLOCK_BYTES / 2;
    long enough = AddressPin.MAX_SMALL_BYTES / bytes + 1;
    List<Memory> all = new ArrayList<>();
    try {
      for (long i = 0; i < enough; i++) {
        all.add(Memory.addressable(bytes, 1));
      }
      Memory last = all.getLast();
      assertThat(last.addressPin()).isNull();
      assertThat(last.segment().get(ValueLayout.JAVA_BYTE, bytes - 1)).isZero();
    } finally {
      all.forEach(Memory::close);
    }
  }

  @Test
  void othersHaveNone() {
    try (Memory memory = Memory.ofLongs(SMALL)) {
      assertThat(memory.addressPin()).isNull();
    }
    assertThatThrownBy(() -> Memory.addressable(-1, Long.BYTES))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> Memory.addressable(Long.MAX_VALUE, Long.BYTES))
        .isInstanceOf(MemoryExhaustedException.class);
  }
}
