package dev.gyre.structures.trie;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gyre.structures.ChildJvm;
import java.io.IOException;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A StackOverflowError inside an operation, at any depth of it, keeps nobody out of the trie. */
@Timeout(300)
@Tag("slow")
class TrieStackOverflowTest {

  private static final int ROUNDS = 12;
  private static final long PATIENCE_SECONDS = 60;

  /** What overflows; each call has another number. */
  @SuppressWarnings("ImmutableEnumChecker") // its functions have no state
  enum Operation {
    ADD_TEXT((trie, number) -> trie.add(text(number))),
    ADD_NEW_WORD((trie, number) -> trie.addWord(word(number), 1)),
    ADD_SAME_WORD((trie, _) -> trie.addWord("abc", 1)),
    COUNT((trie, number) -> trie.count(word(number)));

    private final BiConsumer<WordTrie, Integer> action;

    Operation(BiConsumer<WordTrie, Integer> action) {
      this.action = action;
    }

    private static String word(int number) {
      StringBuilder letters = new StringBuilder();
      for (int rest = number; rest > 0; rest /= 26) {
        letters.append((char) ('a' + rest % 26));
      }
      return letters.append("x").toString();
    }

    private static String text(int number) {
      return word(number) + " and " + word(number + 1);
    }
  }

  /** Calls itself until the stack ends, and the action at each depth on the way back. */
  @SuppressWarnings("InfiniteRecursion") // until the stack ends
  private static void atEachDepth(Runnable action, int extra) {
    try {
      atEachDepth(action, extra + 1);
    } catch (StackOverflowError e) {
      try {
        action.run();
      } catch (StackOverflowError deeper) {
        // What it leaves behind is the test's question.
      }
      if (extra > 0) {
        throw e;
      }
    }
  }

  private static <T> T within(String what, Callable<T> work) throws Exception {
    FutureTask<T> task = new FutureTask<>(work);
    Thread thread = Thread.ofPlatform().daemon().name(what).start(task);
    try {
      return task.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
    } catch (TimeoutException e) {
      AssertionError hangs = new AssertionError(what + " does not end");
      hangs.setStackTrace(thread.getStackTrace());
      throw hangs;
    }
  }

  @ParameterizedTest
  @EnumSource
  void leavesTheTrieUsable(Operation operation) throws Exception {
    leavesUsable(operation, ROUNDS);
  }

  private static void leavesUsable(Operation operation, int rounds) throws Exception {
    // The operations meet classes that are not initialised yet, but their arguments do not: if an
    // initialiser of the JDK overflows the stack, its class fails for ever.
    String _ = Operation.text(1);
    for (int round = 0; round < rounds; round++) {
      WordTrie trie = WordTrie.create();
      AtomicInteger calls = new AtomicInteger();
      Runnable action = () -> operation.action.accept(trie, calls.getAndIncrement());
      // Interpreted, and compiled by what the rounds before did.
      Thread deep =
          new Thread(null, () -> atEachDepth(action, 0), "deep", (256 + 8L * round) << 10);
      deep.start();
      deep.join(TimeUnit.SECONDS.toMillis(PATIENCE_SECONDS));
      assertThat(deep.isAlive()).as("the thread that overflows ends").isFalse();
      assertThat(calls.get()).isGreaterThan(100);
      int made = calls.get();
      long counted =
          within(
              "adding the same words again",
              () -> {
                for (int number = 0; number <= made; number++) {
                  trie.addWord(Operation.word(number), 1);
                }
                return trie.count(Operation.word(0));
              });
      assertThat(counted).isPositive();
      within("growing and clearing", () -> trie.clear().add("whale"));
      assertThat(within("reading", trie::size)).isEqualTo(1);
      within(
          "closing",
          () -> {
            trie.close();
            return true;
          });
    }
  }

  /** All operations, in a process of their own. */
  static final class All {
    public static void main(String[] args) throws Exception {
      for (Operation operation : Operation.values()) {
        leavesUsable(operation, 2);
      }
      System.exit(0);
    }
  }

  /** Interpreted frames are large; a compiled check of the stack must ask for as much. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "-Xint",
        "-XX:TieredStopAtLevel=1",
        "-XX:CompileCommand=compileonly,dev.gyre.structures.StackReserve*::*"
      })
  void howeverTheCodeIsCompiled(String option) throws IOException, InterruptedException {
    String _ = ChildJvm.run(All.class, option);
  }
}
