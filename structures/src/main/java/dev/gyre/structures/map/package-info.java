/**
 * Insert-only hash maps with bulk operations: {@link dev.gyre.structures.map.IntIntMap}, {@link
 * dev.gyre.structures.map.LongLongMap}, {@link dev.gyre.structures.map.TextLongMap} and, with keys
 * and values that are records of numbers, {@link dev.gyre.structures.map.RecordMap}; and sets,
 * {@link dev.gyre.structures.map.IntSet}, {@link dev.gyre.structures.map.LongSet} and {@link
 * dev.gyre.structures.map.TextSet}, of which all holds that is said of the keys of maps.
 *
 * <p>What all have in common:
 *
 * <ul>
 *   <li>Every int or long is legal, as key and as value. Keys stay once they are in; only {@code
 *       clear} takes them out.
 *   <li>A bulk operation takes many keys and works on them with all threads of the map. It returns
 *       sums of outcomes, and where {@link dev.gyre.structures.map.BulkOptions} ask for it, an
 *       outcome per key. Of equal keys in one operation exactly one is INSERTED.
 *   <li>Maps are thread-safe; operations of several threads run side by side. A map grows between
 *       the steps of a bulk insert, unless its capacity is fixed: then keys for which there is no
 *       room are FULL, and nothing else happens to them.
 *   <li>Operations that cannot run side by side, such as an insert and {@code retrieveAll}, take
 *       turns: none is kept waiting by others that begin after it.
 *   <li>An operation that fails leaves the map with the keys that it has put in, which {@code size}
 *       counts, and takes no room with it. What a bulk insert throws says how many of its keys are
 *       known to be done, if it is a {@link dev.gyre.atomics.GyreException}: in its message, and as
 *       {@link dev.gyre.structures.map.InsertCounts} by {@link
 *       dev.gyre.atomics.GyreException#soFar}; the rest may be in the map or not, with their values
 *       or not. {@code countWords} tells the number of words so, as a {@link java.lang.Long}.
 *   <li>Operations on single keys run on the thread that calls. They are linearizable among
 *       themselves, also while the map grows; reads wait for nobody, but for those of records. What
 *       a thread did before it put a key in, or changed a value, is seen by who reads that. On a
 *       device each is a launch; what {@code merge} returns there is looked up after its update.
 *   <li>A map is saved to a file, and loaded by mapping that; a file in which a byte was changed is
 *       refused with a {@link dev.gyre.structures.SavedFileException}.
 *   <li>Memory is off-heap, so a map must be closed. Use after close is a {@link
 *       dev.gyre.atomics.ClosedException}, too little memory a {@link
 *       dev.gyre.atomics.MemoryExhaustedException}, a wrong argument an {@link
 *       java.lang.IllegalArgumentException} or {@link java.lang.NullPointerException}; the map is
 *       then as it was. A segment whose arena was closed is such an argument, too. If it is closed
 *       after the operation has begun, or only values that are found were to go there, keys may be
 *       in the map.
 *   <li>A map keeps scratch memory for its largest bulk operation so far, at most half the size of
 *       its table or a few megabytes. For an insert of keys that lie on a GPU it keeps 16 bytes per
 *       key there, if the insert was partitioned; where there are not as many bytes, it does not.
 * </ul>
 *
 * <h2>What users write</h2>
 *
 * <p>Records of handles and numbers that implement an interface of {@code dev.gyre.kernels.map} are
 * compiled into the operations, on every target; anything else, such as a lambda, is refused with a
 * {@link dev.gyre.kernels.KernelException} before anything is done.
 *
 * <ul>
 *   <li>{@link dev.gyre.kernels.map.Fold}: what {@code insertOrApply} and {@code merge} make of the
 *       value present and the one that comes, beside what {@link dev.gyre.structures.map.Apply}
 *       has.
 *   <li>{@link dev.gyre.kernels.map.EntryPredicate}, or {@link dev.gyre.kernels.map.TextPredicate}:
 *       which keys an operation takes ({@code insertIf}, {@code findIf}, {@code retrieveIf}, and
 *       every other bulk operation by its options).
 *   <li>{@link dev.gyre.kernels.map.EntryVisitor}, or {@link dev.gyre.kernels.map.TextVisitor}:
 *       what {@code visit} does with each entry, by many threads where the map is.
 *   <li>{@link dev.gyre.kernels.map.Hash}: another hash of numbers than ours ({@link
 *       dev.gyre.structures.map.MapBuilder#hash}). Files note it. Of texts, {@link
 *       dev.gyre.kernels.map.TextHash}, which may also say that texts are one key whose bytes are
 *       not the same; of records, {@link dev.gyre.kernels.map.RecordHash} and {@link
 *       dev.gyre.kernels.map.RecordEquality} ({@link dev.gyre.structures.map.RecordSchema}), and
 *       {@link dev.gyre.kernels.map.RealFold} for columns of floats and doubles.
 * </ul>
 *
 * <h2>Interrupts</h2>
 *
 * <p>A thread that is interrupted in a bulk operation that several workers do, or before a device
 * has begun it, gets a {@link dev.gyre.kernels.LaunchCancelledException}, and keeps its status. Of
 * an insert some keys are then in the map, each with its value and as often as it says, and the map
 * is as good as before: the same insert can be done again. {@code insertOrApply} with ADD cannot,
 * since some values were added. Outcomes that were asked for are not to be relied on. If the thread
 * was interrupted before, such an operation does not begin; if all was done by the time that the
 * interrupt was noticed, it ends as it would have.
 *
 * <p>A bulk operation that a thread of the JVM does by itself, since it is small or the map has one
 * worker, is done to its end.
 *
 * <p>A change of a single key ends so only where the map grows for it, or is on a device; the map
 * is then as it was, and so it is after a {@code rehash} that was interrupted. {@code clear} is
 * done to its end, and so are reads of single keys, everywhere.
 */
@NullMarked
package dev.gyre.structures.map;

import org.jspecify.annotations.NullMarked;
