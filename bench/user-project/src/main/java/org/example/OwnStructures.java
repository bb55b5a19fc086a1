package org.example;

import dev.gyre.atomics.DeviceInts;
import dev.gyre.atomics.DeviceLongs;
import dev.gyre.atomics.Memory;
import dev.gyre.kernels.Kernel;
import dev.gyre.kernels.LaunchShape;
import dev.gyre.kernels.Launcher;
import dev.gyre.kernels.Launchers;
import dev.gyre.kernels.Target;
import java.util.Arrays;
import java.util.Random;
import java.util.stream.IntStream;

/**
 * Runs structures of its own on the target that is named, or on the JVM, and checks them against
 * plain loops: {@code OwnStructures [jvm|opencl|ptx|cuda]}.
 */
public final class OwnStructures {

  private static final int NODES = 20_000;
  private static final int EDGES = 16_000;
  private static final int PRODUCERS = 8;
  private static final int CONSUMERS = 8;
  private static final int ITEMS = 1_000;
  private static final int SLOTS = 512;
  private static final long POLLS = 32;

  private OwnStructures() {}

  /** Unites the ends of edges; counts how often that made two sets one. */
  record Unite(DisjointSets sets, DeviceInts from, DeviceInts to, long edges, DeviceInts united)
      implements Kernel {
    @Override
    public void run(int thread, LaunchShape shape) {
      for (long i = thread; i < edges; i += shape.threads()) {
        if (sets.unite(from.get(i), to.get(i))) {
          united.fetchAddRelaxed(0, 1);
        }
      }
    }
  }

  /** Writes down the root of each node. */
  record Label(DisjointSets sets, DeviceInts labels, long nodes) implements Kernel {
    @Override
    public void run(int thread, LaunchShape shape) {
      for (long i = thread; i < nodes; i += shape.threads()) {
        labels.set(i, sets.find((int) i));
      }
    }
  }

  /** The first threads put what they have not yet put; the others take what there is. */
  record Transfer(BoundedQueue queue, DeviceLongs put, DeviceLongs taken, long items, long polls)
      implements Kernel {
    @Override
    public void run(int thread, LaunchShape shape) {
      boolean goesOn = true;
      if (thread < PRODUCERS) {
        long next = put.get(thread);
        while (goesOn & next < items) {
          goesOn = queue.put(thread * items + next, polls);
          next += goesOn ? 1 : 0;
        }
        put.set(thread, next);
      } else {
        while (goesOn) {
          goesOn = queue.take(taken, polls);
        }
      }
    }
  }

  /** Runs both, and a kernel on maps of Gyre's, and prints what the script expects. */
  public static void main(String[] args) {
    Target target = Target.ofLabel(args.length == 0 ? "jvm" : args[0]);
    try (Launcher launcher = Launchers.open(target)) {
      components(launcher);
      queue(launcher);
      SalesByRegion.run(launcher);
    }
  }

  private static void components(Launcher launcher) {
    int[] from = new Random(1).ints(EDGES, 0, NODES).toArray();
    int[] to = new Random(2).ints(EDGES, 0, NODES).toArray();
    try (Memory parents = ints(IntStream.range(0, NODES).toArray());
        Memory ends = ints(from);
        Memory otherEnds = ints(to);
        Memory labels = Memory.ofInts(NODES);
        Memory united = Memory.ofInts(1)) {
      DisjointSets sets = new DisjointSets(DeviceInts.of(parents));
      launcher.run(
          new Unite(
              sets, DeviceInts.of(ends), DeviceInts.of(otherEnds), EDGES, DeviceInts.of(united)),
          launcher.shapeForEach(EDGES));
      launcher.run(new Label(sets, DeviceInts.of(labels), NODES), launcher.shapeForEach(NODES));
      launcher.readBack(labels, united);
      int[] expected = components(from, to);
      for (int i = 0; i < NODES; i++) {
        require(DeviceInts.of(labels).get(i) == expected[i], "node " + i);
      }
      long roots = IntStream.range(0, NODES).filter(i -> expected[i] == i).count();
      require(NODES - DeviceInts.of(united).get(0) == roots, "unions");
      System.out.println(roots + " components");
    }
  }

  /** The smallest node of each component, by walking along edges until nothing changes. */
  private static int[] components(int[] from, int[] to) {
    int[] labels = IntStream.range(0, NODES).toArray();
    int[] before;
    do {
      before = labels.clone();
      for (int i = 0; i < EDGES; i++) {
        int low = Math.min(labels[from[i]], labels[to[i]]);
        labels[from[i]] = low;
        labels[to[i]] = low;
      }
    } while (!Arrays.equals(before, labels));
    return labels;
  }

  private static void queue(Launcher launcher) {
    int all = PRODUCERS * ITEMS;
    try (Memory slots = Memory.ofLongs(2 * SLOTS);
        Memory ends = Memory.ofLongs(2);
        Memory put = Memory.ofLongs(PRODUCERS);
        Memory taken = Memory.ofLongs(all)) {
      for (int i = 0; i < SLOTS; i++) {
        DeviceLongs.of(slots).set(2 * i, i);
      }
      BoundedQueue queue = new BoundedQueue(DeviceLongs.of(slots), DeviceLongs.of(ends), SLOTS - 1);
      DeviceLongs items = DeviceLongs.of(taken);
      Kernel transfer = new Transfer(queue, DeviceLongs.of(put), items, ITEMS, POLLS);
      LaunchShape shape = LaunchShape.ofThreads(PRODUCERS + CONSUMERS);
      // Where threads run one after another, a launch ends when the queue is full, or empty.
      do {
        launcher.run(transfer, shape);
        launcher.readBack(ends);
      } while (DeviceLongs.of(ends).get(1) < all);
      launcher.readBack(taken);
      long[] next = new long[PRODUCERS];
      for (int i = 0; i < all; i++) {
        int producer = (int) (items.get(i) / ITEMS);
        require(items.get(i) % ITEMS == next[producer]++, "order of the items of " + producer);
      }
      System.out.println(all + " items in order");
    }
  }

  private static Memory ints(int[] values) {
    Memory memory = Memory.ofInts(values.length);
    DeviceInts ints = DeviceInts.of(memory);
    for (int i = 0; i < values.length; i++) {
      ints.set(i, values[i]);
    }
    return memory;
  }

  private static void require(boolean holds, String what) {
    if (!holds) {
      throw new AssertionError("wrong: " + what);
    }
  }
}
