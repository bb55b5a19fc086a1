/**
 * Maps and sets over several devices: each is built from ordinary ones, one for each launcher of a
 * {@link dev.gyre.kernels.LauncherGroup}, and a hash of a key says which of them has it.
 *
 * <pre>{@code
 * try (Launcher all = Launchers.openAll(Target.PTX);
 *     var map = ShardedLongMap.of(all, on -> LongLongMap.builder().launcher(on).build())) {
 *   map.insert(keys, values);
 *   map.find(wanted, found);
 * }
 * }</pre>
 *
 * <p>All holds that is said of the ordinary ones, but for this:
 *
 * <ul>
 *   <li>Capacity, growth and seed are those of each shard. A shard of fixed capacity may be full
 *       while others are not.
 *   <li>A bulk operation is cut into chunks, of which several are under way at a time, and equal
 *       keys may be taken in any order.
 *   <li>Keys, values, masks and outcomes are on the host, unless there is one shard only.
 *   <li>A kernel of the user's runs on one device: it is launched on one of {@code shards()}.
 *   <li>Entries go to an ordinary map by {@code copyTo}, and come from one by {@code copyFrom}:
 *       such as to be saved, and to be loaded.
 * </ul>
 *
 * <p>A launch that fails is a {@link dev.gyre.kernels.GroupLaunchException}, which names the part.
 */
@NullMarked
package dev.gyre.structures.map.sharded;

import org.jspecify.annotations.NullMarked;
