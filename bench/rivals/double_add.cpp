// Fetch-and-add of doubles by all threads, relaxed: to one place, and to 2^20 places by turns.
#include "rivals.hpp"

namespace rivals {

struct add_doubles {
  atomic<double>* sums;
  uint64_t mask, n;

  HD void operator()(unsigned thread, unsigned threads) const {
    for (uint64_t i = thread; i < n; i += threads) sums[i & mask].fetch_add(1.0, relaxed);
  }
};

}  // namespace rivals

int main(int argc, char** argv) {
  using namespace rivals;
  return guarded("double_add", [&] {
    options o(argc, argv);
    uint64_t const n = o.count("--n", 1 << 24);
    uint64_t const runs = o.count("--runs", 11);
    auto const shapes = o.shapes(shapes_for(n));
    if (!o.files().empty()) throw std::invalid_argument("takes no files");
    uint64_t const places = 1 << 20;
    buffer<atomic<double>> sums(places);
    print_header();
    for (uint64_t mask : {uint64_t(0), places - 1})
      for (shape s : shapes) {
        std::vector<double> seconds;
        sums.fill(0, places);
        for (uint64_t i = 0; i <= runs; ++i) {
          double const took = run(s, add_doubles{sums.data, mask, n});
          if (i > 0) seconds.push_back(took);  // the first is not counted
        }
        std::vector<double> result(places);
        sums.to(result.data(), places);
        double all = 0;
        for (double sum : result) all += sum;
        if (all != double((runs + 1) * n)) throw std::runtime_error("wrong sum");
        print({"double-add", "double-add", n, 8 * n, s, mask == 0 ? "one" : "2^20", double(n),
               "op/s"},
              seconds);
      }
  });
}
