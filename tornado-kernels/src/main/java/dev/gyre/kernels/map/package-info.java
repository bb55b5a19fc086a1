/**
 * The insert-only map's device functions, and the layouts of its memory.
 *
 * <p>The map is the talk's {@code concurrent_insert_only_map}: open addressing with linear probing
 * in a table of fixed size, whose slots go from EMPTY through RESERVED to FILLED and never back.
 * The probe loops stand once: {@link dev.gyre.kernels.map.Insert}, {@link
 * dev.gyre.kernels.map.Find}, {@link dev.gyre.kernels.map.Retrieve}, and {@link
 * dev.gyre.kernels.map.SingleKeys} for one key at a time. How a slot is read, claimed, filled and
 * published is the business of a layout, which is a record of {@link dev.gyre.kernels.map.Slots}:
 *
 * <ul>
 *   <li>{@link dev.gyre.kernels.map.LongSlots} and {@link dev.gyre.kernels.map.IntSlots}: three
 *       arrays (<em>reference</em>), or state, key and value side by side (<em>line</em>), with the
 *       protocol of {@link dev.gyre.kernels.map.StateSlots};
 *   <li>{@link dev.gyre.kernels.map.PackedSlots}: an int key with its value, published in one
 *       compare-and-exchange, without RESERVED;
 *   <li>{@link dev.gyre.kernels.map.KeySlots}: the same of a key without a value, for sets;
 *   <li>{@link dev.gyre.kernels.map.TextSlots}: keys of any length in an arena, with the protocol
 *       of {@code StateSlots}.
 * </ul>
 *
 * <p>Conventions of all of them:
 *
 * <ul>
 *   <li>Keys and values of a batch are in arrays of their own; a launch works on the elements from
 *       {@code from} to {@code to - 1}. Device functions see ints as longs: {@link
 *       dev.gyre.kernels.map.Numbers}.
 *   <li>A table has one slot more than it may ever have keys, so that every search ends at an EMPTY
 *       slot. Who launches sees to it: the launch may claim at most as many slots as counter {@link
 *       dev.gyre.kernels.map.MapCodes#ROOM} says, where option BOUNDED is set; else the caller
 *       knows that there is room for the whole batch.
 *   <li>Insert and find may run at the same time. A find launched with QUIESCENT must not.
 *   <li>On the JVM each layout runs in code of its own: {@link dev.gyre.kernels.map.NumberCode}.
 * </ul>
 */
@NullMarked
package dev.gyre.kernels.map;

import org.jspecify.annotations.NullMarked;
