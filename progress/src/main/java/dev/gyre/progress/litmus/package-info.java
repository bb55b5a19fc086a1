/** Litmus tests of memory and progress: programs, runners, and results. */
@NullMarked
package dev.gyre.progress.litmus;

import org.jspecify.annotations.NullMarked;
