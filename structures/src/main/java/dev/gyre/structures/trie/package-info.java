/**
 * The word trie: counts the words of texts.
 *
 * <h2>Failures</h2>
 *
 * <p>A trie that answers holds all that was added as a whole or not at all. There is one rule for
 * all that changes it, whether it fails for want of memory, which is a {@link
 * dev.gyre.atomics.MemoryExhaustedException}, or for another reason:
 *
 * <ul>
 *   <li>Short texts, of less than 16 KiB, words with a number of times, other tries, {@code
 *       retain}, {@code clear}, {@code trim} and {@code load} are done or not done: where one
 *       throws, all counts are as before, and it may be tried again. Nodes that were made for it
 *       may stay, and count nothing; {@code retain(1)} gives them back.
 *   <li>Longer texts, files, {@link dev.gyre.datasets.TextSource}s and memories are added piece by
 *       piece. Where one throws before the first piece is begun, all is as before. Where it throws
 *       later, a part of it is counted; as nobody can tell which, the trie refuses all that follows
 *       with a {@link dev.gyre.structures.StructureException}, but for {@code close}: counts that
 *       are wrong must not be taken for right ones. What it throws says of how many bytes all words
 *       are known to be counted, by whole pieces: in its message, and as a {@link java.lang.Long}
 *       by {@link dev.gyre.atomics.GyreException#soFar}.
 * </ul>
 *
 * <p>So what threw may be tried again on a trie that answers, and nothing is counted twice. What
 * was saved before is as it was. Where a long text may fail, save the trie first, or add texts to
 * another one and merge that by {@code addAll} when it is whole. What is saved, in whatever state
 * the trie may be asked for it, is loaded and equal.
 *
 * <h2>Interrupts</h2>
 *
 * <p>A thread that is interrupted before or while it adds a long text, of 16 KiB or more, a file, a
 * source or a memory, gets a {@link dev.gyre.kernels.LaunchCancelledException} and keeps its
 * interrupt status. If the first piece has not begun, the trie is as it was. If it has, the trie
 * refuses all that follows, as above. If all words were counted before the interrupt was noticed,
 * the call ends as usual. Short texts are added to their end by the calling thread, and questions
 * are answered. {@code load} and {@code save} of a file are cancelled in the same way, and leave
 * nothing behind.
 *
 * <h2>Who waits for whom</h2>
 *
 * <p>Those who add short texts and those who read run side by side. What has to be alone, such as a
 * long text, {@code save} or {@code addAll}, takes turns with the others, in the order in which
 * they come: none is kept waiting by others that come again and again. No action or listener of a
 * caller is called while others wait for it, so it may use this trie and others.
 *
 * <p>With a {@link dev.gyre.kernels.LauncherGroup}, each of its launchers counts pieces of a long
 * text for itself. The first question after that waits for long texts under way, and adds up what
 * all have counted, for which it may need memory as a text does; where it fails, nothing is lost,
 * and it may be asked again.
 */
@NullMarked
package dev.gyre.structures.trie;

import org.jspecify.annotations.NullMarked;
