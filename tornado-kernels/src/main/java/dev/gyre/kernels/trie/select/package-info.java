/** Questions to a word trie that a device answers where its nodes are. */
@NullMarked
package dev.gyre.kernels.trie.select;

import org.jspecify.annotations.NullMarked;
