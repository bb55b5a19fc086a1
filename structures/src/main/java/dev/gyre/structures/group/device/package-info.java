/** Memory and launches of the groups of a text on a device. */
@Internal
@NullMarked
package dev.gyre.structures.group.device;

import dev.gyre.atomics.Internal;
import org.jspecify.annotations.NullMarked;
