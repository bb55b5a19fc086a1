/**
 * What a {@code TextCombiner} is made of: it finds the words of a text, and sends what was counted
 * to its map.
 */
@NullMarked
package dev.gyre.structures.map.words;

import org.jspecify.annotations.NullMarked;
