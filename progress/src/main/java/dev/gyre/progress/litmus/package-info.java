/** Litmus tests of memory and of progress: what is run, how, and what may come out. */
@NullMarked
package dev.gyre.progress.litmus;

import org.jspecify.annotations.NullMarked;
