/**
 * Parts of {@code TextCombiner}: it finds the words of a text, and sends their counts to its map.
 */
@Internal
@NullMarked
package dev.gyre.structures.map.words;

import dev.gyre.atomics.Internal;
import org.jspecify.annotations.NullMarked;
