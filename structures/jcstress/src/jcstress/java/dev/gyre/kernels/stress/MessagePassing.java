package dev.gyre.kernels.stress;

import dev.gyre.atomics.DeviceLongs;
import dev.gyre.atomics.table.ElementType;
import java.util.List;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.L_Result;

/**
 * A word is written plainly before a flag is raised, and read plainly by one who saw the flag
 * raised: through every release and every acquire operation that a handle has.
 */
public final class MessagePassing {

  private static final String UNSEEN = "flag not seen";
  private static final String READ = "message read";
  private static final DeviceLongs WORDS = DeviceLongs.of(Cells.MEMORY);

  private MessagePassing() {}

  abstract static class Base {
    final Message message;
    final long flag;
    final long word;

    Base(List<Message> table) {
      long place = Cells.take();
      message = table.get((int) (place % table.size()));
      flag = Cells.first(message.type(), place);
      word = Cells.second(ElementType.LONG, place);
      Cells.set(message.type(), flag, message.lowered());
    }

    final void write() {
      WORDS.set(word, 1);
    }

    final void raise() {
      long _ = Calls.call(message.raise(), flag);
    }

    final String read() {
      String seen = UNSEEN;
      if (Calls.call(message.look(), flag) != 0) {
        seen = WORDS.get(word) == 1 ? READ : "message not written: " + message.name();
      }
      return seen;
    }
  }

  /** All release operations x all acquire operations x types x scopes among threads. */
  @State
  public static class Ordered extends Base {
    private static final List<Message> TABLE = Message.ordered();

    public Ordered() {
      super(TABLE);
    }
  }

  @JCStressTest
  @Outcome(id = UNSEEN, expect = Expect.ACCEPTABLE, desc = "Too early")
  @Outcome(id = READ, expect = Expect.ACCEPTABLE, desc = "The message came with the flag")
  @Outcome(expect = Expect.FORBIDDEN, desc = "The flag came without the message")
  public static class EveryPair {
    @Actor
    public void write(Ordered state) {
      state.write();
      state.raise();
    }

    @Actor
    public void read(Ordered state, L_Result result) {
      result.r1 = state.read();
    }
  }

  /** The flag is raised before the message is written. */
  @JCStressTest
  @Outcome(id = UNSEEN, expect = Expect.ACCEPTABLE, desc = "Too early")
  @Outcome(id = READ, expect = Expect.ACCEPTABLE, desc = "By luck")
  @Outcome(expect = Expect.ACCEPTABLE_INTERESTING, desc = "The flag came without the message")
  public static class RaisedFirstMutant {
    @Actor
    public void write(Ordered state) {
      state.raise();
      Window.open();
      state.write();
    }

    @Actor
    public void read(Ordered state, L_Result result) {
      result.r1 = state.read();
    }
  }

  /** Relaxed operations of all scopes, and plain ones. */
  @State
  public static class Unordered extends Base {
    private static final List<Message> TABLE = Message.unordered();

    public Unordered() {
      super(TABLE);
    }
  }

  @JCStressTest
  @Outcome(id = UNSEEN, expect = Expect.ACCEPTABLE, desc = "Too early")
  @Outcome(id = READ, expect = Expect.ACCEPTABLE, desc = "By luck")
  @Outcome(expect = Expect.ACCEPTABLE_INTERESTING, desc = "The flag came without the message")
  public static class RelaxedWeakMutant {
    @Actor
    public void write(Unordered state) {
      state.write();
      state.raise();
    }

    @Actor
    public void read(Unordered state, L_Result result) {
      result.r1 = state.read();
    }
  }
}
