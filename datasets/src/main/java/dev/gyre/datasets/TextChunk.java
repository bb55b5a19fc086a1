package dev.gyre.datasets;

import dev.gyre.atomics.Memory;

/**
 * A piece of a text that neither begins nor ends inside a word.
 *
 * <p>The memory belongs to the {@link TextChunks} that gave it: it holds the text only until the
 * next call of {@link TextChunks#next}, may then be used again for another chunk, and must not be
 * closed or written.
 *
 * @param memory holds the text from its first byte on
 * @param length bytes of text; what follows in the memory is no part of it
 * @param sourceBytes bytes of the source in it: the length less the newlines put between files
 */
public record TextChunk(Memory memory, long length, long sourceBytes) {}
