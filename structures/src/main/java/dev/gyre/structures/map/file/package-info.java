/** Files of maps and sets: header, sections and checks. */
@Internal
@NullMarked
package dev.gyre.structures.map.file;

import dev.gyre.atomics.Internal;
import org.jspecify.annotations.NullMarked;
