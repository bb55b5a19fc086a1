/**
 * Scoped atomics with memory order over off-heap memory, the same on the JVM and on a device.
 *
 * <p>{@link dev.gyre.atomics.Memory} owns bytes; a <em>handle</em> such as {@link
 * dev.gyre.atomics.DeviceInts} gives indexed access to them at one scope and one element type.
 * Handles are what a device function takes: they are final classes, so that passing one scope where
 * another is meant does not compile, as with {@code cuda::atomic_ref<T, scope>}.
 *
 * <p>Conventions of all handles:
 *
 * <ul>
 *   <li>An index counts elements, from 0; one out of bounds throws {@link
 *       java.lang.IndexOutOfBoundsException} on the JVM.
 *   <li>The memory order ends the method's name. A method with no order ({@code get}, {@code set})
 *       is plain: it must not race.
 *   <li>On the JVM an access is a {@link java.lang.invoke.VarHandle} mode of the same strength or
 *       the next stronger one. The JVM knows no scopes: block, device and system scope are the same
 *       there, and thread scope is plain.
 *   <li>Mixing scopes on one element at one time is a data race, and a compiler cannot find it when
 *       two handles are made over one {@code Memory}.
 *   <li>Access after the memory was closed throws {@link java.lang.IllegalStateException}.
 * </ul>
 */
@NullMarked
package dev.gyre.atomics;

import org.jspecify.annotations.NullMarked;
