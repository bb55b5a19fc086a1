/** Kernels that answer queries of a word trie on the device with its nodes. */
@Internal
@NullMarked
package dev.gyre.kernels.trie.select;

import dev.gyre.atomics.Internal;
import org.jspecify.annotations.NullMarked;
