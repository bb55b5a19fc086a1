/**
 * Parses rows of texts on a device, and aggregates their numbers per key. {@link
 * dev.gyre.kernels.group.GroupRows} is the kernel.
 */
@Internal
@NullMarked
package dev.gyre.kernels.group;

import dev.gyre.atomics.Internal;
import org.jspecify.annotations.NullMarked;
