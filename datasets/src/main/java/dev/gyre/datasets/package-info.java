/** Input for structures: text files, read in chunks. */
@NullMarked
package dev.gyre.datasets;

import org.jspecify.annotations.NullMarked;
