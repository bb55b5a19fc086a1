/**
 * The table from which the handles are generated: what exists, in which order and for which type.
 *
 * <p>Its classes use the JDK and each other only, not even annotations: the generator is compiled
 * with them before anything else.
 */
package dev.gyre.atomics.table;
