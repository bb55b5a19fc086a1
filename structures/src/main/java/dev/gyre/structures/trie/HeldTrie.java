package dev.gyre.structures.trie;

import dev.gyre.kernels.Launcher;
import dev.gyre.kernels.trie.TrieRef;
import dev.gyre.structures.OperationLock.Entry;
import dev.gyre.structures.launch.Held;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A trie while a kernel of the user's reads it: nobody adds words, nor moves the trie. */
final class HeldTrie extends Held<TrieRef> {

  private final TrieNodes nodes;
  private final TrieGuard guard;
  private final TrieTexts texts;
  private final long order;
  private final Consumer<Launcher> mover;

  /** By which the trie is held. */
  private @Nullable Entry entry;

  /**
   * One that holds nothing yet.
   *
   * @param mover has another launcher work for the trie, with nobody else there
   */
  HeldTrie(
      TrieNodes nodes, TrieGuard guard, TrieTexts texts, long order, Consumer<Launcher> mover) {
    this.nodes = nodes;
    this.guard = guard;
    this.texts = texts;
    this.order = order;
    this.mover = mover;
  }

  @Override
  protected long order() {
    return order;
  }

  @Override
  protected String name() {
    return "WordTrie";
  }

  @Override
  protected Launcher launcher() {
    return texts.launcher();
  }

  /** It is held from here on, as it cannot be kept where it is and be changed meanwhile. */
  @Override
  protected void stayOn(Launcher launcher) {
    entry = guard.enter();
    try {
      if (!isOn(launcher)) {
        nodes.bringHome();
        nodes.hostChanges();
        mover.accept(launcher);
      }
    } catch (RuntimeException | Error e) {
      letGo();
      throw e;
    }
  }

  @Override
  protected boolean stayIfOn(Launcher launcher) {
    entry = guard.enter();
    boolean stays = isOn(launcher);
    if (!stays) {
      letGo();
    }
    return stays;
  }

  private boolean isOn(Launcher launcher) {
    return texts.launcher().equals(launcher);
  }

  @Override
  protected void letGo() {
    Objects.requireNonNull(entry).close();
  }

  @Override
  protected TrieRef enter(long lease) {
    nodes.sendTo(texts.launcher());
    return new TrieRef(
        nodes.alphabet().letters(texts.letters()),
        nodes.nodeSize().layout(),
        nodes.edges(),
        nodes.counts(),
        lease);
  }

  @Override
  protected void leave(Ran ran) {}

  /** Nothing is added. */
  @Override
  protected boolean makeRoom(long launches) {
    return false;
  }
}
