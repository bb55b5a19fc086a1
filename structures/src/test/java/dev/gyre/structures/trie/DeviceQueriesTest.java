package dev.gyre.structures.trie;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gyre.atomics.MemoryRange;
import dev.gyre.kernels.ChainLink;
import dev.gyre.kernels.JvmLauncher;
import dev.gyre.kernels.LaunchCancelledException;
import dev.gyre.kernels.Launcher;
import dev.gyre.kernels.trie.Alphabet;
import dev.gyre.kernels.trie.NodeSize;
import dev.gyre.structures.ForwardingLauncher;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DeviceQueriesTest {

  /** Cancels all chains, with or without an interrupt. */
  private static final class Cancelling extends ForwardingLauncher {
    private final boolean interrupts;

    Cancelling(Launcher launcher, boolean interrupts) {
      super(launcher, deviceOnJvm(2));
      this.interrupts = interrupts;
    }

    @Override
    public void runChain(List<ChainLink> links, MemoryRange... back) {
      if (interrupts) {
        Thread.currentThread().interrupt();
      }
      throw new LaunchCancelledException("survey", device(), null);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void onlyAnInterruptSetsTheStatus(boolean interrupts) {
    try (TrieNodes nodes = new TrieNodes(Alphabet.ASCII_LETTERS, NodeSize.LARGE, 16);
        DeviceQueries queries = new DeviceQueries(nodes);
        JvmLauncher jvm = JvmLauncher.ofWorkers(2)) {
      Launcher cancelling = new Cancelling(jvm, interrupts);
      if (interrupts) {
        assertThat(queries.totals(cancelling, 1)).isEmpty();
      } else {
        assertThatThrownBy(() -> queries.totals(cancelling, 1))
            .isInstanceOf(LaunchCancelledException.class);
      }
      assertThat(Thread.interrupted()).isEqualTo(interrupts);
    }
  }
}
