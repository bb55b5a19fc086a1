/** Benchmarks of the word trie beside what Java users count words with today. */
@NullMarked
package dev.gyre.bench.words;

import org.jspecify.annotations.NullMarked;
