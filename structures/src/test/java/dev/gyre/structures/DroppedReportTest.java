package dev.gyre.structures;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gyre.atomics.MemoryLeft;
import dev.gyre.structures.map.LongLongMap;
import dev.gyre.structures.map.LongSet;
import dev.gyre.structures.trie.WordTrie;
import java.io.IOException;
import org.junit.jupiter.api.Test;

/** What the log says of structures that are dropped: in a process of its own. */
class DroppedReportTest {

  /** Drops two maps and a trie, and closes a set. */
  static final class Dropping {
    public static void main(String[] args) throws InterruptedException {
      long free = MemoryLeft.bytes();
      for (int i = 0; i < 2; i++) {
        makeAMap();
      }
      WordTrie.create().addWord("word", 1);
      try (LongSet set = LongSet.create()) {
        set.add(1);
      }
      for (int i = 0; MemoryLeft.bytes() < free && i < 1000; i++) {
        System.gc();
        Thread.sleep(5);
      }
      // The last warning comes after its memory is free.
      Thread.sleep(500);
      System.out.println(MemoryLeft.bytes() == free ? "all is free" : "some is not free");
    }

    static void makeAMap() {
      LongLongMap.create().put(1, 2);
    }
  }

  private static String run(String... options) throws IOException, InterruptedException {
    return ChildJvm.run(Dropping.class, options);
  }

  @Test
  void oneWarningForEachClass() throws IOException, InterruptedException {
    assertThat(run())
        .contains("all is free")
        .containsOnlyOnce("a LongLongMap was dropped without being closed")
        .containsOnlyOnce("a WordTrie was dropped without being closed")
        .contains("-Dgyre.leaks=trace")
        .doesNotContain("LongSet", "makeAMap");
  }

  @Test
  void aTraceSaysWhereItWasMade() throws IOException, InterruptedException {
    assertThat(run("-Dgyre.leaks=trace"))
        .contains("all is free")
        .containsOnlyOnce("this LongLongMap was made here")
        .containsPattern("\\sat .*Dropping\\.makeAMap")
        .doesNotContain("LongSet");
  }
}
