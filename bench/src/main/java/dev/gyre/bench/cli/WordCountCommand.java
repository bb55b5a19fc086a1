package dev.gyre.bench.cli;

import dev.gyre.datasets.ByteProgress;
import dev.gyre.datasets.TextChunks;
import dev.gyre.datasets.TextFiles;
import dev.gyre.datasets.TextSource;
import dev.gyre.datasets.ZipfText;
import dev.gyre.kernels.Launcher;
import dev.gyre.kernels.Launchers;
import dev.gyre.kernels.Target;
import dev.gyre.structures.trie.WordTrie;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code gyre wordcount}: counts the words of files with a {@link WordTrie}. */
@Command(
    name = "wordcount",
    description = "Counts words: runs of ASCII letters, upper and lower case the same.",
    mixinStandardHelpOptions = true,
    footer = {
      "",
      "Without files, a generated sample text is counted.",
      "The last line is words=N distinct=N nodes=N bytes=N target=T seconds=S.",
      "Exit codes: 0 done; 2 bad usage or bad input; 1 anything else."
    })
final class WordCountCommand implements Callable<Integer> {

  private static final String AUTO = "auto";
  private static final int DEFAULT_TOP = 10;

  /** A device is kept busy with this much text at a time. */
  private static final long DEVICE_CHUNK_BYTES = 1 << 26;

  /** Room for the words of many books, so that a device need not stop for more. */
  private static final long DEVICE_NODES = 1 << 18;

  @Spec private @Nullable CommandSpec spec;

  @Parameters(
      paramLabel = "FILE|DIR",
      description = "Files to count, folders for the files in them, or - for standard input.")
  private List<String> arguments = List.of();

  @Option(
      names = "--target",
      paramLabel = "auto|jvm|opencl|ptx",
      description = "Where to count; by default auto.")
  private String target = AUTO;

  @Option(
      names = "--threads",
      paramLabel = "N",
      description = "Device threads, each with a strip of the text; by default what suits.")
  private @Nullable Integer threads;

  @Option(
      names = "--top",
      paramLabel = "N",
      description = "How many of the most frequent words to print; by default " + DEFAULT_TOP + ".")
  private int top = DEFAULT_TOP;

  @Option(
      names = "--csv",
      paramLabel = "FILE",
      description = "Write every word and its count, in byte order.")
  private @Nullable Path csv;

  @Option(names = "--quiet", description = "Print the last line only.")
  private boolean quiet;

  @Override
  public Integer call() {
    Target chosen = validate();
    TextSource text = source();
    try (Launcher device = Launchers.open(chosen);
        WordTrie trie = trie(device)) {
      long start = System.nanoTime();
      long bytes = count(trie, text, chunkBytes(chosen));
      double seconds = (System.nanoTime() - start) / 1e9;
      if (csv != null) {
        WordCsv.write(trie, csv);
      }
      report(trie, bytes, chosen, seconds);
    }
    return Gyre.OK;
  }

  private Target validate() {
    if (threads != null && (threads < 1 || threads > WordTrie.MAX_DEVICE_THREADS)) {
      throw usage(
          "--threads must be from 1 to " + WordTrie.MAX_DEVICE_THREADS + ", not " + threads);
    }
    if (top < 0) {
      throw usage("--top must not be negative: " + top);
    }
    if (csv != null) {
      WordCsv.requireWritable(csv);
    }
    if (target.equals(AUTO)) {
      return Target.ofLabel(System.getProperty("gyre.target", Target.JVM.label()));
    }
    Target named;
    try {
      named = Target.ofLabel(target);
    } catch (IllegalArgumentException e) {
      throw usage("--target: " + e.getMessage() + ", auto");
    }
    return named;
  }

  private TextSource source() {
    if (arguments.isEmpty()) {
      return TextSource.ofMemory(java.lang.foreign.MemorySegment.ofArray(ZipfText.sample()));
    }
    if (arguments.equals(List.of("-"))) {
      return TextSource.ofStream("standard input", System.in);
    }
    return TextSource.ofFiles(TextFiles.resolve(arguments));
  }

  private WordTrie trie(Launcher device) {
    WordTrie.Builder builder = WordTrie.builder();
    if (device.device().target() != Target.JVM) {
      builder.launcher(device).initialNodes(DEVICE_NODES);
    }
    if (threads != null) {
      builder.deviceThreads(threads);
      builder.workers(Math.min(threads, Runtime.getRuntime().availableProcessors()));
    }
    return builder.build();
  }

  private static long chunkBytes(Target where) {
    return where == Target.JVM ? TextChunks.DEFAULT_CHUNK_BYTES : DEVICE_CHUNK_BYTES;
  }

  private long count(WordTrie trie, TextSource text, long chunkBytes) {
    if (quiet || !Boolean.getBoolean("gyre.terminal")) {
      return trie.add(text, chunkBytes, ByteProgress.NONE);
    }
    try (ProgressBar bar = new ProgressBar(command().commandLine().getErr(), "counting")) {
      return trie.add(text, chunkBytes, bar);
    }
  }

  private void report(WordTrie trie, long bytes, Target where, double seconds) {
    PrintWriter out = command().commandLine().getOut();
    if (!quiet && top > 0) {
      WordTable.print(out, trie.top(top), trie.total());
    }
    out.printf(
        Locale.ROOT,
        "words=%d distinct=%d nodes=%d bytes=%d target=%s seconds=%.3f%n",
        trie.total(),
        trie.size(),
        trie.nodes(),
        bytes,
        where.label(),
        seconds);
  }

  private ParameterException usage(String problem) {
    return new ParameterException(command().commandLine(), problem);
  }

  private CommandSpec command() {
    return Objects.requireNonNull(spec);
  }
}
