/**
 * The comparison of all that a machine has: a plan of jobs, each a process of its own, a table that
 * grows as they end, and a report with charts.
 */
@NullMarked
package dev.gyre.bench.compare;

import org.jspecify.annotations.NullMarked;
