package dev.gyre.structures;

/**
 * Statistics of a map, a set or a trie.
 *
 * <p>A <em>probe</em> is the number of places that a search for a present key reads: slots of a map
 * or set, nodes of a trie. Long probes make searches slow. In a map, {@code rehash} to a larger
 * capacity shortens them; if they stay long at a low load, the hash is unsuitable for the keys.
 *
 * <p>The probes of a large structure are measured on a sample of its keys. The longest probe of all
 * keys may then be longer.
 *
 * @param size number of keys; of a trie, of distinct words
 * @param capacity number of keys that fit before a map or set grows; of a trie, number of nodes
 * @param load share of the slots or nodes that are in use, from 0 to 1; slots of removed keys are
 *     in use until the table is rebuilt
 * @param bytes off-heap bytes, as {@code byteSize()} returns them
 * @param meanProbe mean probe of the measured keys; 0 if there are none
 * @param longestProbe longest probe of the measured keys; 0 if there are none
 * @param measured number of keys whose probe was measured
 * @since 0.1.0
 */
public record StructureStats(
    long size,
    long capacity,
    double load,
    long bytes,
    double meanProbe,
    long longestProbe,
    long measured) {}
