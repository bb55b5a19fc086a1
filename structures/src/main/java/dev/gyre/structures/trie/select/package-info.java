/** Answers of a word trie whose nodes are on a device, which selects what is brought home. */
@NullMarked
package dev.gyre.structures.trie.select;

import org.jspecify.annotations.NullMarked;
