package dev.gyre.progress.litmus;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/** Litmus program, with the outcome that distinguishes memory orders. */
public enum LitmusProgram {
  MESSAGE_PASSING(
      "message passing",
      new Messages.MessagePassing(),
      2,
      2,
      "the flag came without the message",
      "1,0"::equals),
  STORE_BUFFERING(
      "store buffering",
      new Buffering.StoreBuffering(),
      2,
      2,
      "neither saw the other's store",
      "0,0"::equals),
  LOAD_BUFFERING(
      "load buffering",
      new Buffering.LoadBuffering(),
      2,
      2,
      "both saw what was stored later",
      "1,1"::equals),
  INDEPENDENT_READS(
      "independent reads",
      new Buffering.IndependentReads(),
      4,
      4,
      "two readers saw two stores in two orders",
      "1,0,1,0"::equals),
  /** The outcome is the final content of x and y. */
  TWO_PLUS_TWO_WRITES(
      "2+2W",
      new Buffering.TwoPlusTwoWrites(),
      2,
      2,
      "of both words the first store came last",
      "1,1"::equals),
  WRITE_TO_READ_CAUSALITY(
      "WRC",
      new Messages.WriteToReadCausality(),
      3,
      3,
      "a flag raised by who had read the message came without it",
      "1,1,0"::equals),
  ISA2(
      "ISA2",
      new Messages.Isa2(),
      3,
      3,
      "a flag passed on by a second one came without the message",
      "1,1,0"::equals),
  RELEASE_SEQUENCE(
      "release sequence",
      new Messages.ReleaseSequence(),
      3,
      2,
      "a flag that an update had followed came without the message",
      o -> o.equals("2,0") || o.equals("3,0")),
  COHERENT_READS(
      "coherent reads",
      new Messages.CoherentReads(),
      2,
      2,
      "a later read saw an older value",
      "1,0"::equals),
  PUBLICATION(
      "publication",
      new Claims.Publication(),
      2,
      2,
      "two winners, none, or a publication without what was published",
      o -> winners(o) != 1 || o.startsWith("0") || o.endsWith("0")),
  TEST_AND_SET(
      "test and set", new Claims.TestAndSet(), 2, 2, "two winners, or none", o -> winners(o) != 1);

  private final String label;

  @SuppressWarnings("ImmutableEnumChecker") // Records without components.
  private final Litmus litmus;

  private final int roles;
  private final int registers;
  private final String weak;

  @SuppressWarnings("ImmutableEnumChecker") // Predicates without state.
  private final Predicate<String> isWeak;

  LitmusProgram(
      String label,
      Litmus litmus,
      int roles,
      int registers,
      String weak,
      Predicate<String> isWeak) {
    this.label = label;
    this.litmus = litmus;
    this.roles = roles;
    this.registers = registers;
    this.weak = weak;
    this.isWeak = isWeak;
  }

  private static int winners(String outcome) {
    int winners = 0;
    for (String register : outcome.split(",", -1)) {
      if (register.equals(String.valueOf(LitmusCodes.WON))) {
        winners++;
      }
    }
    return winners;
  }

  /** Returns the threads of the program for an order. */
  Litmus litmus(LitmusOrder order) {
    return switch (order) {
      case PLAIN_DATA -> new Messages.PlainMessage();
      case NO_UPDATE -> new Messages.EndedSequence();
      case BROKEN -> broken();
      default -> litmus;
    };
  }

  private Litmus broken() {
    return switch (this) {
      case MESSAGE_PASSING -> new Messages.RaisedFirst();
      case WRITE_TO_READ_CAUSALITY -> new Messages.AnnouncedTooEarly();
      case ISA2 -> new Messages.PassedOnTooEarly();
      case RELEASE_SEQUENCE -> new Messages.SequenceRaisedFirst();
      case TWO_PLUS_TWO_WRITES -> new Buffering.SwappedWrites();
      case PUBLICATION, TEST_AND_SET -> new Claims.CheckThenAct();
      default -> throw new IllegalArgumentException(label + " has no broken variant");
    };
  }

  /**
   * Returns the device's part of the program, if the host plays a role. The host updates words that
   * both update.
   */
  Litmus againstHost(LitmusOrder order) {
    return this == RELEASE_SEQUENCE ? new Messages.SequenceEnds() : litmus(order);
  }

  /** Returns the role of the host in a round. */
  int hostRole(int round) {
    return this == RELEASE_SEQUENCE ? 1 : round % roles;
  }

  /** Returns whether the outcome is the final content of the words. */
  boolean finals() {
    return this == TWO_PLUS_TWO_WRITES;
  }

  /** Returns the number of threads of an instance. */
  public int roles() {
    return roles;
  }

  /** Returns the meaning of the weak outcome. */
  public String weak() {
    return weak;
  }

  /** Returns whether an outcome, as {@link #outcome} writes it, is the weak one. */
  public boolean isWeak(String outcome) {
    return isWeak.test(outcome);
  }

  /** Returns an outcome as text: its registers, such as {@code 1,0}. */
  String outcome(int bin) {
    List<String> values = new ArrayList<>();
    for (int r = 0; r < registers; r++) {
      values.add(String.valueOf(bin >> (2 * r) & 3));
    }
    return String.join(",", values);
  }

  /** Returns the name in tables, such as {@code message passing}. */
  public String label() {
    return label;
  }
}
