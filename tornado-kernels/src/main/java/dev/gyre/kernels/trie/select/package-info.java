/** Kernels that answer queries of a word trie on the device with its nodes. */
@NullMarked
package dev.gyre.kernels.trie.select;

import org.jspecify.annotations.NullMarked;
