/** The word trie's device functions, and the layout of its memory. */
@NullMarked
package dev.gyre.kernels.trie;

import org.jspecify.annotations.NullMarked;
