/**
 * The word trie: counts the words of texts.
 *
 * <h2>Interrupts</h2>
 *
 * <p>A thread that is interrupted while it adds a long text, of 16 KiB or more, a file or a memory,
 * gets a {@link dev.gyre.kernels.LaunchCancelledException}, and keeps its status. Which words of
 * the text are counted is then not known, so the trie refuses all that follows with a {@link
 * dev.gyre.structures.StructureException}, but for {@code close}: counts that are wrong must not be
 * taken for right ones. What was saved before is as it was. Where a thread may be interrupted, save
 * the trie first, or add texts to another one and merge that by {@code addAll} when it is whole.
 *
 * <p>Short texts are added by the thread that calls, to their end, and so are questions answered;
 * an interrupt that comes meanwhile is kept for later.
 */
@NullMarked
package dev.gyre.structures.trie;

import org.jspecify.annotations.NullMarked;
