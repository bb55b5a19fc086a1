// Measures a map from int to int: inserts n unique keys into an empty table, finds them all, and
// looks for as many that are absent. A map is a struct that a kernel can copy, with
//   HD int insert(int key, int value)          1: inserted, 0: was there, -1: full
//   HD bool find(int key, int& value) const
#pragma once

#include "rivals.hpp"

namespace rivals {

struct tally {
  unsigned long long inserted, found, wrong;
};

/// The counts of a thread, added to those of all; only in the runs that are checked, not timed.
HD inline void add(atomic<unsigned long long>* counts, tally t) {
  if (t.inserted) counts[0].fetch_add(t.inserted, relaxed);
  if (t.found) counts[1].fetch_add(t.found, relaxed);
  if (t.wrong) counts[2].fetch_add(t.wrong, relaxed);
}

struct make_keys {
  int32_t *keys, *values;
  uint64_t n, seed, from;
  HD void operator()(unsigned thread, unsigned threads) const {
    for (uint64_t i = thread; i < n; i += threads) {
      keys[i] = unique_key(seed, from + i);
      values[i] = value_of(from + i);
    }
  }
};

template <class Map>
struct insert_all {
  Map map;
  int32_t const *keys, *values;
  uint64_t n;
  atomic<unsigned long long>* counts;  // or null
  HD void operator()(unsigned thread, unsigned threads) {
    tally t{};
    for (uint64_t i = thread; i < n; i += threads) {
      int const outcome = map.insert(keys[i], values[i]);
      t.inserted += outcome == 1;
      t.found += outcome == 0;
      t.wrong += outcome < 0;
    }
    if (counts) add(counts, t);
  }
};

template <class Map>
struct find_all {
  Map map;
  int32_t const* keys;
  int32_t* out;
  uint64_t n;
  HD void operator()(unsigned thread, unsigned threads) {
    for (uint64_t i = thread; i < n; i += threads) {
      int32_t value = 0;  // no value_of() that is expected is looked at where a key is absent
      out[i] = map.find(keys[i], value) ? value : -1 - value_of(i);
    }
  }
};

struct compare_found {
  int32_t const* out;
  uint64_t n;
  bool present;
  atomic<unsigned long long>* counts;
  HD void operator()(unsigned thread, unsigned threads) {
    tally t{};
    for (uint64_t i = thread; i < n; i += threads) {
      int32_t const expected = present ? value_of(i) : -1 - value_of(i);
      t.found += out[i] == expected;
      t.wrong += out[i] != expected;
    }
    add(counts, t);
  }
};

inline void expect(char const* what, unsigned long long actual, unsigned long long expected) {
  if (actual != expected)
    throw std::runtime_error(std::string(what) + ": " + std::to_string(actual) + " instead of " +
                             std::to_string(expected));
}

class map_benchmark {
 public:
  explicit map_benchmark(options& o)
      : n_(o.count("--n", 1 << 20)),
        load_(o.real("--load", 0.5)),
        runs_(o.count("--runs", 11)),
        seed_(o.count("--seed", 42)),
        keys_(n_), values_(n_), out_(n_), counts_(3) {
    if (n_ < 1 || n_ > uint64_t(1) << 31) throw std::invalid_argument("--n must be 1 to 2^31");
    if (!(load_ > 0 && load_ <= 1)) throw std::invalid_argument("--load must be in (0, 1]");
    if (runs_ < 1) throw std::invalid_argument("--runs must be at least 1");
    all_ = shapes_for(n_).back();
  }

  uint64_t n() const { return n_; }

  /// For maps that cannot hold some key.
  void refuse_key(int32_t key) const {
    for (uint64_t i = 0; i < n_; ++i)
      if (unique_key(seed_, i) == key)
        throw std::invalid_argument("this map cannot hold key " + std::to_string(key) +
                                    ", which is among the keys: take another --seed");
  }

  uint64_t least_capacity() const { return uint64_t(double(n_) / load_ + 0.5); }

  uint64_t power_of_two_capacity() const {
    uint64_t capacity = 1;
    while (capacity < least_capacity()) capacity *= 2;
    return capacity;
  }

  /// Times and prints one map; `clear` empties it.
  template <class Map, class Clear>
  void measure(char const* name, Map map, uint64_t capacity, std::string const& note, shape s,
               Clear clear) {
    std::vector<double> insert, find, absent;
    for (uint64_t r = 0; r <= runs_; ++r) {  // the first is not counted
      clear();
      prepare(0);
      double const i = run(s, insert_all<Map>{map, keys_.data, values_.data, n_, nullptr});
      double const f = run(s, find_all<Map>{map, keys_.data, out_.data, n_});
      check_found(true);
      prepare(n_);
      double const a = run(s, find_all<Map>{map, keys_.data, out_.data, n_});
      check_found(false);
      if (r == 0) continue;
      insert.push_back(i);
      find.push_back(f);
      absent.push_back(a);
    }
    check_outcomes(map, s, clear);
    std::string const params = "load=" + std::to_string(double(n_) / double(capacity)).substr(0, 5) +
                               " block=" + std::to_string(s.block) + " seed=" +
                               std::to_string(seed_) + note;
    print({"map-insert", name, n_, n_ * 8, s, params, double(n_), "keys/s"}, insert);
    print({"map-find", name, n_, n_ * 8, s, params, double(n_), "keys/s"}, find);
    print({"map-find-absent", name, n_, n_ * 8, s, params, double(n_), "keys/s"}, absent);
  }

 private:
  void prepare(uint64_t from) {
    run(all_, make_keys{keys_.data, values_.data, n_, seed_, from});
    out_.fill(0, n_);
    counts_.fill(0, 3);
  }

  void check_found(bool present) {
    counts_.fill(0, 3);
    run(all_, compare_found{out_.data, n_, present, counts_.data});
    expect(present ? "keys found with another value, or not" : "absent keys found", tallied().wrong,
           0);
  }

  /// Every key is inserted once; a second time, none is.
  template <class Map, class Clear>
  void check_outcomes(Map map, shape s, Clear clear) {
    clear();
    prepare(0);
    run(s, insert_all<Map>{map, keys_.data, values_.data, n_, counts_.data});
    expect("keys inserted", tallied().inserted, n_);
    counts_.fill(0, 3);
    run(s, insert_all<Map>{map, keys_.data, values_.data, n_, counts_.data});
    expect("keys present in the second insert", tallied().found, n_);
  }

  tally tallied() const {
    tally t;
    counts_.to(&t, 3);
    return t;
  }

  uint64_t n_;
  double load_;
  uint64_t runs_, seed_;
  buffer<int32_t> keys_, values_, out_;
  buffer<atomic<unsigned long long>> counts_;
  shape all_{};
};

}  // namespace rivals
