/**
 * Hash maps and sets for many threads, with bulk operations on the JVM and on GPUs.
 *
 * <p>The maps are {@link dev.gyre.structures.map.LongLongMap}, {@link
 * dev.gyre.structures.map.IntIntMap}, {@link dev.gyre.structures.map.IntLongMap}, {@link
 * dev.gyre.structures.map.LongIntMap}, {@link dev.gyre.structures.map.TextLongMap} for text keys,
 * and {@link dev.gyre.structures.map.RecordMap} for records of numbers. The sets are {@link
 * dev.gyre.structures.map.LongSet}, {@link dev.gyre.structures.map.IntSet} and {@link
 * dev.gyre.structures.map.TextSet}. Where this page says "map", it means sets as well.
 *
 * <h2>Keys and outcomes</h2>
 *
 * <ul>
 *   <li>Every int or long is a valid key and a valid value.
 *   <li>Keys are removed by {@code remove}, {@code removeAll} and {@code removeIf}, if the builder
 *       was called with {@link dev.gyre.structures.map.MapBuilder#removable}; otherwise only {@code
 *       clear()} removes keys, all of them.
 *   <li>A bulk operation takes many keys and works on them with all threads of the map. It returns
 *       counts of outcomes. With {@link dev.gyre.structures.map.BulkOptions} it also writes one
 *       outcome per key. Exactly one of several equal keys is INSERTED.
 *   <li>If a map of fixed capacity is full, further keys of a bulk insert have the outcome FULL and
 *       nothing else happens to them, unless its options make it {@linkplain
 *       dev.gyre.structures.map.BulkOptions#throwIfFull throw}. Operations on single keys throw a
 *       {@link dev.gyre.structures.map.MapFullException}. Any other map grows between the steps of
 *       a bulk insert.
 * </ul>
 *
 * <h2>Threads</h2>
 *
 * <ul>
 *   <li>All methods of maps are thread-safe. Bulk inserts and lookups of several threads run at the
 *       same time. Operations that exclude each other, such as an insert and {@code retrieveAll},
 *       take turns in the order in which they arrive.
 *   <li>Operations on single keys run on the calling thread. They are linearizable with each other,
 *       also during growth. Reads do not wait, except reads of records.
 *   <li>A thread that reads a key or a value sees what the writing thread did before it inserted
 *       the key or changed the value.
 *   <li>On a device each operation on a single key is one launch. {@code merge} then reads the
 *       value that it returns after its update.
 * </ul>
 *
 * <h2>Memory and files</h2>
 *
 * <ul>
 *   <li>Memory is off-heap: close each map, for example by try-with-resources.
 *   <li>A map keeps the scratch memory of its largest bulk operation so far: at most half the size
 *       of its table, or a few megabytes. A partitioned insert of keys on a GPU keeps 16 bytes per
 *       key there, if the device has them.
 *   <li>{@code save} writes a map to a file, and {@code load} reads it into a new map. If the file
 *       is corrupted, {@code load} throws {@link dev.gyre.structures.SavedFileException}.
 * </ul>
 *
 * <h2>Errors</h2>
 *
 * <ul>
 *   <li>A closed map throws {@link dev.gyre.atomics.ClosedException}. A lack of memory throws
 *       {@link dev.gyre.atomics.MemoryExhaustedException}. Invalid arguments throw {@link
 *       java.lang.IllegalArgumentException} or {@link java.lang.NullPointerException}, and the map
 *       is unchanged. A segment whose arena is closed is an invalid argument. If the arena is
 *       closed during the operation, some keys may be in the map.
 *   <li>A failed operation leaves the map consistent. It holds the keys that were inserted, {@code
 *       size} counts them, and no capacity is lost.
 *   <li>If the Java heap is exhausted while a program calls an operation for the first time, the
 *       JVM may fail to link its code, and then throws {@link java.lang.BootstrapMethodError} from
 *       this operation until the program is started again. The map stays consistent.
 *   <li>If a bulk insert throws a {@link dev.gyre.atomics.GyreException}, its message says how many
 *       keys are known to be done. {@link dev.gyre.atomics.GyreException#soFar} returns the same as
 *       {@link dev.gyre.structures.map.InsertCounts}, or as a {@link java.lang.Long} for {@code
 *       countWords}. Each of the other keys may or may not be in the map, with or without its
 *       value.
 * </ul>
 *
 * <h2>Functions of the user</h2>
 *
 * <p>A function is a record of handles and numbers that implements an interface of {@code
 * dev.gyre.kernels.map}. Gyre compiles it into the operation, on every target. Anything else, such
 * as a lambda, throws {@link dev.gyre.kernels.KernelException} before the operation begins.
 *
 * <ul>
 *   <li>{@link dev.gyre.kernels.map.Fold}: combines the present value with the new one, for {@code
 *       insertOrApply} and {@code merge}. {@link dev.gyre.structures.map.Apply} has the usual ones.
 *   <li>{@link dev.gyre.kernels.map.EntryPredicate} and {@link dev.gyre.kernels.map.TextPredicate}:
 *       select the keys of a bulk operation ({@link dev.gyre.structures.map.BulkOptions}) and the
 *       entries of {@code retrieveIf}.
 *   <li>{@link dev.gyre.kernels.map.EntryVisitor} and {@link dev.gyre.kernels.map.TextVisitor}:
 *       {@code visit} calls them for each entry, with many threads, where the table is.
 *   <li>{@link dev.gyre.kernels.map.Hash} and {@link dev.gyre.kernels.map.TextHash}: replace the
 *       hash of numbers or texts ({@link dev.gyre.structures.map.MapBuilder}). A text hash may also
 *       define which texts are equal. A file notes the hash, and only a builder with the same hash
 *       loads it.
 *   <li>{@link dev.gyre.kernels.map.RecordHash} and {@link dev.gyre.kernels.map.RecordEquality}:
 *       the same for records ({@link dev.gyre.structures.map.RecordSchema}). {@link
 *       dev.gyre.kernels.map.RealFold} combines floats and doubles.
 * </ul>
 *
 * <h2>Interrupts</h2>
 *
 * <p>If a thread is interrupted in a bulk operation, it gets a {@link
 * dev.gyre.kernels.LaunchCancelledException} and keeps its interrupt status. This holds for
 * operations of several workers, and for a device until the launch begins. If the interrupt comes
 * before the call, the operation does not begin. If all keys are done when the interrupt is
 * noticed, the operation returns normally.
 *
 * <p>After an interrupted insert, some keys are in the map, each with its value, and the outcomes
 * are undefined. The map remains usable, and the caller may repeat the insert. {@code
 * insertOrApply} with ADD must not be repeated, because some values were already added.
 *
 * <p>Interrupts do not end small bulk operations on the calling thread, maps with one worker,
 * {@code clear}, or reads of single keys. A change of a single key is interrupted only while the
 * map grows for it, or on a device. The map is then unchanged, as it is after an interrupted {@code
 * rehash}.
 */
@NullMarked
package dev.gyre.structures.map;

import org.jspecify.annotations.NullMarked;
