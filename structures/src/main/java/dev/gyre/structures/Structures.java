package dev.gyre.structures;

import dev.gyre.structures.group.GroupBy;
import dev.gyre.structures.map.IntIntMap;
import dev.gyre.structures.map.IntLongMap;
import dev.gyre.structures.map.IntSet;
import dev.gyre.structures.map.LongIntMap;
import dev.gyre.structures.map.LongLongMap;
import dev.gyre.structures.map.LongSet;
import dev.gyre.structures.map.RecordMap;
import dev.gyre.structures.map.TextLongMap;
import dev.gyre.structures.map.TextSet;
import dev.gyre.structures.sync.Barrier;
import dev.gyre.structures.sync.FairSemaphore;
import dev.gyre.structures.sync.Latch;
import dev.gyre.structures.trie.WordTrie;
import java.util.List;

/**
 * Lists the structures of this library whose operations declare a progress class.
 *
 * @since 0.1.0
 */
public final class Structures {

  /** All structures. */
  public static final List<Class<?>> ALL =
      List.of(
          WordTrie.class,
          IntIntMap.class,
          LongLongMap.class,
          IntLongMap.class,
          LongIntMap.class,
          TextLongMap.class,
          RecordMap.class,
          IntSet.class,
          LongSet.class,
          TextSet.class,
          GroupBy.class,
          Latch.class,
          Barrier.class,
          FairSemaphore.class);

  private Structures() {}
}
