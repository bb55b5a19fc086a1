/**
 * Books of Project Gutenberg: which there are, how to get them politely, and where in their files
 * the book itself begins and ends.
 */
@NullMarked
package dev.gyre.datasets.gutenberg;

import org.jspecify.annotations.NullMarked;
