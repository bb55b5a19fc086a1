/**
 * The word trie, which counts the words of texts.
 *
 * <p>Start with {@link dev.gyre.structures.trie.WordTrie}.
 *
 * <h2>Failures</h2>
 *
 * <p>As long as a trie answers queries, it contains each addition as a whole or not at all. What a
 * failed operation leaves behind depends on the operation:
 *
 * <ul>
 *   <li>Texts shorter than 16 KiB, single words, {@code addAll}, {@code retain}, {@code clear},
 *       {@code trim} and {@code load} are all or nothing. If one of them throws, all counts are
 *       unchanged and the caller may repeat it. It may leave unused nodes, which {@code retain(1)}
 *       frees.
 *   <li>Longer texts, files, {@link dev.gyre.datasets.TextSource}s and memories are added in
 *       pieces. If one throws before the first piece begins, the trie is unchanged. If it throws
 *       later, an unknown part is counted. The trie then throws {@link
 *       dev.gyre.structures.StructureException} from every method except {@code close}, so that no
 *       wrong count is taken for a right one. The exception says how many bytes are known to be
 *       counted, in its message and by {@link dev.gyre.atomics.GyreException#soFar} as a {@link
 *       java.lang.Long}.
 * </ul>
 *
 * <p>If a trie still answers, a failed operation may be repeated without counting anything twice.
 * If a long text may fail, save the trie first. Alternatively, add texts to another trie and merge
 * it with {@code addAll} when it is complete.
 *
 * <h2>Interrupts</h2>
 *
 * <p>A thread that is interrupted before or while it adds a long text gets a {@link
 * dev.gyre.kernels.LaunchCancelledException} and keeps its interrupt status. A text is long if it
 * has 16 KiB or more, or is a file, a source or a memory. The trie is then as after any other
 * failure of a long text. If all words are counted when the interrupt is noticed, the call returns
 * normally. Interrupts do not end short texts and queries. An interrupted {@code load} or {@code
 * save} leaves nothing behind.
 *
 * <h2>Threads</h2>
 *
 * <p>Threads that add short texts and threads that read run at the same time. Exclusive operations,
 * such as a long text, {@code save} or {@code addAll}, take turns in the order in which they
 * arrive. No thread waits for a caller's action or listener, so that an action may use this trie
 * and others.
 *
 * <p>With a {@link dev.gyre.kernels.LauncherGroup}, each launcher counts its pieces of a long text
 * separately. The first query afterwards waits for running long texts and adds up the counts. This
 * may need as much memory as a text does. If it fails, nothing is lost and the query may be
 * repeated.
 */
@NullMarked
package dev.gyre.structures.trie;

import org.jspecify.annotations.NullMarked;
