/** Views of maps as maps of the Java library. */
@Internal
@NullMarked
package dev.gyre.structures.map.view;

import dev.gyre.atomics.Internal;
import org.jspecify.annotations.NullMarked;
