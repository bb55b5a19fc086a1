/**
 * Stress tests of the shim by jcstress, and what stress tests of any package share.
 *
 * <p>Conventions, for all packages:
 *
 * <ul>
 *   <li>A test is a jcstress test whose bad outcomes are {@code FORBIDDEN}.
 *   <li>A class whose name ends with {@code Mutant} is a test with one step left out or two
 *       swapped. Its bad outcomes are {@code ACCEPTABLE_INTERESTING}, and the run fails where it
 *       shows none; {@link dev.gyre.kernels.stress.Window} makes them frequent.
 *   <li>A class whose name ends with {@code WeakMutant} has an order that is too weak. A machine
 *       may hide that, so it need not show a bad outcome; docs/testing.md has the number of runs.
 *   <li>Tests that differ only in the method they call are one test over a table, and the name of
 *       the row is part of a bad outcome: one process per row would take all the time there is.
 *   <li>A state takes its words from {@link dev.gyre.kernels.stress.Cells}.
 * </ul>
 */
@NullMarked
package dev.gyre.kernels.stress;

import org.jspecify.annotations.NullMarked;
