/** Seeded generators of texts and keys, for tests and benchmarks. */
@NullMarked
package dev.gyre.datasets.generators;

import org.jspecify.annotations.NullMarked;
