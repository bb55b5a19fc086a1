/**
 * Groups rows on a device, and aggregates their numbers per key: rows of texts in {@link
 * dev.gyre.kernels.group.GroupRows}, and rows of columns in {@link
 * dev.gyre.kernels.group.FindGroups}.
 */
@Internal
@NullMarked
package dev.gyre.kernels.group;

import dev.gyre.atomics.Internal;
import org.jspecify.annotations.NullMarked;
