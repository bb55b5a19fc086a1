/**
 * Exclusive access of JVM threads to a table: a thread that owns its slots inserts and looks up
 * keys without claims, because no other thread writes them.
 *
 * <p>This is separate from the device functions because it works on blocks of keys, publishes the
 * slots of a block after one fence, and keeps outcomes in the first-level cache. It finds and
 * leaves tables as {@link dev.gyre.kernels.map.Insert} and {@link dev.gyre.kernels.map.Find} do; a
 * test checks that. It has loops for slots with states and for slots of words. {@link
 * dev.gyre.kernels.map.exclusive.KeyReader} reads single keys concurrently.
 */
@Internal
@NullMarked
package dev.gyre.kernels.map.exclusive;

import dev.gyre.atomics.Internal;
import org.jspecify.annotations.NullMarked;
