package dev.gyre.structures;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gyre.datasets.generators.ZipfText;
import dev.gyre.kernels.JvmLauncher;
import dev.gyre.kernels.Launcher;
import dev.gyre.kernels.Stage;
import dev.gyre.structures.trie.WordCount;
import dev.gyre.structures.trie.WordTrie;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Structures in chains of stages, on every target; the example of docs/streams.md. */
@ConformanceSuite
class StagesTest {

  @Test
  void twoTextsAreCountedAtOnceAndMerged() {
    String text = new String(ZipfText.sample(), StandardCharsets.US_ASCII);
    int half = text.indexOf(' ', text.length() / 2);
    List<WordCount> expected;
    try (WordTrie whole = WordTrie.create()) {
      expected = whole.add(text).top(10);
    }
    try (JvmLauncher jvm = JvmLauncher.create()) {
      Launcher device = TargetUnderTest.device();
      Launcher gpu = device == null ? jvm : device;
      try (WordTrie one = WordTrie.builder().launcher(gpu).build();
          WordTrie other = WordTrie.builder().launcher(jvm).build()) {
        List<WordCount> top =
            Stage.whenAll(
                    Stage.schedule(gpu).then(_ -> one.add(text.substring(0, half))),
                    Stage.schedule(jvm).then(_ -> other.add(text.substring(half))))
                .then(tries -> tries.getLast().addAll(tries.getFirst()))
                .then(all -> all.top(10))
                .join();
        assertThat(top).isEqualTo(expected);
      }
    }
  }
}
