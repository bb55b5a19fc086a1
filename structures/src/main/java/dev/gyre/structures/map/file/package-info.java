/** Files of maps and sets: header, sections and checks. */
@NullMarked
package dev.gyre.structures.map.file;

import org.jspecify.annotations.NullMarked;
