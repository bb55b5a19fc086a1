package dev.gyre.structures;

import dev.gyre.structures.map.IntIntMap;
import dev.gyre.structures.map.LongLongMap;
import dev.gyre.structures.map.TextLongMap;
import dev.gyre.structures.sync.Barrier;
import dev.gyre.structures.sync.FairSemaphore;
import dev.gyre.structures.sync.Latch;
import dev.gyre.structures.trie.WordTrie;
import java.util.List;

/** The structures of this library, whose operations declare their progress class. */
public final class Structures {

  /** All of them. */
  public static final List<Class<?>> ALL =
      List.of(
          WordTrie.class,
          IntIntMap.class,
          LongLongMap.class,
          TextLongMap.class,
          Latch.class,
          Barrier.class,
          FairSemaphore.class);

  private Structures() {}
}
