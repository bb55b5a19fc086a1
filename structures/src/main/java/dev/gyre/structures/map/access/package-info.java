/** Operations on single keys by the calling thread, and iteration over the entries part by part. */
@Internal
@NullMarked
package dev.gyre.structures.map.access;

import dev.gyre.atomics.Internal;
import org.jspecify.annotations.NullMarked;
