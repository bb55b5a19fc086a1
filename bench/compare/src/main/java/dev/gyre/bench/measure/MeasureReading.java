package dev.gyre.bench.measure;

import dev.gyre.atomics.Memory;
import dev.gyre.datasets.ZipfText;
import dev.gyre.kernels.Launcher;
import dev.gyre.kernels.Launchers;
import dev.gyre.kernels.MemoryKind;
import dev.gyre.kernels.MemoryKindException;
import dev.gyre.kernels.Target;
import dev.gyre.kernels.trie.NodeSize;
import dev.gyre.structures.trie.WordTrie;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Path;
import java.util.Locale;
import java.util.function.Consumer;

/**
 * Times what is asked of a word trie after a text was counted, and the count itself: {@code
 * MeasureReading target=ptx text=FILE runs=21 nodes=large}, or with nodes that are small. Each
 * question is the first one after a count.
 */
public final class MeasureReading {

  private final Launcher launcher;
  private final WordTrie trie;
  private final Memory text;
  private final CallTimer timer;
  private long met;

  private MeasureReading(Launcher launcher, WordTrie trie, Memory text, CallTimer timer) {
    this.launcher = launcher;
    this.trie = trie;
    this.text = text;
    this.timer = timer;
  }

  /** Prints a line for each: what, median and least milliseconds, and GB/s of the text. */
  public static void main(String[] args) throws IOException {
    Arguments arguments = new Arguments(args);
    Target target = Target.ofLabel(arguments.text("target", "jvm"));
    NodeSize size = NodeSize.valueOf(arguments.text("nodes", "large").toUpperCase(Locale.ROOT));
    CallTimer timer = new CallTimer(arguments.number("runs", 11));
    try (Launcher launcher = Launchers.open(target);
        Memory text = text(arguments.text("text", ""));
        WordTrie trie = WordTrie.builder().launcher(launcher).nodeSize(size).build()) {
      System.out.println("@device " + launcher.device().name());
      MeasureReading measure = new MeasureReading(launcher, trie, text, timer);
      measure.count();
      System.out.println("@words " + trie.size() + " distinct, " + trie.nodes() + " nodes");
      measure.all();
    }
  }

  private static Memory text(String file) throws IOException {
    if (file.isEmpty()) {
      Memory sample = Memory.ofBytes(ZipfText.SAMPLE_BYTES);
      sample.segment().copyFrom(MemorySegment.ofArray(ZipfText.sample()));
      return sample;
    }
    try (FileChannel channel = FileChannel.open(Path.of(file));
        Arena arena = Arena.ofConfined()) {
      Memory all = Memory.ofBytes(channel.size());
      all.segment().copyFrom(channel.map(MapMode.READ_ONLY, 0, channel.size(), arena));
      return all;
    }
  }

  private void count() {
    trie.clear();
    trie.add(text, text.byteSize());
  }

  private void all() {
    timer.time("count", text.byteSize(), this::count);
    pinned();
    ask("top(10)", asked -> met += asked.top(10).size());
    ask("top(1000)", asked -> met += asked.top(1000).size());
    ask("top(\"t\", 10)", asked -> met += asked.top("t", 10).size());
    ask("total", asked -> met += asked.total());
    ask("total(\"t\")", asked -> met += asked.total("t"));
    ask("forEach", asked -> asked.forEach(word -> met += word.word().length()));
    ask("forEach of \"t\"", asked -> asked.forEach("t", word -> met += word.word().length()));
    ask("count of a word", asked -> met += asked.count("the"));
  }

  private void pinned() {
    try (Memory own = launcher.memory(MemoryKind.PINNED, text.byteSize())) {
      own.segment().copyFrom(text.segment());
      timer.time(
          "count from pinned memory",
          text.byteSize(),
          () -> {
            WordTrie _ = trie.clear().add(own, own.byteSize());
          });
    } catch (MemoryKindException e) {
      System.out.println(e.getMessage());
    }
  }

  private void ask(String what, Consumer<WordTrie> question) {
    timer.time(
        what,
        0,
        new CallTimer.Call() {
          @Override
          public void before() {
            count();
          }

          @Override
          public void run() {
            question.accept(trie);
          }
        });
  }
}
