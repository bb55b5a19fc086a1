// The plainest fast map from int to int: key and value in one 64-bit word, published by one
// compare-and-swap; a word of all ones is empty, so key -1 is not allowed.
#include "map_benchmark.hpp"

namespace rivals {

constexpr uint64_t empty = ~uint64_t(0);

struct packed_map {
  uint64_t capacity_;
  atomic<uint64_t>* words_;

  HD static uint64_t word(int32_t key, int32_t value) {
    return uint64_t(uint32_t(key)) << 32 | uint32_t(value);
  }

  HD int insert(int32_t key, int32_t value) {
    uint64_t index = hash{}(key) & (capacity_ - 1);
    for (uint64_t i = 0; i < capacity_; ++i) {
      uint64_t seen = words_[index].load(relaxed);
      if (seen == empty && words_[index].compare_exchange_strong(seen, word(key, value), relaxed))
        return 1;
      if (int32_t(seen >> 32) == key) return 0;
      index = (index + 1) & (capacity_ - 1);
    }
    return -1;
  }

  HD bool find(int32_t key, int32_t& value) const {
    uint64_t index = hash{}(key) & (capacity_ - 1);
    for (uint64_t i = 0; i < capacity_; ++i) {
      uint64_t const seen = words_[index].load(relaxed);
      if (seen == empty) return false;
      if (int32_t(seen >> 32) == key) {
        value = int32_t(uint32_t(seen));
        return true;
      }
      index = (index + 1) & (capacity_ - 1);
    }
    return false;
  }
};

}  // namespace rivals

int main(int argc, char** argv) {
  using namespace rivals;
  return guarded("packed_map", [&] {
    options o(argc, argv);
    map_benchmark benchmark(o);
    auto const shapes = o.shapes(shapes_for(benchmark.n()));
    if (!o.files().empty()) throw std::invalid_argument("takes no files");
    benchmark.refuse_key(-1);
    uint64_t const capacity = benchmark.power_of_two_capacity();
    buffer<atomic<uint64_t>> words(capacity);
    packed_map const map{capacity, words.data};
    print_header();
    for (shape s : shapes)
      benchmark.measure("packed-map", map, capacity, "", s, [&] { words.fill(0xff, capacity); });
  });
}
