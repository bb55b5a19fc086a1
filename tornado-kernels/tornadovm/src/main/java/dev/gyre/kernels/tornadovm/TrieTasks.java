package dev.gyre.kernels.tornadovm;

import dev.gyre.atomics.tornadovm.Handles;
import dev.gyre.kernels.trie.BuildTrie;
import dev.gyre.kernels.trie.BuildUnicodeTrie;
import dev.gyre.kernels.trie.TrieFunctions;
import dev.gyre.kernels.trie.UnicodeFunctions;
import java.util.List;
import uk.ac.manchester.tornado.api.KernelContext;
import uk.ac.manchester.tornado.api.types.arrays.LongArray;

/** The task methods of the word trie. */
public final class TrieTasks implements KernelBindings {

  @Override
  public List<KernelBinding> bindings() {
    return List.of(
        KernelBinding.of(BuildTrie.class, TrieTasks.class, "build"),
        KernelBinding.of(BuildUnicodeTrie.class, TrieTasks.class, "buildUnicode"));
  }

  static void build(
      KernelContext context,
      LongArray parameters,
      LongArray text,
      LongArray words,
      LongArray classes,
      LongArray edges,
      LongArray counts,
      LongArray bump,
      LongArray pending,
      LongArray progress,
      LongArray ended) {
    TrieFunctions.build(
        context.globalIdx,
        Parameters.threads(parameters),
        Handles.bytes(text),
        Parameters.scalar(parameters, 0),
        Handles.threadLongs(words),
        Parameters.scalar(parameters, 1),
        Handles.bytes(classes),
        (int) Parameters.scalar(parameters, 2),
        Handles.deviceInts(edges),
        Handles.deviceLongs(counts),
        Parameters.scalar(parameters, 3),
        Handles.deviceLongs(bump),
        Handles.threadLongs(pending),
        (int) Parameters.scalar(parameters, 4),
        Handles.threadLongs(progress),
        Handles.deviceLongs(ended),
        Parameters.scalar(parameters, 5));
    Parameters.end(context, parameters);
  }

  static void buildUnicode(
      KernelContext context,
      LongArray parameters,
      LongArray text,
      LongArray words,
      LongArray table,
      LongArray edges,
      LongArray counts,
      LongArray bump,
      LongArray pending,
      LongArray progress,
      LongArray ended) {
    UnicodeFunctions.build(
        context.globalIdx,
        Parameters.threads(parameters),
        Handles.bytes(text),
        Parameters.scalar(parameters, 0),
        Handles.threadLongs(words),
        Parameters.scalar(parameters, 1),
        Handles.threadInts(table),
        Handles.deviceInts(edges),
        Handles.deviceLongs(counts),
        Parameters.scalar(parameters, 2),
        Handles.deviceLongs(bump),
        Handles.threadLongs(pending),
        (int) Parameters.scalar(parameters, 3),
        Handles.threadLongs(progress),
        Handles.deviceLongs(ended),
        Parameters.scalar(parameters, 4));
    Parameters.end(context, parameters);
  }
}
