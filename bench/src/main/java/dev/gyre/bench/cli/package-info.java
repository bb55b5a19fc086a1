/** The command line: {@code gyre} and its subcommands. */
@NullMarked
package dev.gyre.bench.cli;

import org.jspecify.annotations.NullMarked;
