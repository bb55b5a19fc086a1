package dev.gyre.atomics.tornadovm;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class OpenClStructureTest {

  @Test
  void aLoopAndABranchAreInOrder() {
    String source =
        """
        // BLOCK 0
        // BLOCK 1 MERGES [0 5 ]
        for(;i < n;)
          // BLOCK 2
          // BLOCK 3
          // BLOCK 4
          // BLOCK 5 MERGES [3 4 ]
        // BLOCK 6
        """;
    assertThat(OpenClStructure.flaw(source)).isEmpty();
  }

  @Test
  void aMergeInsideOneOfItsBranchesIsFound() {
    String source =
        """
        // BLOCK 2
          // BLOCK 3
            // BLOCK 5 MERGES [3 4 ]
          // BLOCK 4
        """;
    assertThat(OpenClStructure.flaw(source)).hasValue("block 5 runs without block 4");
  }

  @Test
  void aLostBlockIsFound() {
    String source =
        """
        // BLOCK 6 MERGES [5 10 ]
        for(;;)
          // BLOCK 7
          // BLOCK 9 MERGES [8 7 ]
            // BLOCK 10
        """;
    assertThat(OpenClStructure.flaw(source)).hasValue("block 8 was lost");
  }
}
