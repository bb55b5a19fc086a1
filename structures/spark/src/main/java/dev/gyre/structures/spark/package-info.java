/**
 * Words and keys counted on Apache Spark, for what outgrows a machine.
 *
 * <p>Each task fills one structure of this library, off-heap, from the elements of its partition,
 * and puts it out as a <em>run</em>: entries in the order of their keys, in blocks of bytes. Runs
 * are cut by the hash of their keys into pieces, moved by one shuffle, and merged as streams, so
 * that no serializer sees an entry, and a merge needs no table. A task whose structure has no room
 * left puts a run out and begins anew; a merge that has none writes a run to a local file.
 *
 * <p>Nothing is kept outside of what Spark keeps of a task, so one that fails, is killed, or runs
 * twice counts once.
 */
@NullMarked
package dev.gyre.structures.spark;

import org.jspecify.annotations.NullMarked;
