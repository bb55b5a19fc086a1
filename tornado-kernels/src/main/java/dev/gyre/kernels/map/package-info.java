/**
 * Device functions of the map, and the layouts of its memory.
 *
 * <p>The map is the {@code concurrent_insert_only_map} of Lelbach's talk: open addressing with
 * linear probing in a table of fixed size. A slot goes from EMPTY through RESERVED to FILLED and
 * never back.
 *
 * <p>The probe loops exist once: {@link dev.gyre.kernels.map.Insert}, {@link
 * dev.gyre.kernels.map.Find}, {@link dev.gyre.kernels.map.Retrieve}, and {@link
 * dev.gyre.kernels.map.SingleKeys} for single keys. A layout, which is a record that implements
 * {@link dev.gyre.kernels.map.Slots}, reads, claims, fills and publishes a slot:
 *
 * <ul>
 *   <li>{@link dev.gyre.kernels.map.LongSlots} and {@link dev.gyre.kernels.map.IntSlots}: three
 *       arrays (<em>reference</em>), with keys and values of 4 or 8 bytes, or state, key and value
 *       next to each other (<em>line</em>), with the protocol of {@link
 *       dev.gyre.kernels.map.StateSlots}.
 *   <li>{@link dev.gyre.kernels.map.PackedSlots}: an int key with its value, published by one
 *       compare-and-exchange, without RESERVED.
 *   <li>{@link dev.gyre.kernels.map.KeySlots}: the same for a key without a value, for sets.
 *   <li>{@link dev.gyre.kernels.map.TextSlots}: keys of any length in an arena, with the protocol
 *       of {@code StateSlots}.
 * </ul>
 *
 * <p>All of them follow these conventions:
 *
 * <ul>
 *   <li>Keys and values of a batch are in separate arrays. A launch works on the elements from
 *       {@code from} to {@code to - 1}. Device functions see ints as longs: {@link
 *       dev.gyre.kernels.map.Numbers}.
 *   <li>A table has at least one slot more than keys, so that every search ends at an EMPTY slot.
 *       The host guarantees it: with option BOUNDED, a launch claims at most as many slots as
 *       counter {@link dev.gyre.kernels.map.MapCodes#CAPACITY} says; otherwise the whole batch
 *       fits.
 *   <li>Inserts and lookups may run at the same time, except lookups with option QUIESCENT.
 *   <li>On the JVM each layout runs in specialised code: {@link dev.gyre.kernels.map.NumberCode}.
 * </ul>
 */
@NullMarked
package dev.gyre.kernels.map;

import org.jspecify.annotations.NullMarked;
