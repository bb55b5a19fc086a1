/**
 * Parts of {@code TextCombiner}: it finds the words of a text, and sends their counts to its map.
 */
@NullMarked
package dev.gyre.structures.map.words;

import org.jspecify.annotations.NullMarked;
