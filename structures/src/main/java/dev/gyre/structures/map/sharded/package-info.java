/**
 * Maps and sets whose entries are distributed over several devices.
 *
 * <p>A sharded map consists of ordinary maps, its shards: one for each launcher of a {@link
 * dev.gyre.kernels.LauncherGroup}. The hash of a key selects its shard.
 *
 * <pre>{@code
 * try (Launcher all = Launchers.openAll(Target.PTX);
 *     var map = ShardedLongMap.of(all, on -> LongLongMap.builder().launcher(on).build())) {
 *   map.insert(keys, values);
 *   map.find(wanted, found);
 * }
 * }</pre>
 *
 * <p>Sharded maps follow the rules of ordinary maps, with these differences:
 *
 * <ul>
 *   <li>Each shard has its own capacity, growth and seed. A shard of fixed capacity may be full
 *       while others have capacity left.
 *   <li>A bulk operation is cut into chunks, several of which run at a time. Equal keys may be
 *       taken in any order.
 *   <li>Keys, values, masks and outcomes must be on the host, unless there is one shard only.
 *   <li>A user's kernel runs on one device: launch it on one of {@code shards()}.
 *   <li>To save or load a sharded map, copy its entries to an ordinary map with {@code copyTo}, or
 *       from one with {@code copyFrom}.
 * </ul>
 *
 * <p>A failed launch throws {@link dev.gyre.kernels.GroupLaunchException}, which names the part of
 * the group.
 */
@NullMarked
package dev.gyre.structures.map.sharded;

import org.jspecify.annotations.NullMarked;
