// The concurrent_insert_only_map of the talk "The CUDA C++ Standard Library" (B. A. Lelbach, 2020):
// states, keys and values in three arrays; EMPTY -> RESERVED -> FILLED; waiters on RESERVED.
#include "map_benchmark.hpp"

namespace rivals {

enum state_type { state_empty, state_reserved, state_filled };

/// Index: where a hash's slot and the slot after another come from.
struct masked {
  uint64_t capacity;
  HD uint64_t operator()(uint64_t h) const { return h & (capacity - 1); }
};
struct modulo {  // as on the talk's slide
  uint64_t capacity;
  HD uint64_t operator()(uint64_t h) const { return h % capacity; }
};

template <class Index>
struct concurrent_insert_only_map {
  Index index_;
  int32_t* keys_;
  int32_t* values_;
  atomic<state_type>* states_;

  HD int32_t* try_insert(int32_t key, int32_t value, bool& inserted) {
    auto index = index_(hash{}(key));
    for (uint64_t i = 0; i < index_.capacity; ++i) {
      state_type old = states_[index].load(acquire);
      while (old == state_empty) {
        if (states_[index].compare_exchange_weak(old, state_reserved, acq_rel, acquire)) {
          keys_[index] = key;
          values_[index] = value;
          states_[index].store(state_filled, release);
          states_[index].notify_all();
          inserted = true;
          return values_ + index;
        }
      }
      states_[index].wait(state_reserved, acquire);
      if (keys_[index] == key) return values_ + index;
      index = index_(index + 1);
    }
    return nullptr;
  }

  HD int insert(int32_t key, int32_t value) {
    bool inserted = false;
    int32_t* const at = try_insert(key, value, inserted);
    return at == nullptr ? -1 : inserted;
  }

  HD bool find(int32_t key, int32_t& value) const {
    auto index = index_(hash{}(key));
    for (uint64_t i = 0; i < index_.capacity; ++i) {
      if (states_[index].load(acquire) == state_empty) return false;
      states_[index].wait(state_reserved, acquire);
      if (keys_[index] == key) {
        value = values_[index];
        return true;
      }
      index = index_(index + 1);
    }
    return false;
  }
};

template <class Index>
void measure(map_benchmark& benchmark, uint64_t capacity, shape s, char const* note) {
  buffer<atomic<state_type>> states(capacity);
  buffer<int32_t> keys(capacity), values(capacity);
  concurrent_insert_only_map<Index> const map{{capacity}, keys.data, values.data, states.data};
  benchmark.measure("talk-map", map, capacity, note, s, [&] { states.fill(0, capacity); });
}

}  // namespace rivals

int main(int argc, char** argv) {
  using namespace rivals;
  return guarded("talk_map", [&] {
    options o(argc, argv);
    bool const literal = o.flag("--modulo");
    map_benchmark benchmark(o);
    auto const shapes = o.shapes(shapes_for(benchmark.n()));
    if (!o.files().empty()) throw std::invalid_argument("takes no files");
    print_header();
    for (shape s : shapes) {
      if (literal)
        measure<modulo>(benchmark, benchmark.least_capacity(), s, " index=modulo");
      else
        measure<masked>(benchmark, benchmark.power_of_two_capacity(), s, " index=mask");
    }
  });
}
