/** Benchmarks of the word trie against the structures that Java programs count words with. */
@NullMarked
package dev.gyre.bench.words;

import org.jspecify.annotations.NullMarked;
