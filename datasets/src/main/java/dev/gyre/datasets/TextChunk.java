package dev.gyre.datasets;

import dev.gyre.atomics.Memory;

/**
 * Piece of a text that neither begins nor ends within a word.
 *
 * <p>The memory belongs to the {@link TextChunks} that returned it. It is valid until the next call
 * of {@link TextChunks#next}, and must not be closed or written.
 *
 * @param memory memory that begins with the text
 * @param length length of the text, in bytes
 * @param sourceBytes bytes of the source in it: the length without newlines that were inserted
 *     between files
 * @since 0.1.0
 */
public record TextChunk(Memory memory, long length, long sourceBytes) {}
