package dev.gyre.progress.litmus;

import static dev.gyre.kernels.litmus.LitmusCodes.ACQ_REL;
import static dev.gyre.kernels.litmus.LitmusCodes.BLOCK;
import static dev.gyre.kernels.litmus.LitmusCodes.BROKEN;
import static dev.gyre.kernels.litmus.LitmusCodes.DEVICE;
import static dev.gyre.kernels.litmus.LitmusCodes.FENCES;
import static dev.gyre.kernels.litmus.LitmusCodes.MISMATCH;
import static dev.gyre.kernels.litmus.LitmusCodes.PLAIN;
import static dev.gyre.kernels.litmus.LitmusCodes.PLAIN_DATA;
import static dev.gyre.kernels.litmus.LitmusCodes.RELAXED;
import static dev.gyre.kernels.litmus.LitmusCodes.SEQ_CST;
import static dev.gyre.kernels.litmus.LitmusCodes.SEQ_CST_FENCES;
import static dev.gyre.kernels.litmus.LitmusCodes.SYSTEM;
import static dev.gyre.progress.litmus.LitmusProgram.COHERENT_READS;
import static dev.gyre.progress.litmus.LitmusProgram.INDEPENDENT_READS;
import static dev.gyre.progress.litmus.LitmusProgram.LOAD_BUFFERING;
import static dev.gyre.progress.litmus.LitmusProgram.MESSAGE_PASSING;
import static dev.gyre.progress.litmus.LitmusProgram.PUBLICATION;
import static dev.gyre.progress.litmus.LitmusProgram.STORE_BUFFERING;
import static dev.gyre.progress.litmus.LitmusProgram.TEST_AND_SET;

import dev.gyre.kernels.litmus.LitmusCodes;
import java.util.ArrayList;
import java.util.List;

/**
 * A litmus program with a scope and an order, and what is said of its weak outcome.
 *
 * @param program what runs
 * @param scope a scope of {@link LitmusCodes}
 * @param order an order of {@link LitmusCodes}
 * @param expectation what is said of the weak outcome
 */
public record LitmusTest(LitmusProgram program, int scope, int order, Expectation expectation) {

  /** What is said of the weak outcome. */
  public enum Expectation {
    /** It must never be seen. */
    FORBIDDEN,
    /** A control: the program's steps are wrong, so it must be seen. */
    MUST_SHOW,
    /** A weakened control: order or scope is too weak, so it may be seen; hardware may hide it. */
    MAY_SHOW
  }

  private static final int[] SCOPES = {BLOCK, DEVICE, SYSTEM};
  private static final List<LitmusTest> ALL = enumerate();

  /** All tests, by program. */
  public static List<LitmusTest> all() {
    return ALL;
  }

  private static List<LitmusTest> enumerate() {
    List<LitmusTest> all = new ArrayList<>();
    add(all, MESSAGE_PASSING, Expectation.FORBIDDEN, ACQ_REL, SEQ_CST, FENCES);
    all.add(new LitmusTest(MESSAGE_PASSING, DEVICE, PLAIN_DATA, Expectation.FORBIDDEN));
    add(all, MESSAGE_PASSING, Expectation.MAY_SHOW, RELAXED);
    all.add(new LitmusTest(MESSAGE_PASSING, MISMATCH, ACQ_REL, Expectation.MAY_SHOW));
    all.add(new LitmusTest(MESSAGE_PASSING, DEVICE, BROKEN, Expectation.MUST_SHOW));
    add(all, STORE_BUFFERING, Expectation.FORBIDDEN, SEQ_CST, SEQ_CST_FENCES);
    add(all, STORE_BUFFERING, Expectation.MAY_SHOW, ACQ_REL, RELAXED);
    add(all, LOAD_BUFFERING, Expectation.FORBIDDEN, ACQ_REL, SEQ_CST);
    add(all, LOAD_BUFFERING, Expectation.MAY_SHOW, RELAXED);
    add(all, INDEPENDENT_READS, Expectation.FORBIDDEN, SEQ_CST, SEQ_CST_FENCES);
    add(all, INDEPENDENT_READS, Expectation.MAY_SHOW, ACQ_REL, RELAXED);
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
      List<LitmusTest> all, LitmusProgram program, Expectation expectation, int... orders) {
    for (int order : orders) {
      for (int scope : SCOPES) {
        all.add(new LitmusTest(program, scope, order, expectation));
      }
    }
  }

  int code() {
    return LitmusCodes.code(program.code(), order);
  }

  /** Whether the threads of an instance must be of one block. */
  boolean withinBlock() {
    return scope == BLOCK;
  }

  /** The scope in words. */
  public String scopeLabel() {
    return switch (scope) {
      case BLOCK -> "block";
      case DEVICE -> "device";
      case SYSTEM -> "system";
      case MISMATCH -> "block / device";
      default -> throw new IllegalStateException("no scope " + scope);
    };
  }

  /** The order in words. */
  public String orderLabel() {
    return switch (order) {
      case PLAIN -> "plain";
      case RELAXED -> "relaxed";
      case ACQ_REL -> "release / acquire";
      case SEQ_CST -> "seq_cst";
      case FENCES -> "release / acquire fences";
      case SEQ_CST_FENCES -> "seq_cst fences";
      case BROKEN -> "steps broken";
      case PLAIN_DATA -> "release / acquire, plain data";
      default -> throw new IllegalStateException("no order " + order);
    };
  }

  /** A name for the whole test. */
  public String label() {
    return program.label() + ", " + orderLabel() + ", " + scopeLabel();
  }
}
