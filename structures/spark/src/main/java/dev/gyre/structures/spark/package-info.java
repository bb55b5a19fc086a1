/**
 * Counts words and keys on Apache Spark, for data that exceeds one machine.
 *
 * <p>Each task fills one off-heap structure from its partition and writes it as a <em>run</em>:
 * entries in key order, in blocks of bytes. Runs are cut into pieces by the hash of their keys,
 * moved by one shuffle, and merged as streams. So no serializer sees an entry, and a merge needs no
 * table. A task whose structure is full writes a run and starts again. A merge without memory
 * writes a run to a local file.
 *
 * <p>State is kept only in what Spark keeps of a task. A task that fails, is killed or runs twice
 * counts once.
 */
@NullMarked
package dev.gyre.structures.spark;

import org.jspecify.annotations.NullMarked;
