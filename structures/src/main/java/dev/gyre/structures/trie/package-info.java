/** The word trie: counts the words of texts. */
@NullMarked
package dev.gyre.structures.trie;

import org.jspecify.annotations.NullMarked;
