/** Texts and keys to feed to the structures: files read in chunks, and seeded generators. */
@NullMarked
package dev.gyre.datasets;

import org.jspecify.annotations.NullMarked;
