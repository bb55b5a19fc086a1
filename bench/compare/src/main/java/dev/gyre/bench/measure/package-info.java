/**
 * What a comparison measures, each in a process of its own: main classes that print rows of the
 * table.
 */
@NullMarked
package dev.gyre.bench.measure;

import org.jspecify.annotations.NullMarked;
