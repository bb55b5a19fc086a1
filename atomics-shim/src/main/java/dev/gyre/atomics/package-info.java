/**
 * Scoped atomics with memory order over off-heap memory, the same on the JVM and on a device.
 *
 * <p>{@link dev.gyre.atomics.Memory} owns bytes; a <em>handle</em> such as {@link
 * dev.gyre.atomics.DeviceInts} gives indexed access to them at one scope and one element type.
 * Device functions take handles. As with {@code cuda::atomic_ref<T, scope>}, each scope is a type:
 * code that passes a handle of the wrong scope does not compile.
 *
 * <pre>{@code
 * try (Memory memory = Memory.ofLongs(1024)) {
 *   DeviceLongs counts = DeviceLongs.of(memory);
 *   counts.fetchAddRelaxed(7, 1);
 * }
 * }</pre>
 *
 * <p>Conventions of all handles:
 *
 * <ul>
 *   <li>An index counts elements, from 0. On the JVM an index out of bounds throws {@link
 *       java.lang.IndexOutOfBoundsException}.
 *   <li>The name of a method ends with its memory order. A method with no order ({@code get},
 *       {@code set}) is plain: it must not race.
 *   <li>On the JVM an access has a {@link java.lang.invoke.VarHandle} mode of the same strength or
 *       the next stronger one. The JVM has no scopes: block, device and system scope are the same
 *       there, and thread scope is plain.
 *   <li>Accesses to one element by handles of different scopes at the same time are a data race. No
 *       compiler finds it.
 *   <li>If the memory is closed, an access throws {@link java.lang.IllegalStateException}.
 * </ul>
 */
@NullMarked
package dev.gyre.atomics;

import org.jspecify.annotations.NullMarked;
