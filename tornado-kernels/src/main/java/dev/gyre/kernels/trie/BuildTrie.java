package dev.gyre.kernels.trie;

import dev.gyre.atomics.Block;
import dev.gyre.atomics.Bytes;
import dev.gyre.atomics.DeviceInts;
import dev.gyre.atomics.DeviceLongs;
import dev.gyre.kernels.Kernel;
import dev.gyre.kernels.LaunchShape;

/**
 * Kernel that adds the words of a text to a trie.
 *
 * <p>Each block counts the words of a part of the text in shared memory, and adds the counts to the
 * trie at its end; see {@link BlockWords}. Each thread takes every n-th chunk of that part, so that
 * threads that run together read neighbouring memory.
 *
 * <p>If there is no node for a word, because the pool is exhausted or another thread does not
 * publish it, the word is noted and not counted, and the thread goes on. A further launch counts
 * the noted words only.
 *
 * @param letters letters of the text
 * @param trie the trie
 * @param words words of a block
 * @param left an int per {@linkplain KernelText#chunks chunk}: the bytes at which words begin that
 *     were not counted, the first in the lowest bit
 * @param again whether to count only the words in {@code left}; otherwise all words, whatever it
 *     contains
 * @param ended {@link TrieLayout#ENDED_LONGS} longs, to which the number of blocks that {@link
 *     TrieLayout#RUN} and of threads whose nodes were FULL or STUCK are added, by {@link
 *     TrieLayout#ended}
 * @since 0.1.0
 */
public record BuildTrie(
    KernelText text,
    Letters letters,
    TrieEdges trie,
    BlockWords words,
    DeviceInts left,
    boolean again,
    DeviceLongs ended)
    implements Kernel {

  /** Largest number of chunks of an epoch, as a power of two: counts of words are ints. */
  private static final int EPOCH_SHIFT = 24;

  private static final int FULL = 1;
  private static final int STUCK = 2;

  @Override
  public void run(int thread, LaunchShape shape) {
    int blockSize = shape.blockSize();
    int block = thread / blockSize;
    int own = thread - block * blockSize;
    words.clear(own, blockSize);
    Block.barrier();
    long chunks = KernelText.chunks(text.length());
    long begin = TrieLayout.stripBegin(block, shape.blocks(), chunks);
    long end = TrieLayout.stripBegin(block + 1L, shape.blocks(), chunks);
    int refused = 0;
    int round = 1;
    for (long from = begin; from < end; from += blockSize) {
      int starts = 0;
      if (from + own < end) {
        starts = starts(from + own);
        // plain: only other threads of the block, after barriers, or the next launch read it.
        left.set(from + own, count(from + own, starts, round));
      }
      Block.barrier();
      long to = Math.min(from + blockSize, end);
      int over = words.crowded(round) | (to == end ? 1 : 0) | (again ? 1 : 0);
      if (over + ((to - begin) >> EPOCH_SHIFT) > 0) {
        words.find(own, blockSize, trie);
        Block.barrier();
        int worst = words.add(own, blockSize, round, trie);
        worst = Math.min(worst, addNoted(begin + own, to, own, blockSize));
        refused |= refusal(worst);
        Block.barrier();
        if (words.hasFailed(round)) {
          leave(begin + own, to, blockSize, starts);
        }
        if (own == 0) {
          words.begin();
        }
        Block.barrier();
        begin = to;
      }
      round++;
    }
    if (own == 0) {
      end(block, TrieLayout.RUN);
    }
    if ((refused & FULL) != 0) {
      end(thread, TrieLayout.FULL);
    }
    if ((refused & STUCK) != 0) {
      end(thread, TrieLayout.STUCK);
    }
  }

  private static int refusal(int node) {
    int refused = node == TrieEdges.OVERFLOW ? FULL : STUCK;
    return node > 0 ? 0 : refused;
  }

  private void end(int who, long outcome) {
    // relaxed: the end of the launch publishes it.
    long _ = ended.fetchAddRelaxed(TrieLayout.ended(who, outcome), 1);
  }

  /** Returns the bytes of a chunk at which words to count begin. */
  private int starts(long chunk) {
    int starts = 0;
    if (again) {
      starts = left.get(chunk);
    } else {
      starts = letters.starts(text, chunk);
    }
    return starts;
  }

  /** Counts the words of a chunk; returns the beginnings of words that were noted instead. */
  private int count(long chunk, int starts, int round) {
    int rest = starts;
    int noted = 0;
    while (rest != 0) {
      int start = rest & -rest;
      long at = chunk * KernelText.CHUNK + Integer.bitCount(start - 1);
      int slot = words.slot(letters.keyAt(text, at), round);
      if (slot >= 0) {
        words.count(slot);
      } else {
        words.note(at);
      }
      noted |= start & (slot >> 31);
      rest ^= start;
    }
    return noted;
  }

  /**
   * Adds noted words to the trie: the words in the list or, if it is incomplete, the words of
   * {@code left}, chunk by chunk.
   *
   * @return the least of their nodes, such as RESERVED or OVERFLOW; more if all have nodes
   */
  private int addNoted(long chunk, long end, int own, int blockSize) {
    int worst = 1;
    int noted = words.noted();
    if (noted <= words.places()) {
      for (int place = own; place < noted; place += blockSize) {
        long at = words.noted(place);
        int node = addOne(at);
        if (node > 0) {
          // relaxed: read after a barrier, or by the next launch.
          int _ =
              left.fetchAndRelaxed(at / KernelText.CHUNK, ~(1 << (int) (at % KernelText.CHUNK)));
        }
        worst = Math.min(worst, node);
      }
    } else {
      for (long each = chunk; each < end; each += blockSize) {
        int rest = left.get(each);
        int without = 0;
        while (rest != 0) {
          int start = rest & -rest;
          int node = addOne(each * KernelText.CHUNK + Integer.bitCount(start - 1));
          without |= node > 0 ? 0 : start;
          worst = Math.min(worst, node);
          rest ^= start;
        }
        left.set(each, without);
      }
    }
    return worst;
  }

  /** Adds the word that begins at a byte to the trie; returns its node, or RESERVED or OVERFLOW. */
  private int addOne(long at) {
    Bytes bytes = text.bytes();
    long end = TrieEdges.wordEnd(bytes, at, text.length(), letters);
    int node = trie.walk(bytes, at, end, letters);
    if (node > 0) {
      trie.count(node, 1);
    }
    return node;
  }

  /** Notes the words of chunks that were counted in slots and have no nodes. */
  private void leave(long chunk, long end, int blockSize, int starts) {
    for (long each = chunk; each < end; each += blockSize) {
      int rest = starts;
      if (!again) {
        rest = letters.starts(text, each);
      }
      int without = left.get(each);
      while (rest != 0) {
        int start = rest & -rest;
        long at = each * KernelText.CHUNK + Integer.bitCount(start - 1);
        without |= start & words.lost(letters.keyAt(text, at));
        rest ^= start;
      }
      left.set(each, without);
    }
  }
}
