/** Device functions of the word trie, and the layout of its memory. */
@NullMarked
package dev.gyre.kernels.trie;

import org.jspecify.annotations.NullMarked;
