package dev.gyre.bench.cli;

import dev.gyre.datasets.TextSource;
import dev.gyre.kernels.Launcher;
import dev.gyre.kernels.Launchers.Work;
import dev.gyre.kernels.Target;
import dev.gyre.kernels.trie.Alphabet;
import dev.gyre.kernels.trie.NodeSize;
import dev.gyre.structures.trie.WordTrie;
import dev.gyre.structures.trie.WordTrieBuilder;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code gyre wordcount}: counts the words of files with a {@link WordTrie}. */
@Command(
    name = "wordcount",
    description = "Counts words, which are runs of letters; case is ignored.",
    mixinStandardHelpOptions = true,
    footer = {
      "",
      "A word is a run of letters; nothing else joins them: don't is don and t, "
          + "well-known is well and known. With ascii, letters outside a to z also "
          + "separate words; standard error reports how many words they cut.",
      "Texts are UTF-8, or gzip of UTF-8, whatever the name of the file; bytes=N "
          + "counts the unpacked text. Zip archives and UTF-16 are bad input.",
      "Without files, a generated sample text is counted.",
      "Books are downloaded once, and then cached.",
      "The last line is words=N distinct=N nodes=N bytes=N target=T seconds=S.",
      UserCommand.EXIT_CODES
    })
final class WordCountCommand extends UserCommand implements Callable<Integer> {

  /** Capacity for the words of many books, so that a device need not stop for more. */
  private static final long DEVICE_NODES = 1 << 18;

  @Mixin private WordSources sources = new WordSources();

  @Mixin private WordViews views = new WordViews();

  @Mixin private DeviceOptions where = new DeviceOptions();

  @Option(
      names = "--alphabet",
      paramLabel = "ascii|unicode",
      description =
          "Letters of words: a to z (ascii, the default), or all letters of Unicode with the"
              + " combining marks after them. Case is folded letter by letter: σίσυφος is printed"
              + " as σίσυφοσ.")
  private String alphabet = Alphabet.ASCII_LETTERS.label();

  @Option(
      names = "--threads",
      paramLabel = "N",
      description =
          "Number of device threads, each with a strip of the text; by default as suits the"
              + " device.")
  private @Nullable Integer threads;

  @Option(names = "--small-nodes", description = "Count in about half of the memory.")
  private boolean smallNodes;

  @Override
  public Integer call() {
    Target chosen = validate();
    Alphabet letters = letters();
    views.validate();
    try (WordTrie left = views.stopwords(letters);
        Launcher device = where.open(chosen);
        Profile _ = where.profile(device);
        WordTrie trie = trie(device, letters)) {
      TextSource text = sources.open(views.quiet(), views::requireNotRead);
      TextNotes notes = views.quiet() ? null : new TextNotes(letters, chosen);
      text = notes == null ? text : notes.watch(text);
      long start = System.nanoTime();
      long bytes = count(trie, text);
      double seconds = (System.nanoTime() - start) / 1e9;
      if (notes != null) {
        notes.print(line().getCommandSpec().qualifiedName(), err());
      }
      views.show(trie, left, WordSummary.of(trie, bytes, chosen.label(), seconds));
    }
    return Gyre.OK;
  }

  private Target validate() {
    if (threads != null && (threads < 1 || threads > WordTrie.MAX_DEVICE_THREADS)) {
      throw usage(
          "--threads must be from 1 to " + WordTrie.MAX_DEVICE_THREADS + ", not " + threads);
    }
    return where.resolve(views.quiet(), Work.TEXT, sources.bytes());
  }

  private Alphabet letters() {
    try {
      return Alphabet.ofLabel(alphabet);
    } catch (IllegalArgumentException e) {
      throw usage("--alphabet: " + e.getMessage());
    }
  }

  private WordTrie trie(Launcher device, Alphabet letters) {
    WordTrieBuilder builder = WordTrie.builder().alphabet(letters);
    boolean onJvm = device.device().target() == Target.JVM;
    if (!onJvm) {
      builder.launcher(device).initialNodes(DEVICE_NODES);
    }
    if (smallNodes) {
      builder.nodeSize(NodeSize.SMALL);
    }
    if (threads != null) {
      builder.deviceThreads(threads);
      if (onJvm) {
        builder.workers(Math.min(threads, Runtime.getRuntime().availableProcessors()));
      }
    }
    return builder.build();
  }

  private long count(WordTrie trie, TextSource text) {
    try (ProgressBar bar = bar("counting", views.quiet())) {
      return trie.add(text, bar);
    }
  }
}
