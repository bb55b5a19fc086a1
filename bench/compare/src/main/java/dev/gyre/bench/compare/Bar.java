package dev.gyre.bench.compare;

import dev.gyre.bench.measure.Row;

/**
 * One bar of a chart.
 *
 * @param label below it
 * @param row whose throughput it shows
 * @param ours whether it is of Gyre
 */
record Bar(String label, Row row, boolean ours) {}
