package dev.gyre.structures.map;

import dev.gyre.kernels.map.TextLayout;
import dev.gyre.kernels.stress.Window;
import dev.gyre.structures.map.table.ArenaChunk;
import dev.gyre.structures.map.table.TextKey;
import dev.gyre.structures.map.table.TextTable;
import java.util.concurrent.atomic.AtomicLong;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.L_Result;

/**
 * Two threads insert one text key, and then another one each. The second thread returns the space
 * that it took for the first key, where the other thread may have put its key. All keys are found
 * in the end.
 */
public final class TextKeyCapacity {

  private static final String ALL = "all found";

  private TextKeyCapacity() {}

  /** An empty table, whose arena has space for the three keys and one more. */
  @State
  public static class Table {
    /** Far more than jcstress keeps states alive. */
    private static final int PLACES = 1 << 14;

    private static final long POLLS = Long.MAX_VALUE;
    private static final TextKey SHARED = TextKey.of("the key of both threads");
    private static final TextKey FIRST = TextKey.of("the key of the first one");
    private static final TextKey SECOND = TextKey.of("the key of the second one");
    private static final AtomicLong TAKEN = new AtomicLong();
    private static final TextTable[] TABLES = new TextTable[PLACES];

    static {
      for (int i = 0; i < PLACES; i++) {
        TABLES[i] = TextTable.allocate(4, 0.5, 4L * SECOND.arenaWords(), 1, null, false);
      }
    }

    private final TextTable table = TABLES[(int) (TAKEN.getAndIncrement() % PLACES)];

    public Table() {
      table.memoriesOfKeys().forEach(memory -> memory.segment().fill((byte) 0));
      table.setSize(0, 0);
    }

    void insertFirst() {
      insert(FIRST, 1);
    }

    void insertSecond() {
      insert(SECOND, 2);
    }

    private void insert(TextKey own, long value) {
      try (ArenaChunk chunk = new ArenaChunk(table, null, SHARED.arenaWords() + own.arenaWords())) {
        var _ = SHARED.insert(table, value, POLLS, chunk);
        var _ = own.insert(table, value, POLLS, chunk);
      }
    }

    /** Writes to space that was given back, as stores may that were before that in the program. */
    void loseAndWriteLate() {
      long words = SHARED.arenaWords();
      long place = table.bump.fetchAddRelaxed(0, words);
      table.bump.compareAndExchangeRelaxed(0, place + words, place);
      Window.open();
      for (long word = 0; word < words; word++) {
        table.arena.set(place + word, -1);
      }
    }

    String found(TextKey... keys) {
      for (TextKey key : keys) {
        if (key.find(table) < 0) {
          return "missed";
        }
      }
      return table.bump.get(0) <= 4L * TextLayout.arenaWords(32) ? ALL : "space lost";
    }
  }

  @JCStressTest
  @Outcome(id = ALL, expect = Expect.ACCEPTABLE, desc = "No key was written over")
  @Outcome(expect = Expect.FORBIDDEN, desc = "A key is lost")
  public static class GivenBack {
    @Actor
    public void first(Table table) {
      table.insertFirst();
    }

    @Actor
    public void second(Table table) {
      table.insertSecond();
    }

    @Arbiter
    public void after(Table table, L_Result result) {
      result.r1 = table.found(Table.SHARED, Table.FIRST, Table.SECOND);
    }
  }

  /** What is written before the claim comes after the space was given back. */
  @JCStressTest
  @Outcome(id = ALL, expect = Expect.ACCEPTABLE, desc = "By luck")
  @Outcome(expect = Expect.ACCEPTABLE_INTERESTING, desc = "A key is lost")
  public static class WrittenLateMutant {
    @Actor
    public void first(Table table) {
      table.loseAndWriteLate();
    }

    @Actor
    public void second(Table table) {
      table.insertSecond();
    }

    @Arbiter
    public void after(Table table, L_Result result) {
      result.r1 = table.found(Table.SHARED, Table.SECOND);
    }
  }
}
