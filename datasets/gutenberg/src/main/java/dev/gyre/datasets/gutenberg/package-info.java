/**
 * Books of Project Gutenberg: a catalogue, a polite downloader, and the text without header and
 * footer.
 */
@NullMarked
package dev.gyre.datasets.gutenberg;

import org.jspecify.annotations.NullMarked;
