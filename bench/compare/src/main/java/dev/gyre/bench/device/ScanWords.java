package dev.gyre.bench.device;

import dev.gyre.atomics.DeviceLongs;
import dev.gyre.kernels.Kernel;
import dev.gyre.kernels.LaunchShape;
import dev.gyre.kernels.trie.KernelText;
import dev.gyre.kernels.trie.Letters;
import dev.gyre.kernels.trie.TrieLayout;

/**
 * What {@link dev.gyre.kernels.trie.BuildTrie} cannot do without: finds the words of a text and
 * hashes their keys, and counts nothing.
 *
 * @param sum one long: the sum of the hashes is added there, so that none is left out
 */
record ScanWords(KernelText text, Letters letters, DeviceLongs sum) implements Kernel {

  private static final long HASH = 0x9E37_79B9_7F4A_7C15L;

  @Override
  public void run(int thread, LaunchShape shape) {
    int blockSize = shape.blockSize();
    int block = thread / blockSize;
    long chunks = KernelText.chunks(text.length());
    long begin = TrieLayout.stripBegin(block, shape.blocks(), chunks);
    long end = TrieLayout.stripBegin(block + 1L, shape.blocks(), chunks);
    long hashes = 0;
    for (long chunk = begin + thread % blockSize; chunk < end; chunk += blockSize) {
      int rest = letters.starts(text, chunk);
      while (rest != 0) {
        int start = rest & -rest;
        long at = chunk * KernelText.CHUNK + Integer.bitCount(start - 1);
        hashes += letters.keyAt(text, at) * HASH;
        rest ^= start;
      }
    }
    // Hardly ever: an atomic operation of each thread would be what is measured.
    if (hashes == HASH) {
      // relaxed: the end of the launch publishes it.
      long _ = sum.fetchAddRelaxed(0, hashes);
    }
  }
}
