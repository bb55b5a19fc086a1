/**
 * Random programs on every structure, against plain models. {@link dev.gyre.structures.fuzz.Fuzz}
 * runs them for as long as asked; {@link dev.gyre.structures.fuzz.Fuzzer} draws a program from its
 * seed, runs it, and shrinks one that fails. A {@link dev.gyre.structures.fuzz.FuzzTarget}
 * describes one structure by the adapters that it shares with the conformance suites.
 */
@NullMarked
package dev.gyre.structures.fuzz;

import org.jspecify.annotations.NullMarked;
