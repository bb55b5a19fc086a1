/** The command that counts words on Spark, and its measurement. */
@NullMarked
package dev.gyre.bench.spark;

import org.jspecify.annotations.NullMarked;
