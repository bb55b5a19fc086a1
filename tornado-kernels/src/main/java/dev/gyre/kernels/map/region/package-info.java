/**
 * A large batch inserted into a table by a device, region by region: its keys are put in the order
 * of the table first, and each region is then built by one block, in memory that the block shares.
 * So the table is read and written from end to end, not at random.
 *
 * <p>Keys are put in order in two levels: first by a few large regions, the <em>parents</em>, and
 * then those of each parent by its <em>children</em>, which are small enough to be built in shared
 * memory. At each level keys are counted by {@link CountRegions} and moved by {@link
 * OrderByRegion}. Regions are built by {@link PlaceRegions} or {@link BuildRegions}.
 */
@NullMarked
package dev.gyre.kernels.map.region;

import org.jspecify.annotations.NullMarked;
