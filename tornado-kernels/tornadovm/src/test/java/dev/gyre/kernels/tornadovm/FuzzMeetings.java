package dev.gyre.kernels.tornadovm;

import java.util.List;

/**
 * What random programs are made of where the threads of a block work together. They have {@code
 * me}, a thread's number in its block of 64; {@code block}, that of the block; {@code si}, {@code
 * sl}, {@code sf} and {@code sd}, of which the block shares 64 elements each.
 *
 * <p>What a program gives does not depend on who comes first: between meetings a thread touches its
 * own element only; while they meet, one reads what another has written before a barrier, or all
 * make updates whose order makes no difference. A meeting ends so that each thread can go on with
 * its own element. Meetings are where all threads of the block come by: what is around them is the
 * same for all.
 */
final class FuzzMeetings {

  private FuzzMeetings() {}

  /** On the thread's own element, wherever it is. */
  static final List<String> INTS =
      List.of(
          "si.loadAcquire(me)",
          "si.fetchAddRelaxed(me, %i)",
          "si.fetchSubAcqRel(me, %i)",
          "si.exchangeSeqCst(me, %i)",
          "si.compareAndExchangeAcqRel(me, %i, %i)",
          "(si.compareAndSetRelaxed(me, %i, %i) ? %i : %i)",
          "Lanes.index()");

  static final List<String> LONGS =
      List.of(
          "sl.get(me)",
          "sl.fetchMaxRelease(me, %l)",
          "sl.fetchXorAcquire(me, %l)",
          "sl.exchangeRelaxed(me, %l)",
          "sl.compareAndExchangeSeqCst(me, %l, %l)");

  static final List<String> FLOATS =
      List.of(
          "sf.get(me)",
          "sf.fetchAddAcquire(me, %f)",
          "sf.fetchMinRelaxed(me, %f)",
          "sf.exchangeRelease(me, %f)",
          "sf.compareAndExchangeAcqRel(me, (float) %i, %f)");

  static final List<String> DOUBLES =
      List.of(
          "sd.loadSeqCst(me)",
          "sd.fetchAddRelaxed(me, %d)",
          "sd.fetchMaxAcqRel(me, %d)",
          "sd.exchangeAcquire(me, %d)",
          "sd.compareAndExchangeRelaxed(me, (double) %i, %d)");

  private static final String PASS =
      "{\n"
          + "int w = me + %%i & 63;\n"
          + "%1$s.set(me, %2$s);\n"
          + "Block.barrier();\n"
          + "%3$s = %1$s.get(w);\n"
          + "Block.barrier();\n"
          + "}\n";

  private static final String UPDATE =
      "{\n"
          + "int w = me + %%i & 63;\n"
          + "%1$s v = %2$s;\n"
          + "Block.barrier();\n"
          + "%1$s _ = %3$s(w, v);\n"
          + "Block.barrier();\n"
          + "}\n";

  /** Sums of whole numbers that are exact in any order; the elements are set last. */
  private static final String SUM =
      "{\n"
          + "int w = me + %%i & 63;\n"
          + "int v = %%i;\n"
          + "%1$s.set(me, %%i & 255);\n"
          + "Block.barrier();\n"
          + "%2$s _ = %1$s.%3$s(w, v & 255);\n"
          + "Block.barrier();\n"
          + "}\n";

  /** What all read of one element is the same for all. */
  private static final String SAME =
      "sl.set(me, %%l);\nBlock.barrier();\n%s = sl.get(5)%s;\nBlock.barrier();\n";

  static final List<String> MEETINGS =
      List.of(
          PASS.formatted("si", "%i", "a"),
          PASS.formatted("sl", "%l", "d"),
          UPDATE.formatted("int", "%i", "si.fetchAddRelaxed"),
          UPDATE.formatted("int", "%i", "si.fetchMinAcqRel"),
          UPDATE.formatted("int", "%i", "si.fetchXorSeqCst"),
          UPDATE.formatted("int", "%i", "si.fetchOrRelease"),
          UPDATE.formatted("long", "%l", "sl.fetchAddSeqCst"),
          UPDATE.formatted("long", "%l", "sl.fetchMaxRelaxed"),
          UPDATE.formatted("long", "%l", "sl.fetchAndAcquire"),
          "a = Lanes.shuffle(%i, %i);\n",
          "b = Lanes.broadcast(%i, 5);\n",
          "b = Lanes.sumOfAll(%i);\n",
          "a = Lanes.prefixSum(%i);\n",
          "d = Lanes.shuffle(%l, %i);\n",
          "c = Lanes.broadcast(%l, 37);\n",
          "c = Lanes.sumOfAll(%l);\n",
          "d = Lanes.prefixSum(%l);\n",
          "a = Lanes.ballot(%i < %i);\n",
          "b += Lanes.any(%l == %l) ? 1 : 2;\n",
          "b ^= Lanes.all(%i >= %i) ? Lanes.width() : 2;\n",
          "{\nint v = %i;\nsi.set(me, 0);\nBlock.barrier();\n"
              + "int _ = si.fetchAddRelaxed(7, Lanes.sumOfPresent(v));\nBlock.barrier();\n}\n",
          "for (int i = 0; i < 3; i++) {\n%m%s}\n",
          "for (int i = 0; i <= (block & 3); i++) {\n%s%m}\n",
          "if ((block & 1) == 0) {\n%m} else {\n%s}\n",
          SAME.formatted("c", "") + "if ((c & 1) == 0) {\n%m} else {\n%m}\n",
          SAME.formatted("long n$", " & 3") + "while (n$ > 0) {\nn$--;\n%m%s}\n",
          "%m%m",
          "%m%s%m");

  static final List<String> MEETINGS_OF_FLOATS =
      List.of(
          PASS.formatted("sf", "%f", "g"),
          PASS.formatted("sd", "%d", "x"),
          UPDATE.formatted("float", "%f", "sf.fetchMinRelaxed"),
          UPDATE.formatted("float", "%f", "sf.fetchMaxSeqCst"),
          UPDATE.formatted("double", "%d", "sd.fetchMinAcqRel"),
          UPDATE.formatted("double", "%d", "sd.fetchMaxRelease"),
          SUM.formatted("sf", "float", "fetchAddRelaxed"),
          SUM.formatted("sd", "double", "fetchAddAcqRel"),
          "f = Lanes.shuffle(%f, %i);\n",
          "g = Lanes.broadcast(%f, 3);\n",
          "f = Lanes.sumOfAll(%f);\n",
          "g = Lanes.prefixSum(%f);\n",
          "y = Lanes.shuffle(%d, %i);\n",
          "x = Lanes.broadcast(%d, 20);\n",
          "y = Lanes.sumOfAll(%d);\n",
          "x = Lanes.prefixSum(%d);\n");

  static final List<String> MEETINGS_OF_CONDITIONS =
      List.of(
          "p = Lanes.any(%k);\n",
          "q = Lanes.all(%k && %k);\n",
          "p = Lanes.ballot(%k || %k) < 0;\n",
          "b = Lanes.ballot(q);\n");
}
