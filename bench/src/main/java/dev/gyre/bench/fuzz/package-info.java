/**
 * Random sequences of every public operation of every structure, against plain models; saved files
 * in which a byte is changed; texts and CSV from grammars. {@link dev.gyre.bench.fuzz.Fuzzer} makes
 * a sequence that fails smaller.
 */
@NullMarked
package dev.gyre.bench.fuzz;

import org.jspecify.annotations.NullMarked;
