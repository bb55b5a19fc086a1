package dev.gyre.atomics.tornadovm.ptx;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** The texts are as TornadoVM writes them, without what is between branches. */
class PtxBlocksTest {

  private static final String LOOP =
      """
      .visible .entry kernel(.param .u64 counters) {
      \t.reg .pred rpb<9>;

      BLOCK_0:
      \tld.param.u64\trud0, [counters];

      BLOCK_1:
      \tmov.s32\trsi3, rsi2;
      LOOP_COND_1:
      \tsetp.lt.s64\trpb1, rsd14, 1;
      \t@rpb1 bra\tBLOCK_4;

      BLOCK_2:
      \tsetp.lt.s32\trpb3, rsi5, 0;
      \t@!rpb3 bra\tBLOCK_5;
      """;

  @Test
  void aBlockThatRunsIntoTheNextIsFine() {
    String source =
        LOOP
            + """

            BLOCK_3:
            \tmov.s32\trsi3, 1;
            \tbra.uni\tLOOP_COND_1;

            BLOCK_5:
            \tbra.uni\tBLOCK_6;

            BLOCK_4:
            \tbra.uni\tBLOCK_6;

            BLOCK_6:
            \tret;
            }
            """;
    assertThat(PtxBlocks.flaw(source)).isEmpty();
  }

  @Test
  void aBlockThatRunsIntoAnotherIsFound() {
    String source =
        LOOP
            + """

            BLOCK_3:

            BLOCK_5:
            \tbra.uni\tBLOCK_6;

            BLOCK_4:
            \tmov.s32\trsi3, 1;
            \tbra.uni\tLOOP_COND_1;

            BLOCK_6:
            \tret;
            }
            """;
    assertThat(PtxBlocks.flaw(source))
        .hasValueSatisfying(flaw -> assertThat(flaw).contains("block 3", "block 5"));
  }

  @Test
  void aConditionalBranchIsNoEnd() {
    assertThat(PtxBlocks.flaw(LOOP + "\nBLOCK_7:\n\tret;\n}\n"))
        .hasValueSatisfying(flaw -> assertThat(flaw).contains("block 2", "block 7"));
  }
}
