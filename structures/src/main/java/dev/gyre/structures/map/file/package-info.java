/** Saved maps and sets: the header, the sections and the checks of a file, whatever it holds. */
@NullMarked
package dev.gyre.structures.map.file;

import org.jspecify.annotations.NullMarked;
