package dev.gyre.bench.device;

import dev.gyre.atomics.DeviceInts;
import dev.gyre.atomics.Memory;
import dev.gyre.kernels.Kernel;
import dev.gyre.kernels.LaunchShape;
import dev.gyre.kernels.Launcher;
import dev.gyre.kernels.Launchers;
import dev.gyre.kernels.Target;
import java.util.function.LongSupplier;

/**
 * Times connected components by a concurrent union-find: {@code UnionFind TARGET EDGES RUNS}. It is
 * the structure of {@code bench/user-project}, over half as many nodes as there are edges, whose
 * ends are random; {@code bench/rivals/union_find} is the same algorithm over the same edges in
 * CUDA C++. The number of components is checked against a sequential union-find.
 */
public final class UnionFind {

  /** Of nodes: each has a parent, a root is its own; see the project of users. */
  record DisjointSets(DeviceInts parents) {

    int find(int node) {
      int at = node;
      int parent = parents.loadRelaxed(at);
      while (parent != at) {
        int next = parents.loadRelaxed(parent);
        parents.storeRelaxed(at, next);
        at = parent;
        parent = next;
      }
      return at;
    }

    void unite(int one, int other) {
      int x = find(one);
      int y = find(other);
      boolean united = x == y;
      while (!united) {
        int high = Math.max(x, y);
        int low = Math.min(x, y);
        united = parents.compareAndSetRelaxed(high, high, low);
        if (!united) {
          x = find(high);
          y = find(low);
          united = x == y;
        }
      }
    }
  }

  /** Unites the ends of all edges. */
  record Unite(DisjointSets sets, DeviceInts from, DeviceInts to, long edges) implements Kernel {
    @Override
    public void run(int thread, LaunchShape shape) {
      for (long i = thread; i < edges; i += shape.threads()) {
        sets.unite(from.get(i), to.get(i));
      }
    }
  }

  /** Makes each node its own parent. */
  record Begin(DeviceInts parents, long nodes) implements Kernel {
    @Override
    public void run(int thread, LaunchShape shape) {
      for (long i = thread; i < nodes; i += shape.threads()) {
        parents.set(i, (int) i);
      }
    }
  }

  private UnionFind() {}

  /** An end of an edge, as the rival's: the upper half of Stafford's mixing of a number. */
  static int end(long number, int nodes) {
    long h = number + 1;
    h *= 0x9e3779b97f4a7c15L;
    h = (h ^ (h >>> 30)) * 0xbf58476d1ce4e5b9L;
    h = (h ^ (h >>> 27)) * 0x94d049bb133111ebL;
    h ^= h >>> 31;
    return (int) (((h >>> 32) * nodes) >>> 32);
  }

  private static int components(DeviceInts from, DeviceInts to, int edges, int nodes) {
    int[] parents = new int[nodes];
    for (int i = 0; i < nodes; i++) {
      parents[i] = i;
    }
    int components = nodes;
    for (int i = 0; i < edges; i++) {
      int x = root(parents, from.get(i));
      int y = root(parents, to.get(i));
      components -= x == y ? 0 : 1;
      parents[Math.max(x, y)] = Math.min(x, y);
    }
    return components;
  }

  private static int root(int[] parents, int node) {
    int at = node;
    while (parents[at] != at) {
      parents[at] = parents[parents[at]];
      at = parents[at];
    }
    return at;
  }

  /** Prints a line. */
  public static void main(String[] args) {
    int edges = Integer.parseInt(args[1]);
    int runs = Integer.parseInt(args[2]);
    int nodes = Math.max(1, edges / 2);
    try (Launcher launcher = Launchers.open(Target.ofLabel(args[0]));
        Memory parents = Memory.ofInts(nodes);
        Memory from = Memory.ofInts(edges);
        Memory to = Memory.ofInts(edges)) {
      for (int i = 0; i < edges; i++) {
        DeviceInts.of(from).set(i, end(2L * i, nodes));
        DeviceInts.of(to).set(i, end(2L * i + 1, nodes));
      }
      int expected = components(DeviceInts.of(from), DeviceInts.of(to), edges, nodes);
      DisjointSets sets = new DisjointSets(DeviceInts.of(parents));
      Kernel unite = new Unite(sets, DeviceInts.of(from), DeviceInts.of(to), edges);
      LaunchShape shape = launcher.shapeForEach(edges);
      KernelTimes times = KernelTimes.begin(launcher);
      LongSupplier once =
          () -> {
            launcher.run(new Begin(DeviceInts.of(parents), nodes), launcher.shapeForEach(nodes));
            long nanos = KernelTimes.nanos(launcher, unite, shape);
            launcher.readBack(parents);
            requireComponents(DeviceInts.of(parents), nodes, expected);
            return nanos;
          };
      times.print(
          "union-find",
          "gyre",
          "nodes=" + nodes,
          new KernelTimes.Work(edges, 8L * edges, shape.threads(), "edge/s"),
          KernelTimes.repeated(runs, once));
    }
  }

  private static void requireComponents(DeviceInts parents, int nodes, int expected) {
    int roots = 0;
    for (int i = 0; i < nodes; i++) {
      roots += parents.get(i) == i ? 1 : 0;
    }
    if (roots != expected) {
      throw new IllegalStateException("%d components, not %d".formatted(roots, expected));
    }
  }
}
