// cuCollections' static_map with its own bulk operations, on the keys and table sizes of the others.
// Its headers are no part of this repository: `make -C bench/rivals CUCO=FOLDER/include`.
#include <thrust/version.h>
#if THRUST_VERSION >= 300000  // which has dropped it, while cuCollections of 2024 needs it
namespace thrust {
template <class T = void>
struct identity {
  using argument_type = T;
  using result_type = T;
  template <class U>
  __host__ __device__ U const& operator()(U const& x) const {
    return x;
  }
};
}  // namespace thrust
#endif
#include <cuco/static_map.cuh>

#include "map_benchmark.hpp"

namespace rivals {

using entry = cuco::pair<int32_t, int32_t>;

struct make_entries {
  entry* entries;
  int32_t* keys;
  uint64_t n, seed, from;
  HD void operator()(unsigned thread, unsigned threads) const {
    for (uint64_t i = thread; i < n; i += threads) {
      keys[i] = unique_key(seed, from + i);
      entries[i] = {keys[i], value_of(from + i)};
    }
  }
};

/// Absent is -1 with cuCollections; no value_of() of these keys is looked for there.
struct count_wrong {
  int32_t const* out;
  uint64_t n;
  bool present;
  atomic<unsigned long long>* wrong;
  HD void operator()(unsigned thread, unsigned threads) {
    for (uint64_t i = thread; i < n; i += threads)
      if (out[i] != (present ? value_of(i) : -1)) wrong->fetch_add(1, relaxed);
  }
};

void measure(uint64_t n, double load, uint64_t runs, uint64_t seed) {
  shape const all = shapes_for(n).back();
  cuco::static_map map{cuco::extent<std::size_t>{std::size_t(double(n) / load)},
                       cuco::empty_key<int32_t>{-1}, cuco::empty_value<int32_t>{-1}, {},
                       cuco::linear_probing<1, cuco::default_hash_function<int32_t>>{}};
  buffer<entry> entries(n);
  buffer<int32_t> keys(n), out(n);
  buffer<atomic<unsigned long long>> wrong(1);
  auto const find = [&](uint64_t from) {
    run(all, make_entries{entries.data, keys.data, n, seed, from});
    double const t = timed([&] { map.find_async(keys.data, keys.data + n, out.data); });
    wrong.fill(0, 1);
    run(all, count_wrong{out.data, n, from == 0, wrong.data});
    unsigned long long count = 0;
    wrong.to(&count, 1);
    if (count != 0) throw std::runtime_error("keys found with another value, or not");
    return t;
  };
  std::vector<double> inserts, finds, absents;
  for (uint64_t r = 0; r <= runs; ++r) {  // the first is not counted
    map.clear();
    run(all, make_entries{entries.data, keys.data, n, seed, 0});
    double const i = timed([&] { map.insert_async(entries.data, entries.data + n); });
    double const f = find(0), a = find(n);
    if (r == 0) continue;
    inserts.push_back(i);
    finds.push_back(f);
    absents.push_back(a);
  }
  std::string const params = "load=" + std::to_string(double(n) / double(map.capacity())).substr(0, 5) +
                             " linear_probing<1> seed=" + std::to_string(seed);
  print({"map-insert", "cuco::static_map", n, n * 8, all, params, double(n), "keys/s"}, inserts);
  print({"map-find", "cuco::static_map", n, n * 8, all, params, double(n), "keys/s"}, finds);
  print({"map-find-absent", "cuco::static_map", n, n * 8, all, params, double(n), "keys/s"}, absents);
}

}  // namespace rivals

int main(int argc, char** argv) {
  using namespace rivals;
  return guarded("cuco_map", [&] {
    options o(argc, argv);
    uint64_t const n = o.count("--n", 1 << 20), runs = o.count("--runs", 11);
    double const load = o.real("--load", 0.5);
    uint64_t const seed = o.count("--seed", 42);
    if (n < 1 || runs < 1 || !(load > 0 && load <= 1) || !o.files().empty())
      throw std::invalid_argument("--n and --runs begin at 1, --load is in (0, 1]");
    print_header();
    measure(n, load, runs, seed);
  });
}
