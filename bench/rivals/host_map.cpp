// The map of dev.gyre.structures.map.LongLongMap for standard C++: the same slots, hash and probing,
// without what a library has around them (growth, a gate, counts of keys, checks of arguments).
// The CPU only. A slot goes from EMPTY to RESERVED to FILLED; keys of EMPTY slots are 0, so that most
// slots are told by their key alone.
#include <iterator>
#include <utility>

#include "rivals.hpp"

namespace rivals {

enum state : int32_t { state_empty, state_reserved, state_filled };

/// Three arrays.
struct reference_slots {
  static constexpr char const* name = "host-map-reference";
  static constexpr uint64_t bytes = 20;
  atomic<int64_t> *keys, *values;
  atomic<int32_t>* states;
  reference_slots(char* memory, uint64_t slots)
      : keys(reinterpret_cast<atomic<int64_t>*>(memory)),
        values(keys + slots),
        states(reinterpret_cast<atomic<int32_t>*>(values + slots)) {}
  atomic<int32_t>& state(uint64_t slot) const { return states[slot]; }
  atomic<int64_t>& key(uint64_t slot) const { return keys[slot]; }
  atomic<int64_t>& value(uint64_t slot) const { return values[slot]; }
};

/// One array of lines of 32 bytes.
struct line_slots {
  struct line {
    atomic<int32_t> state;
    atomic<int64_t> key, value, unused;
  };
  static constexpr char const* name = "host-map-line";
  static constexpr uint64_t bytes = sizeof(line);
  line* lines;
  line_slots(char* memory, uint64_t) : lines(reinterpret_cast<line*>(memory)) {}
  atomic<int32_t>& state(uint64_t slot) const { return lines[slot].state; }
  atomic<int64_t>& key(uint64_t slot) const { return lines[slot].key; }
  atomic<int64_t>& value(uint64_t slot) const { return lines[slot].value; }
};

/// Operations begin at the home of their key. Searches end, since a table is never full.
template <class Slots>
class host_map {
 public:
  static constexpr char const* name = Slots::name;

  /// On memory of so many slots, which is all 0.
  host_map(char* memory, uint64_t slots, uint64_t seed)
      : slots_(memory, slots), count_(slots), seed_(seed) {}

  /// By the only thread that updates; whether the key was not there.
  bool insert_owned(uint64_t slot, int64_t key, int64_t value) const {
    int64_t seen = slots_.key(slot).load(relaxed);
    while (seen != key || key == 0) {
      if (seen == 0) {
        if (slots_.state(slot).load(relaxed) == state_empty) {
          fill(slot, key, value);
          return true;
        }
        if (key == 0) return false;
      }
      slot = next(slot);
      seen = slots_.key(slot).load(relaxed);
    }
    return false;
  }

  /// By any thread; whether the key was not there.
  bool insert(uint64_t slot, int64_t key, int64_t value) const {
    for (;; slot = next(slot)) {
      int64_t const seen = slots_.key(slot).load(relaxed);
      if (seen != key && seen != 0) continue;
      auto& state = slots_.state(slot);
      int32_t old = state.load(acquire);
      if (old == state_empty && state.compare_exchange_strong(old, state_reserved, acquire)) {
        fill(slot, key, value);
        return true;
      }
      while (old == state_reserved) {
        std::this_thread::yield();
        old = state.load(acquire);
      }
      if (slots_.key(slot).load(relaxed) == key) return false;
    }
  }

  int64_t get(uint64_t slot, int64_t key, int64_t if_absent) const {
    auto* const value = find(slot, key);
    return value == nullptr ? if_absent : value->load(relaxed);
  }

  /// Adds to the value of a key, if it is there.
  bool add(uint64_t slot, int64_t key, int64_t operand) const {
    auto* const value = find(slot, key);
    if (value != nullptr) value->fetch_add(operand, relaxed);
    return value != nullptr;
  }

  uint64_t home(int64_t key) const { return scaled(hashed(key)); }

  /// Calls `one(i, home)` for some keys, of which it computes the homes some at a time, by vector
  /// instructions; returns how often that was true.
  template <class One>
  uint64_t in_blocks(int64_t const* keys, uint64_t from, uint64_t to, One one) const {
    uint64_t homes[256];
    uint64_t count = 0;
    for (uint64_t at = from; at < to; at += std::size(homes)) {
      uint64_t const length = std::min(to - at, uint64_t(std::size(homes)));
      for (uint64_t i = 0; i < length; ++i) homes[i] = hashed(keys[at + i]);
      for (uint64_t i = 0; i < length; ++i) homes[i] = scaled(homes[i]);
      for (uint64_t i = 0; i < length; ++i) count += one(at + i, homes[i]);
    }
    return count;
  }

 private:
  /// As dev.gyre.kernels.map.Hashing, as is what follows.
  uint64_t hashed(int64_t key) const {
    uint64_t h = uint64_t(key) ^ seed_;
    h = (h ^ (h >> 30)) * 0xbf58476d1ce4e5b9u;
    h = (h ^ (h >> 27)) + seed_;
    h *= 0x94d049bb133111ebu;
    return h ^ (h >> 31);
  }

  uint64_t scaled(uint64_t hash) const {
    return uint64_t((unsigned __int128)hash * count_ >> 64);
  }

  uint64_t next(uint64_t slot) const { return slot + 1 == count_ ? 0 : slot + 1; }

  void fill(uint64_t slot, int64_t key, int64_t value) const {
    slots_.key(slot).store(key, relaxed);
    slots_.value(slot).store(value, relaxed);
    slots_.state(slot).store(state_filled, release);
  }

  /// The value of a key, or null. What is RESERVED is passed over.
  atomic<int64_t>* find(uint64_t slot, int64_t key) const {
    for (;; slot = next(slot)) {
      int64_t const seen = slots_.key(slot).load(relaxed);
      if (seen != key && seen != 0) continue;
      int32_t const state = slots_.state(slot).load(acquire);
      if (state == state_empty) return nullptr;
      // Once more, since a key may have been written since; to ask whether one was takes longer.
      if (state == state_filled && slots_.key(slot).load(relaxed) == key) return &slots_.value(slot);
    }
  }

  Slots slots_;
  uint64_t count_, seed_;
};

/// Key `index` of dev.gyre.datasets.Keys.unique(seed) as a long.
uint64_t unique_long(uint64_t seed, uint64_t index) {
  uint64_t z = seed + (index + 1) * 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

/// Never 0.
int64_t value_of_key(int64_t key) { return int64_t(uint64_t(key) * 0x9e3779b97f4a7c15u | 1); }

void expect(std::string const& what, uint64_t actual, uint64_t expected) {
  if (actual != expected)
    throw std::runtime_error(what + ": " + std::to_string(actual) + " instead of " +
                             std::to_string(expected));
}

/// As dev.gyre.bench.measure.MeasureMaps: the same keys, queries drawn from them at random.
class host_benchmark {
 public:
  explicit host_benchmark(options& o)
      : n_(o.count("--n", 1 << 20)),
        load_(o.real("--load", 0.5)),
        runs_(o.count("--runs", 11)),
        seed_(o.count("--seed", 42)),
        times_(o.count("--times", std::max(uint64_t(1), (uint64_t(1) << 20) / std::max(uint64_t(1), n_)))),
        operations_(o.text("--ops", "insert,find,put,get,mixed")),
        layouts_(o.text("--layouts", "reference,line")) {
    if (n_ < 1 || n_ > uint64_t(1) << 31) throw std::invalid_argument("--n must be 1 to 2^31");
    if (!(load_ > 0 && load_ < 1)) throw std::invalid_argument("--load must be in (0, 1)");
    if (runs_ < 1) throw std::invalid_argument("--runs must be at least 1");
    if (times_ < 1) throw std::invalid_argument("--times must be at least 1");
    for (uint64_t i = 0; i < n_; ++i) {
      keys_.push_back(int64_t(unique_long(seed_, i)));
      values_.push_back(value_of_key(keys_[i]));
    }
    for (uint64_t i = 0; i < n_; ++i) {
      queries_.push_back(keys_[unique_long(seed_ + 1, i) % n_]);
      sum_ += uint64_t(value_of_key(queries_[i]));
    }
    found_.resize(n_);
  }

  /// Times and prints all operations on one layout.
  template <class Slots>
  void measure(shape s) {
    if (!has(layouts_, std::string(Slots::name).substr(9))) return;
    uint64_t const slots = std::max(n_ + 1, uint64_t(double(n_) / load_ + 0.5));
    buffer<char> memory(slots * Slots::bytes);
    host_map<Slots> const map(memory.data, slots, 1);
    // By value, so that they are kept in registers.
    auto const insert = [map, keys = keys_.data(), values = values_.data()](auto i, auto slot) {
      return map.insert(slot, keys[i], values[i]);
    };
    auto const owned = [map, keys = keys_.data(), values = values_.data()](auto i, auto slot) {
      return map.insert_owned(slot, keys[i], values[i]);
    };
    auto const get = [map, keys = queries_.data(), found = found_.data()](auto i, auto slot) {
      return (found[i] = map.get(slot, keys[i], 0)) != 0;
    };
    // Of 20 keys the last is added to.
    auto const mixed = [map, get, keys = queries_.data()](auto i, auto slot) {
      return i % 20 == 19 ? map.add(slot, keys[i], 0) : get(i, slot);
    };
    auto const empty = [&] { memory.fill(0, memory.count); };
    auto const nothing = [] {};
    if (s.threads == 1)
      time("insert", map, s, {keys_, true, 1}, empty, owned);
    else
      time("insert", map, s, {keys_, true, 1}, empty, insert);
    time("put", map, s, {keys_, false, 1}, empty, insert);
    empty();
    expect("keys inserted", each(map, s, {keys_, true, 1}, insert).count, n_);
    expect("keys inserted again", each(map, s, {keys_, false, 1}, insert).count, 0);
    expect("keys inserted once more", each(map, {1, 1}, {keys_, true, 1}, owned).count, 0);
    if (time("find", map, s, {queries_, true, 1}, nothing, get)) check_found();
    if (time("get", map, s, {queries_, false, times_}, nothing, get)) check_found();
    if (time("mixed", map, s, {queries_, false, times_}, nothing, mixed)) {
      each(map, s, {queries_, false, 1}, get);
      check_found();
    }
    for (uint64_t i = n_; i < 2 * n_; ++i) {
      int64_t const absent = int64_t(unique_long(seed_, i));
      expect("an absent key", uint64_t(map.get(map.home(absent), absent, 0)), 0);
    }
  }

 private:
  struct result {
    double seconds;
    uint64_t count;
  };

  /// What is done in a run.
  struct work {
    std::vector<int64_t> const& keys;
    bool bulk;  // or one by one
    uint64_t times;
  };

  static bool has(std::string const& list, std::string const& name) {
    return ("," + list + ",").find("," + name + ",") != std::string::npos;
  }

  /// Each thread does its share of the keys, so many times; the seconds of one time.
  template <class Map, class One>
  result each(Map const& shared, shape s, work const& w, One const& all_do) {
    std::atomic<uint64_t> all{0};
    double const seconds = run(s, [&](unsigned thread, unsigned threads) {
      uint64_t const from = n_ * thread / threads, to = n_ * (thread + 1) / threads;
      int64_t const* const keys = w.keys.data();
      Map const map = shared;
      One const one = all_do;
      uint64_t count = 0;
      for (uint64_t t = 0; t < w.times; ++t) {
        if (w.bulk)
          count += map.in_blocks(keys, from, to, one);
        else
          for (uint64_t i = from; i < to; ++i) count += one(i, map.home(keys[i]));
      }
      all += count;
    });
    return {seconds / double(w.times), all / w.times};
  }

  /// Runs for a while, as the JVM's do, so that branches are learnt by then, and for as long again,
  /// which counts; not where nobody asks for the operation.
  template <class Map, class Before, class One>
  bool time(std::string const& operation, Map const& map, shape s, work const& w, Before before,
            One const& one) {
    if (!has(operations_, operation)) return false;
    std::vector<double> seconds;
    for (uint64_t least : {uint64_t(1), runs_}) {
      seconds.clear();
      for (double spent = 0; seconds.size() < least || spent < 0.05;
           spent += seconds.back() * double(w.times)) {
        before();
        result const r = each(map, s, w, one);
        expect(operation, r.count, n_);
        seconds.push_back(r.seconds);
      }
    }
    std::string load = std::to_string(load_);
    load.erase(std::max(load.find_last_not_of('0') + 1, load.find('.') + 2));
    bool const hits = operation == "find" || operation == "get";
    print({"map-" + operation, Map::name, n_, n_ * 16, s,
           "type=long keys=unique load=" + load + (hits ? " hits=100" : ""), double(n_), "keys/s"},
          seconds);
    return true;
  }

  /// And forgets them.
  void check_found() {
    uint64_t sum = 0;
    for (int64_t& value : found_) sum += uint64_t(std::exchange(value, 0));
    expect("sum of the values found", sum, sum_);
  }

  uint64_t n_;
  double load_;
  uint64_t runs_, seed_, times_;
  std::string operations_, layouts_;
  std::vector<int64_t> keys_, values_, queries_, found_;
  uint64_t sum_ = 0;
};

}  // namespace rivals

int main(int argc, char** argv) {
  using namespace rivals;
  return guarded("host_map", [&] {
    options o(argc, argv);
    host_benchmark benchmark(o);
    auto const shapes = o.shapes(resident_shapes());
    if (!o.files().empty()) throw std::invalid_argument("takes no files");
    print_header();
    for (shape s : shapes) {
      benchmark.measure<reference_slots>(s);
      benchmark.measure<line_slots>(s);
    }
  });
}
