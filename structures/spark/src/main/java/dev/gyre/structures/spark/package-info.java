/**
 * Counts words and keys on Apache Spark, for data that exceeds one machine.
 *
 * <p>Each task fills one off-heap structure from its partition and writes it as a <em>run</em>:
 * entries in key order, in blocks of bytes. Runs are cut into pieces by the hash of their keys,
 * moved by one shuffle, and merged as streams. So no serializer sees an entry, and a merge needs no
 * table. A task whose structure is full writes a run and starts again. A merge without memory
 * writes a run to a local file.
 *
 * <p>All state is in the results that Spark keeps of its tasks. A task that fails, is killed or
 * runs twice therefore counts once.
 */
@NullMarked
package dev.gyre.structures.spark;

import org.jspecify.annotations.NullMarked;
