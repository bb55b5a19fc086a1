package org.example;

import dev.gyre.atomics.Bytes;
import dev.gyre.atomics.DeviceLongs;
import dev.gyre.atomics.Memory;
import dev.gyre.kernels.Kernel;
import dev.gyre.kernels.LaunchShape;
import dev.gyre.kernels.Launcher;
import dev.gyre.kernels.map.MapCodes;
import dev.gyre.kernels.map.OpenItems;
import dev.gyre.structures.launch.Launches;
import dev.gyre.structures.launch.LongMapRef;
import dev.gyre.structures.map.LongLongMap;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;

/**
 * Join and sum by groups in one kernel, with two maps of Gyre. Each sale is looked up by its
 * customer in one map, and added to the region of the customer in the other, which grows as
 * necessary.
 */
final class SalesByRegion {

  private static final int CUSTOMERS = 5_000;
  private static final int REGIONS = 700;
  private static final int SALES = 50_000;

  private SalesByRegion() {}

  /** Adds up sales by region, without sales of unknown customers. */
  record Sum(
      LongMapRef regions,
      LongMapRef sums,
      OpenItems open,
      DeviceLongs customers,
      DeviceLongs amounts,
      long sales)
      implements Kernel {
    @Override
    public void run(int thread, LaunchShape shape) {
      for (long i = thread; i < sales; i += shape.threads()) {
        if (open.isOpen(i)) {
          var region = regions.find(customers.get(i));
          int outcome = region.outcome();
          if (region.isFound()) {
            outcome = sums.merge(region.value(), amounts.get(i), MapCodes.ADD);
          }
          open.note(i, outcome);
        }
      }
    }
  }

  static void run(Launcher launcher) {
    Random random = new Random(3);
    try (LongLongMap regions = LongLongMap.builder().launcher(launcher).build();
        LongLongMap sums = LongLongMap.builder().launcher(launcher).capacity(8).build();
        Memory customers = Memory.ofLongs(SALES);
        Memory amounts = Memory.ofLongs(SALES);
        Memory done = Memory.ofBytes(SALES)) {
      long[] known = random.longs(CUSTOMERS, 0, 2L * CUSTOMERS).toArray();
      long[] regionOf = new long[CUSTOMERS];
      Map<Long, Long> regionByCustomer = new HashMap<>();
      for (int i = 0; i < CUSTOMERS; i++) {
        regionOf[i] = known[i] % REGIONS;
        regionByCustomer.put(known[i], regionOf[i]);
      }
      regions.insert(known, regionOf);

      DeviceLongs customer = DeviceLongs.of(customers);
      DeviceLongs amount = DeviceLongs.of(amounts);
      Map<Long, Long> expected = new HashMap<>();
      for (int i = 0; i < SALES; i++) {
        customer.set(i, random.nextLong(2L * CUSTOMERS));
        amount.set(i, random.nextLong(-100, 1_000));
        Long region = regionByCustomer.get(customer.get(i));
        if (region != null) {
          expected.merge(region, amount.get(i), Long::sum);
        }
      }

      OpenItems open = new OpenItems(Bytes.of(done));
      Launches.with(regions, sums)
          .launchUntilDone(
              (r, s) -> new Sum(r, s, open, customer, amount, SALES), launcher.shapeForEach(SALES));
      Map<Long, Long> found = new HashMap<>();
      sums.forEach(found::put);
      if (!found.equals(expected)) {
        throw new AssertionError("wrong: sums by region");
      }
      System.out.println("sales in " + sums.size() + " regions");
    }
  }
}
