package dev.gyre.atomics.tornadovm.ptx;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** The texts are as TornadoVM writes them, without what has to do with no condition. */
class PtxPredicatesTest {

  private static final String HEAD =
      """
      .visible .entry kernel(.param .u64 counters) {
      \t.reg .pred rpb<9>;

      BLOCK_0:
      \tsetp.eq.s32\trpb0, rsi0, 0;
      \t@!rpb0 bra\tBLOCK_2;

      BLOCK_1:
      \tsetp.eq.s32\trpb1, rsi1, 0;
      """;

  @Test
  void aConditionOfABranchNotTakenIsFound() {
    String source =
        HEAD
            + """
            \tbra.uni\tBLOCK_2;

            BLOCK_2:
            \tsetp.ne.s32\trpb2, rsi2, 6;
            \tor.pred\trpb3, rpb1, rpb2;
            \tret;
            }
            """;
    assertThat(PtxPredicates.flaw(source))
        .hasValueSatisfying(flaw -> assertThat(flaw).contains("rpb1").contains("or.pred"));
  }

  @Test
  void whatIsComputedOnEveryWayIsFine() {
    String source =
        HEAD
            + """
            \tselp.s32\trsi5, 0, 1, rpb1;
            \tbra.uni\tBLOCK_3;

            BLOCK_2:
            \tsetp.ne.s32\trpb1, rsi2, 6;
            \tbra.uni\tBLOCK_3;

            BLOCK_3:
            \tnot.pred\trpb2, rpb1;
            \tor.pred\trpb3, rpb1, rpb2;
            \tret;
            }
            """;
    assertThat(PtxPredicates.flaw(source)).isEmpty();
  }

  @Test
  void whatTheLastRoundOfALoopComputedIsNotThereInTheFirst() {
    String source =
        HEAD
            + """
            LOOP_COND_1:
            \t@!rpb4 bra\tBLOCK_3;

            BLOCK_2:
            \tsetp.lt.s32\trpb4, rsi2, rsi3;
            \tbra.uni\tLOOP_COND_1;

            BLOCK_3:
            \tret;
            }
            """;
    assertThat(PtxPredicates.flaw(source))
        .hasValueSatisfying(flaw -> assertThat(flaw).contains("rpb4"));
  }

  @Test
  void codeThatIsNeverReachedReadsNothing() {
    String source =
        HEAD
            + """
            \tret;

            BLOCK_2:
            \tret;

            BLOCK_3:
            \t@rpb7 bra\tBLOCK_2;
            }
            """;
    assertThat(PtxPredicates.flaw(source)).isEmpty();
  }
}
