/** Input for structures: text files read in chunks, and seeded generators of texts and keys. */
@NullMarked
package dev.gyre.datasets;

import org.jspecify.annotations.NullMarked;
