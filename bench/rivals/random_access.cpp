// What no map of the kind gets past, on keys and table sizes of the others: one access to a random
// word of the table for each key, a load or a compare-and-swap, with keys that are in no memory;
// the load, too, with keys and answers in memory, as a find has them whose search always ends where
// it begins; and, in CUDA C++, CUB's radix sort of keys and values by the regions of the table, for
// maps that put keys in order first.
#include "map_benchmark.hpp"

#ifdef __CUDACC__
#include <cub/device/device_radix_sort.cuh>
#endif

namespace rivals {

constexpr uint64_t empty = ~uint64_t(0);

struct gather {
  atomic<uint64_t>* words;
  uint64_t mask, n, seed;
  uint64_t* sums;  // one for each thread, so that no load is left out
  HD void operator()(unsigned thread, unsigned threads) const {
    uint64_t sum = 0;
    for (uint64_t i = thread; i < n; i += threads)
      sum += words[hash{}(unique_key(seed, i)) & mask].load(relaxed);
    if (sum == empty) sums[thread] = sum;
  }
};

struct gather_answers {
  atomic<uint64_t> const* words;
  uint64_t mask, n;
  int32_t const* keys;
  int32_t* out;
  HD void operator()(unsigned thread, unsigned threads) const {
    for (uint64_t i = thread; i < n; i += threads)
      out[i] = int32_t(words[hash{}(keys[i]) & mask].load(relaxed));
  }
};

struct compare_and_swap {
  atomic<uint64_t>* words;
  uint64_t mask, n, seed;
  atomic<unsigned long long>* swapped;  // or null
  HD void operator()(unsigned thread, unsigned threads) const {
    unsigned long long own = 0;
    for (uint64_t i = thread; i < n; i += threads) {
      uint64_t expected = empty;
      own += words[hash{}(unique_key(seed, i)) & mask].compare_exchange_strong(expected, i, relaxed);
    }
    if (swapped) swapped->fetch_add(own, relaxed);
  }
};

struct count_filled {
  atomic<uint64_t> const* words;
  uint64_t slots;
  atomic<unsigned long long>* filled;
  HD void operator()(unsigned thread, unsigned threads) const {
    unsigned long long own = 0;
    for (uint64_t i = thread; i < slots; i += threads) own += words[i].load(relaxed) != empty;
    filled->fetch_add(own, relaxed);
  }
};

class limits {
 public:
  explicit limits(options& o)
      : n_(o.count("--n", 1 << 20)), runs_(o.count("--runs", 11)), seed_(o.count("--seed", 42)) {
    double const load = o.real("--load", 0.5);
    if (n_ < 1 || n_ > uint64_t(1) << 31) throw std::invalid_argument("--n must be 1 to 2^31");
    if (!(load > 0 && load <= 1)) throw std::invalid_argument("--load must be in (0, 1]");
    if (runs_ < 1) throw std::invalid_argument("--runs must be at least 1");
    while (double(slots_) < double(n_) / load) slots_ *= 2;
    params_ = "load=" + std::to_string(double(n_) / double(slots_)).substr(0, 5) +
              " seed=" + std::to_string(seed_);
  }

  uint64_t n() const { return n_; }

  void accesses(shape s) {
    buffer<atomic<uint64_t>> words(slots_);
    buffer<uint64_t> sums(s.threads);
    buffer<atomic<unsigned long long>> counts(2);
    buffer<int32_t> keys(n_), out(n_);
    run(shapes_for(n_).back(), make_keys{keys.data, out.data, n_, seed_, 0});
    std::vector<double> loads, answers, swaps;
    for (uint64_t r = 0; r <= runs_; ++r) {  // the first is not counted
      words.fill(0xff, slots_);
      double const c = run(s, compare_and_swap{words.data, slots_ - 1, n_, seed_, nullptr});
      double const g = run(s, gather{words.data, slots_ - 1, n_, seed_, sums.data});
      double const a = run(s, gather_answers{words.data, slots_ - 1, n_, keys.data, out.data});
      if (r == 0) continue;
      swaps.push_back(c);
      loads.push_back(g);
      answers.push_back(a);
    }
    words.fill(0xff, slots_);
    counts.fill(0, 2);
    run(s, compare_and_swap{words.data, slots_ - 1, n_, seed_, counts.data});
    run(s, count_filled{words.data, slots_, counts.data + 1});
    unsigned long long both[2];
    counts.to(both, 2);
    expect("words swapped", both[0], both[1]);
    print_row("map-insert", "limit: raw compare-and-swap", s, swaps);
    for (char const* find : {"map-find", "map-find-absent"}) {
      print_row(find, "limit: raw gather", s, loads);
      print_row(find, "limit: gather for keys in memory", s, answers);
    }
  }

#ifdef __CUDACC__
  /// Of hashes, each of one key, with values; regions are of at most 4,096 slots.
  void partition() {
    int bits = 1;
    while (slots_ >> bits > 4096) ++bits;
    shape const s = shapes_for(n_).back();
    buffer<uint32_t> hashes(n_), ordered(n_);
    buffer<int32_t> values(n_), moved(n_);
    run(s, make_keys{reinterpret_cast<int32_t*>(hashes.data), values.data, n_, seed_, 0});
    size_t bytes = 0;
    auto const sort = [&](void* scratch) {
      check(cub::DeviceRadixSort::SortPairs(scratch, bytes, hashes.data, ordered.data, values.data,
                                            moved.data, n_, 32 - bits, 32),
            "DeviceRadixSort");
    };
    sort(nullptr);
    buffer<char> scratch(bytes);
    std::vector<double> seconds;
    for (uint64_t r = 0; r <= runs_; ++r) {
      double const t = timed([&] { sort(scratch.data); });
      if (r > 0) seconds.push_back(t);
    }
    std::vector<uint32_t> all(n_);
    ordered.to(all.data(), n_);
    for (uint64_t i = 1; i < n_; ++i)
      if (all[i - 1] >> (32 - bits) > all[i] >> (32 - bits))
        throw std::runtime_error("regions are not in order");
    print_row("map-insert", "limit: CUB's partition", s, seconds);
  }
#endif

 private:
  void print_row(char const* benchmark, char const* name, shape s, std::vector<double> const& seconds) {
    print({benchmark, name, n_, n_ * 8, s, params_, double(n_), "keys/s"}, seconds);
  }

  uint64_t n_, runs_, seed_, slots_ = 1;
  std::string params_;
};

}  // namespace rivals

int main(int argc, char** argv) {
  using namespace rivals;
  return guarded("random_access", [&] {
    options o(argc, argv);
    limits all(o);
    auto const shapes = o.shapes(shapes_for(all.n()));
    if (!o.files().empty()) throw std::invalid_argument("takes no files");
    print_header();
    for (shape s : shapes) all.accesses(s);
#ifdef __CUDACC__
    all.partition();
#endif
  });
}
