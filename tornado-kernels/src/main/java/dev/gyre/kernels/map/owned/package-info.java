/**
 * The JVM's other way to work on a table: by threads that own the slots that they work on, so that
 * nobody else writes them and nothing is claimed.
 *
 * <p>It is apart from the device functions since it works in blocks of keys, publishes the slots of
 * a block behind one fence, and keeps what has become of the keys in the nearest cache. It finds
 * and leaves tables as {@link dev.gyre.kernels.map.Insert} and {@link dev.gyre.kernels.map.Find}
 * do, which a test holds to. It has loops for slots with states, and for slots of words; and,
 * likewise on segments, reads of single keys beside all else.
 */
@NullMarked
package dev.gyre.kernels.map.owned;

import org.jspecify.annotations.NullMarked;
