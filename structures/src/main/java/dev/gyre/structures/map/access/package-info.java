/** Operations on single keys by the calling thread, and iteration over the entries part by part. */
@NullMarked
package dev.gyre.structures.map.access;

import org.jspecify.annotations.NullMarked;
