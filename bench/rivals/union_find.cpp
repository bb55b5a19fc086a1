// Connected components by a concurrent union-find: the algorithm of dev.gyre.bench.device.UnionFind,
// over the same edges. A link goes from the larger root to the smaller, by compare-and-swap, and a
// search halves the path that it takes; all is relaxed, the parents are all that there is to see.
#include <numeric>

#include "rivals.hpp"

namespace rivals {

/// An end of an edge: the upper half of Stafford's mixing of a number.
HD inline uint32_t edge_end(uint64_t number, uint64_t nodes) {
  uint64_t h = (number + 1) * 0x9e3779b97f4a7c15u;
  h = (h ^ (h >> 30)) * 0xbf58476d1ce4e5b9u;
  h = (h ^ (h >> 27)) * 0x94d049bb133111ebu;
  h ^= h >> 31;
  return uint32_t((h >> 32) * nodes >> 32);
}

struct disjoint_sets {
  atomic<uint32_t>* parents_;

  HD uint32_t find(uint32_t node) const {
    uint32_t at = node;
    uint32_t parent = parents_[at].load(relaxed);
    while (parent != at) {
      parents_[at].store(parents_[parent].load(relaxed), relaxed);
      at = parent;
      parent = parents_[at].load(relaxed);
    }
    return at;
  }

  HD void unite(uint32_t one, uint32_t other) const {
    uint32_t x = find(one);
    uint32_t y = find(other);
    while (x != y) {
      uint32_t high = x > y ? x : y;
      uint32_t const low = x > y ? y : x;
      if (parents_[high].compare_exchange_strong(high, low, relaxed)) break;
      x = find(x);
      y = find(y);
    }
  }
};

struct unite_all {
  disjoint_sets sets;
  uint32_t const* from;
  uint32_t const* to;
  uint64_t edges;

  HD void operator()(unsigned thread, unsigned threads) const {
    for (uint64_t i = thread; i < edges; i += threads) sets.unite(from[i], to[i]);
  }
};

inline uint32_t root(std::vector<uint32_t>& parents, uint32_t at) {
  while (parents[at] != at) at = parents[at] = parents[parents[at]];
  return at;
}

}  // namespace rivals

int main(int argc, char** argv) {
  using namespace rivals;
  return guarded("union_find", [&] {
    options o(argc, argv);
    uint64_t const edges = o.count("--n", 1 << 24);
    uint64_t const runs = o.count("--runs", 11);
    auto const shapes = o.shapes(shapes_for(edges));
    if (!o.files().empty()) throw std::invalid_argument("takes no files");
    if (edges < 2 || edges > uint64_t(1) << 30) throw std::invalid_argument("--n is from 2 to 2^30");
    uint64_t const nodes = edges / 2;
    std::vector<uint32_t> ends[2], own(nodes);
    std::iota(own.begin(), own.end(), 0u);
    std::vector<uint32_t> expected = own;
    uint64_t components = nodes;
    for (uint64_t i = 0; i < edges; ++i) {
      for (unsigned side : {0u, 1u}) ends[side].push_back(edge_end(2 * i + side, nodes));
      uint32_t const x = root(expected, ends[0].back()), y = root(expected, ends[1].back());
      components -= x != y;
      expected[std::max(x, y)] = std::min(x, y);
    }
    buffer<uint32_t> from(edges), to(edges);
    from.from(ends[0].data(), edges);
    to.from(ends[1].data(), edges);
    buffer<atomic<uint32_t>> parents(nodes);
    print_header();
    for (shape s : shapes) {
      std::vector<double> seconds;
      for (uint64_t i = 0; i <= runs; ++i) {
        parents.from(own.data(), nodes);
        double const took = run(s, unite_all{{parents.data}, from.data, to.data, edges});
        if (i > 0) seconds.push_back(took);  // the first is not counted
        std::vector<uint32_t> result(nodes);
        parents.to(result.data(), nodes);
        uint64_t roots = 0;
        for (uint64_t node = 0; node < nodes; ++node) roots += result[node] == node;
        if (roots != components) throw std::runtime_error("wrong number of components");
      }
      print({"union-find", "union-find", edges, 8 * edges, s, "nodes=" + std::to_string(nodes),
             double(edges), "edge/s"},
            seconds);
    }
  });
}
