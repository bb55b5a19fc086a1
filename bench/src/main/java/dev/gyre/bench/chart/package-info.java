/** Draws charts as SVG. */
@NullMarked
package dev.gyre.bench.chart;

import org.jspecify.annotations.NullMarked;
