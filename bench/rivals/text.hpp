// Text for the tries, and the count that their results are checked against.
#pragma once

#include <cmath>
#include <sstream>

#include "rivals.hpp"

namespace rivals {

HD inline int index_of(char c) {
  if (c >= 'a' && c <= 'z') return c - 'a';
  if (c >= 'A' && c <= 'Z') return c - 'A';
  return -1;
}

/// The same trie, built by one thread.
struct reference {
  struct node {
    int next[26] = {};
    int count = 0;
  };
  std::vector<node> nodes{1};
  uint64_t words = 0, distinct = 0;

  explicit reference(std::string const& text) {
    size_t at = 0;
    for (size_t i = 0; i <= text.size(); ++i) {
      int const letter = i < text.size() ? index_of(text[i]) : -1;
      if (letter < 0) {
        if (at != 0) {
          ++words;
          distinct += nodes[at].count++ == 0;
        }
        at = 0;
      } else {
        if (nodes[at].next[letter] == 0) {
          int const fresh = int(nodes.size());
          nodes.emplace_back();
          nodes[at].next[letter] = fresh;
        }
        at = size_t(nodes[at].next[letter]);
      }
    }
  }
};

/// The files, a newline behind each.
inline std::string read_files(std::vector<std::string> const& files) {
  std::string text;
  for (auto const& name : files) {
    std::ifstream in(name, std::ios::binary);
    if (!in) throw std::invalid_argument("cannot read " + name);
    std::ostringstream all;
    all << in.rdbuf();
    text += all.str() + '\n';
  }
  return text;
}

/// The text, which ends with a gap, so many times.
inline std::string repeated(std::string const& text, uint64_t times) {
  std::string all = text;
  all.reserve(text.size() * times);
  for (uint64_t i = 1; i < times; ++i) all += text;
  return all;
}

/// Seeded text: 50,000 words of 1 to 12 letters, the r-th drawn in proportion to 1/(r+2)^1.05.
inline std::string zipf_text(uint64_t seed, uint64_t bytes) {
  uint64_t index = 0;
  auto const random = [&] {  // SplitMix64 (Steele, Lea, Flood 2014)
    uint64_t z = seed + ++index * 0x9e3779b97f4a7c15ull;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
    return z ^ (z >> 31);
  };
  std::vector<std::string> words(50000);
  std::vector<double> below;
  double sum = 0;
  for (size_t r = 0; r < words.size(); ++r) {
    size_t const length = 1 + std::min<size_t>(11, size_t(std::log2(double(r + 1)) * 0.7));
    for (size_t i = 0; i < length; ++i) words[r] += char('a' + random() % 26);
    below.push_back(sum += 1 / std::pow(double(r + 3), 1.05));
  }
  std::string text;
  for (size_t count = 1;; ++count) {
    double const drawn = double(random() >> 11) * 0x1p-53 * sum;
    size_t const rank = size_t(std::upper_bound(below.begin(), below.end(), drawn) - below.begin());
    std::string const& word = words[std::min(rank, words.size() - 1)];
    if (text.size() + word.size() + 1 > bytes) return text;
    text.append(word).append(1, count % 11 == 0 ? '\n' : ' ');
  }
}

}  // namespace rivals
