/**
 * Texts and keys to feed to the structures: files read in chunks, seeded generators, and the books
 * of Project Gutenberg.
 */
@NullMarked
package dev.gyre.datasets;

import org.jspecify.annotations.NullMarked;
