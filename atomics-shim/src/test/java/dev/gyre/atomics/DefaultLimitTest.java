package dev.gyre.atomics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The limit of off-heap memory without {@code -Dgyre.memory.limit}. */
class DefaultLimitTest {

  private static final Path CGROUPS_V1 = Path.of("/sys/fs/cgroup/memory");
  private static final Path CGROUPS_V2 = Path.of("/sys/fs/cgroup");

  /** In MiB. */
  @ParameterizedTest
  @CsvSource({
    "1024, 256, 516",
    "16384, 4096, 8976",
    "16384, 12288, 2448",
    "65536, 1024, 48288",
    // The smallest limit that is.
    "256, 64, 93",
    "256, 128, 64",
    "64, 64, 64",
    "0, 128, 64",
    "128, 4096, 64",
  })
  void threeQuartersOfWhatHeapAndJvmLeave(long memory, long maxHeap, long limit) {
    assertThat(MemoryBudget.defaultLimit(memory << 20, maxHeap << 20) >> 20).isEqualTo(limit);
  }

  @Test
  void aHeapWithoutLimitLeavesTheLeast() {
    assertThat(MemoryBudget.defaultLimit(16L << 30, Long.MAX_VALUE)).isEqualTo(64 << 20);
    assertThat(MemoryBudget.defaultLimit(Long.MAX_VALUE, 1 << 30)).isGreaterThan(1L << 62);
  }

  /** Fills three quarters of its heap, and takes off-heap memory until there is no more. */
  static final class Filling {
    public static void main(String[] args) {
      List<byte[]> heap = new ArrayList<>();
      long bytes = Runtime.getRuntime().maxMemory() / 4 * 3;
      for (long filled = 0; filled < bytes; filled += 1 << 20) {
        byte[] piece = new byte[1 << 20];
        Arrays.fill(piece, (byte) 1);
        heap.add(piece);
      }
      List<Memory> all = new ArrayList<>();
      try {
        while (true) {
          Memory memory = Memory.ofBytes(1 << 20);
          memory.segment().fill((byte) 1);
          all.add(memory);
        }
      } catch (MemoryExhaustedException e) {
        System.out.println("%d MiB, then: %s".formatted(all.size(), e.getMessage()));
      }
      System.out.println(heap.size() + " MiB of heap");
      all.forEach(Memory::close);
    }
  }

  @Tag("slow")
  @ParameterizedTest
  @CsvSource({"256, 64, 64", "1024, 400, 650"})
  void aContainerIsNotKilled(int mib, int least, int most)
      throws IOException, InterruptedException {
    Path group = group();
    try {
      limit(group, mib);
      assertThat(fill(group)).matches(told -> isBetween(told, least, most));
      // A limit further up in the hierarchy counts as well.
      Path inner = Files.createDirectory(group.resolve("inner"));
      try {
        assertThat(fill(inner)).matches(told -> isBetween(told, least, most));
      } finally {
        remove(inner);
      }
    } finally {
      remove(group);
    }
  }

  @Test
  void theWarningNamesWhatIsTooLittle() throws IOException, InterruptedException {
    Path group = group();
    try {
      limit(group, 256);
      assertThat(fill(group))
          .containsOnlyOnce("256 MiB of memory leave too little")
          .contains("64 MiB off-heap")
          .contains("-Dgyre.memory.limit=SIZE");
      assertThat(fill(group, "-Dgyre.memory.limit=70m"))
          .startsWith("69 MiB, then")
          .doesNotContain("too little");
    } finally {
      remove(group);
    }
  }

  private static boolean isBetween(String told, int least, int most) {
    List<Integer> sizes =
        told.lines()
            .filter(line -> line.contains(" MiB, then: "))
            .map(line -> Integer.parseInt(line.substring(0, line.indexOf(' '))))
            .toList();
    return sizes.size() == 1 && sizes.getFirst() >= least - 1 && sizes.getFirst() <= most;
  }

  /** A new group of processes whose memory can be limited. */
  private static Path group() throws IOException {
    Path root = Files.isDirectory(CGROUPS_V1) ? CGROUPS_V1 : CGROUPS_V2;
    Path group = root.resolve("gyre-test-" + UUID.randomUUID());
    boolean made = false;
    try {
      Files.createDirectory(group);
      made = Files.isWritable(limitOf(group)) && Files.isWritable(group.resolve("cgroup.procs"));
    } catch (IOException e) {
      // Not allowed, or there are no such groups.
    }
    if (!made) {
      Files.deleteIfExists(group);
    }
    assumeTrue(made, "no group of processes with limited memory can be made in " + root);
    return group;
  }

  private static Path limitOf(Path group) {
    boolean v1 = group.startsWith(CGROUPS_V1);
    return group.resolve(v1 ? "memory.limit_in_bytes" : "memory.max");
  }

  private static void limit(Path group, int mib) throws IOException {
    Files.writeString(limitOf(group), Long.toString((long) mib << 20));
  }

  /** A group can be removed shortly after its last process has ended. */
  private static void remove(Path group) throws IOException, InterruptedException {
    for (int i = 0; Files.exists(group); i++) {
      try {
        Files.delete(group);
      } catch (IOException e) {
        if (i == 100) {
          throw e;
        }
        Thread.sleep(20);
      }
    }
  }

  private static String fill(Path group, String... options)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.addAll(List.of("bash", "-c", "echo $$ > \"$0\" && exec \"$@\""));
    command.add(group.resolve("cgroup.procs").toString());
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("--enable-native-access=ALL-UNNAMED");
    command.addAll(List.of(options));
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), Filling.class.getName()));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String told = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(told).isZero();
    return told;
  }
}
