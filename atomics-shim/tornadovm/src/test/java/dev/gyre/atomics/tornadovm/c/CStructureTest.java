package dev.gyre.atomics.tornadovm.c;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** The texts are as TornadoVM writes them, without the statements that are no control flow. */
class CStructureTest {

  @Test
  void aLoopAndABranchAreAsMeant() {
    String source =
        """
        {
          // BLOCK 0
          // BLOCK 1 MERGES [0 5 ]
          for(;i < n;)
          {
            // BLOCK 2
            if(b)
            {
              // BLOCK 3
            }  // B2
            else
            {
              // BLOCK 4
            }  // B2
            // BLOCK 5 MERGES [3 4 ]
          }  // B1
          // BLOCK 6
          return;
        }  //  kernel
        """;
    assertThat(CStructure.flaw(source)).isEmpty();
  }

  @Test
  void aLoopThatTestsInItsBodyIsAsMeant() {
    String source =
        """
        {
          // BLOCK 0
          // BLOCK 1 MERGES [0 2 ]
          for(;;)
          {
            if(!(i < n))
            {
              break;
            }
            // BLOCK 2
          }  // B1
          // BLOCK 3
        }
        """;
    assertThat(CStructure.flaw(source)).isEmpty();
  }

  @Test
  void aMergeInsideOneOfItsBranchesIsFound() {
    String source =
        """
        {
          // BLOCK 2
          if(b)
          {
            // BLOCK 3
            // BLOCK 5 MERGES [3 4 ]
          }  // B2
          else
          {
            // BLOCK 4
          }  // B2
        }
        """;
    assertThat(CStructure.flaw(source)).hasValueSatisfying(f -> assertThat(f).contains("5"));
  }

  @Test
  void aLostBlockIsFound() {
    String source =
        """
        {
          // BLOCK 6 MERGES [5 10 ]
          for(;;)
          {
            // BLOCK 7
            // BLOCK 9 MERGES [8 7 ]
            if(b)
            {
              // BLOCK 10
            }
            else
            {
              break;
            }
          }
        }
        """;
    assertThat(CStructure.flaw(source)).isPresent();
  }

  @Test
  void aBranchThatFallsIntoABlockOfOthersIsFound() {
    String source =
        """
        {
          // BLOCK 4
          if(b)
          {
            // BLOCK 6
          }
          else
          {
            // BLOCK 7
          }
          // BLOCK 9 MERGES [7 8 ]
        }
        """;
    assertThat(CStructure.flaw(source)).hasValue("block 9 is reached from [6, 7], not from [7, 8]");
  }

  @Test
  void aValueThatIsReplacedWhereBranchesMeetIsFound() {
    String source =
        """
        {
          // BLOCK 2
          if(b)
          {
            // BLOCK 6
            i_39  =  i_33;
          }
          else
          {
            // BLOCK 10
            i_39  =  i_40;
          }
          // BLOCK 11 MERGES [6 10 ]
          i_39  =  i_40;
        }
        """;
    assertThat(CStructure.flaw(source)).hasValueSatisfying(f -> assertThat(f).contains("i_39"));
  }
}
