/**
 * The insert-only map's device functions, and the layouts of its memory.
 *
 * <p>The map is the talk's {@code concurrent_insert_only_map}: open addressing with linear probing
 * in a table of fixed size, whose slots go from EMPTY through RESERVED to FILLED and never back.
 * {@link dev.gyre.kernels.map.IntSlots} and {@link dev.gyre.kernels.map.LongSlots} hold that
 * protocol, for two layouts: three arrays (<em>reference</em>), or state, key and value side by
 * side (<em>line</em>). {@link dev.gyre.kernels.map.IntLines} are lines for ints in which key and
 * value each lie in one word with the state, so that no order is needed between the two. {@link
 * dev.gyre.kernels.map.PackedSlots} publish an int key with its value in one compare-and-exchange
 * and need no RESERVED. {@link dev.gyre.kernels.map.TextSlots} have keys of any length in an arena.
 *
 * <p>Conventions of all of them:
 *
 * <ul>
 *   <li>Keys and values of a batch are in arrays of their own; a launch works on the elements from
 *       {@code from} to {@code to - 1}.
 *   <li>A table has one slot more than it may ever have keys, so that every search ends at an EMPTY
 *       slot. Who launches sees to it: the launch may claim at most as many slots as counter {@link
 *       dev.gyre.kernels.map.MapCodes#ROOM} says, where option BOUNDED is set; else the caller
 *       knows that there is room for the whole batch.
 *   <li>Insert and find may run at the same time. A find launched with QUIESCENT must not.
 * </ul>
 */
@NullMarked
package dev.gyre.kernels.map;

import org.jspecify.annotations.NullMarked;
