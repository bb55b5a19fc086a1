package dev.gyre.structures.trie;

import dev.gyre.kernels.trie.TrieRef;
import dev.gyre.structures.OperationLock.Entry;
import dev.gyre.structures.launch.StructurePin;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Pin of a trie for a kernel of the user: no words are added meanwhile. */
final class TriePin extends StructurePin<TrieRef> {

  private final TrieNodes nodes;
  private final TrieLock guard;
  private final TrieGroup group;

  /** Entry that pins the trie. */
  private @Nullable Entry entry;

  /** Creates a pin that is not in use. */
  TriePin(TrieNodes nodes, TrieLock guard, TrieGroup group, long order) {
    super(order, "WordTrie", group.launcher());
    this.nodes = nodes;
    this.guard = guard;
    this.group = group;
  }

  @Override
  protected TrieRef enter(long lease) {
    Entry held = guard.enter();
    entry = held;
    try {
      nodes.sendTo(group.launcher());
      return new TrieRef(
          nodes.alphabet().letters(group.letters()),
          nodes.nodeSize().layout(),
          nodes.edges(),
          nodes.counts(),
          lease);
    } catch (RuntimeException | Error e) {
      held.close();
      throw e;
    }
  }

  @Override
  protected void leave(LaunchEnd ran) {
    Objects.requireNonNull(entry).close();
  }
}
