package dev.gyre.progress.litmus;

import static dev.gyre.progress.litmus.LitmusOrder.ACQ_REL;
import static dev.gyre.progress.litmus.LitmusOrder.BROKEN;
import static dev.gyre.progress.litmus.LitmusOrder.FENCES;
import static dev.gyre.progress.litmus.LitmusOrder.NO_UPDATE;
import static dev.gyre.progress.litmus.LitmusOrder.PLAIN;
import static dev.gyre.progress.litmus.LitmusOrder.PLAIN_DATA;
import static dev.gyre.progress.litmus.LitmusOrder.RELAXED;
import static dev.gyre.progress.litmus.LitmusOrder.SEQ_CST;
import static dev.gyre.progress.litmus.LitmusOrder.SEQ_CST_FENCES;
import static dev.gyre.progress.litmus.LitmusProgram.COHERENT_READS;
import static dev.gyre.progress.litmus.LitmusProgram.INDEPENDENT_READS;
import static dev.gyre.progress.litmus.LitmusProgram.ISA2;
import static dev.gyre.progress.litmus.LitmusProgram.LOAD_BUFFERING;
import static dev.gyre.progress.litmus.LitmusProgram.MESSAGE_PASSING;
import static dev.gyre.progress.litmus.LitmusProgram.PUBLICATION;
import static dev.gyre.progress.litmus.LitmusProgram.RELEASE_SEQUENCE;
import static dev.gyre.progress.litmus.LitmusProgram.STORE_BUFFERING;
import static dev.gyre.progress.litmus.LitmusProgram.TEST_AND_SET;
import static dev.gyre.progress.litmus.LitmusProgram.TWO_PLUS_TWO_WRITES;
import static dev.gyre.progress.litmus.LitmusProgram.WRITE_TO_READ_CAUSALITY;
import static dev.gyre.progress.litmus.LitmusScope.BLOCK;
import static dev.gyre.progress.litmus.LitmusScope.DEVICE;
import static dev.gyre.progress.litmus.LitmusScope.HOST;
import static dev.gyre.progress.litmus.LitmusScope.SYSTEM;
import static dev.gyre.progress.litmus.LitmusScope.UNMATCHED;

import java.util.ArrayList;
import java.util.List;

/**
 * Litmus program with a scope, an order and an expectation.
 *
 * @param program the program
 * @param scope scope of its accesses
 * @param order memory order of its accesses
 * @param expectation expectation of the weak outcome
 */
public record LitmusTest(
    LitmusProgram program, LitmusScope scope, LitmusOrder order, Expectation expectation) {

  /** Expectation of the weak outcome. */
  public enum Expectation {
    /** It must never be seen. */
    FORBIDDEN,
    /** A control: the program's steps are wrong, so it must be seen. */
    MUST_SHOW,
    /** A weakened control: order or scope is too weak, so it may be seen; hardware may hide it. */
    MAY_SHOW
  }

  private static final List<LitmusScope> SCOPES = List.of(BLOCK, DEVICE, SYSTEM, HOST);
  private static final List<LitmusTest> ALL = enumerate();

  /** Returns all tests, by program. */
  public static List<LitmusTest> all() {
    return ALL;
  }

  private static List<LitmusTest> enumerate() {
    List<LitmusTest> all = new ArrayList<>();
    add(all, MESSAGE_PASSING, Expectation.FORBIDDEN, ACQ_REL, SEQ_CST, FENCES);
    all.add(new LitmusTest(MESSAGE_PASSING, DEVICE, PLAIN_DATA, Expectation.FORBIDDEN));
    add(all, MESSAGE_PASSING, Expectation.MAY_SHOW, RELAXED);
    all.add(new LitmusTest(MESSAGE_PASSING, UNMATCHED, ACQ_REL, Expectation.MAY_SHOW));
    all.add(new LitmusTest(MESSAGE_PASSING, DEVICE, BROKEN, Expectation.MUST_SHOW));
    all.add(new LitmusTest(MESSAGE_PASSING, HOST, BROKEN, Expectation.MUST_SHOW));
    for (LitmusProgram passedOn : List.of(WRITE_TO_READ_CAUSALITY, ISA2, RELEASE_SEQUENCE)) {
      add(all, passedOn, Expectation.FORBIDDEN, ACQ_REL, SEQ_CST, FENCES);
      add(all, passedOn, Expectation.MAY_SHOW, RELAXED);
      all.add(new LitmusTest(passedOn, UNMATCHED, ACQ_REL, Expectation.MAY_SHOW));
      all.add(new LitmusTest(passedOn, DEVICE, BROKEN, Expectation.MUST_SHOW));
    }
    add(all, RELEASE_SEQUENCE, Expectation.MAY_SHOW, NO_UPDATE);
    add(all, STORE_BUFFERING, Expectation.FORBIDDEN, SEQ_CST, SEQ_CST_FENCES);
    add(all, STORE_BUFFERING, Expectation.MAY_SHOW, ACQ_REL, RELAXED);
    add(all, LOAD_BUFFERING, Expectation.FORBIDDEN, ACQ_REL, SEQ_CST);
    add(all, LOAD_BUFFERING, Expectation.MAY_SHOW, RELAXED);
    add(all, INDEPENDENT_READS, Expectation.FORBIDDEN, SEQ_CST, SEQ_CST_FENCES);
    add(all, INDEPENDENT_READS, Expectation.MAY_SHOW, ACQ_REL, RELAXED);
    add(all, TWO_PLUS_TWO_WRITES, Expectation.FORBIDDEN, SEQ_CST, SEQ_CST_FENCES);
    add(all, TWO_PLUS_TWO_WRITES, Expectation.MAY_SHOW, ACQ_REL, RELAXED);
    all.add(new LitmusTest(TWO_PLUS_TWO_WRITES, DEVICE, BROKEN, Expectation.MUST_SHOW));
    add(all, COHERENT_READS, Expectation.FORBIDDEN, RELAXED);
    all.add(new LitmusTest(COHERENT_READS, DEVICE, PLAIN, Expectation.MAY_SHOW));
    add(all, PUBLICATION, Expectation.FORBIDDEN, ACQ_REL);
    all.add(new LitmusTest(PUBLICATION, DEVICE, RELAXED, Expectation.MAY_SHOW));
    all.add(new LitmusTest(PUBLICATION, DEVICE, BROKEN, Expectation.MUST_SHOW));
    add(all, TEST_AND_SET, Expectation.FORBIDDEN, ACQ_REL);
    all.add(new LitmusTest(TEST_AND_SET, DEVICE, RELAXED, Expectation.FORBIDDEN));
    all.add(new LitmusTest(TEST_AND_SET, DEVICE, BROKEN, Expectation.MUST_SHOW));
    return List.copyOf(all);
  }

  private static void add(
      List<LitmusTest> all, LitmusProgram program, Expectation expectation, LitmusOrder... orders) {
    for (LitmusOrder order : orders) {
      for (LitmusScope scope : SCOPES) {
        all.add(new LitmusTest(program, scope, order, expectation));
      }
    }
  }

  /** Returns whether the threads of an instance must be in one block. */
  boolean withinBlock() {
    return scope == BLOCK;
  }

  /** Returns the scope in words. */
  public String scopeLabel() {
    return scope.label();
  }

  /** Returns the order in words. */
  public String orderLabel() {
    return order.label();
  }

  /** Returns a name for the test. */
  public String label() {
    return program.label() + ", " + orderLabel() + ", " + scopeLabel();
  }
}
