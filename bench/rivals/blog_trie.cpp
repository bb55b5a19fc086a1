// The trie of the blog "CUDA on Turing Opens New GPU Compute Possibilities" (O. Giroux, 2018): one
// trie of word counts that all threads build; per edge a flag that one thread wins, a child that
// the winner takes from a bump allocator and publishes with release, and waiters that spin.
#include "text.hpp"

namespace rivals {

struct trie {
  struct ref {
    atomic<trie*> ptr;
    atomic<int> flag;  // an exchange stands for test_and_set: a flag of a byte would cost more
  } next[26];
  atomic<int> count;
};

/// One of `domain` threads: counts the words that begin in its strip of the text.
HD inline void make_trie(trie& root, atomic<trie*>& bump, char const* begin, size_t size,
                         unsigned index, unsigned domain) {
  size_t const stride = size / domain + 1;
  size_t off = stride * index < size ? stride * index : size;
  size_t const last = off + stride < size ? off + stride : size;
  if (off > 0)  // a word cut by the strip's begin belongs to the strip before
    while (off < last && index_of(begin[off - 1]) >= 0) ++off;
  trie* n = &root;
  for (; off < size; ++off) {
    int const letter = index_of(begin[off]);
    if (letter < 0) {
      if (n != &root) {
        n->count.fetch_add(1, relaxed);
        n = &root;
      }
      if (off >= last) return;
      continue;
    }
    if (n == &root && off >= last) return;
    trie::ref& edge = n->next[letter];
    if (edge.ptr.load(acquire) == nullptr) {
      if (edge.flag.exchange(1, relaxed) != 0)
        while (edge.ptr.load(acquire) == nullptr) {
        }
      else
        edge.ptr.store(bump.fetch_add(1, relaxed), release);
    }
    n = edge.ptr.load(relaxed);
  }
  if (n != &root) n->count.fetch_add(1, relaxed);
}

struct build {
  trie* nodes;
  atomic<trie*>* bump;
  char const* text;
  size_t size;
  HD void operator()(unsigned thread, unsigned threads) const {
    make_trie(nodes[0], *bump, text, size, thread, threads);
  }
};

/// Compares the trie (its copy on the host, whose pointers count from `base`) with a reference.
inline void check(std::vector<char> const& copy, trie const* base, reference const& expected) {
  auto const* nodes = reinterpret_cast<trie const*>(copy.data());
  std::vector<std::pair<size_t, size_t>> pairs{{0, 0}};
  size_t seen = 0;
  while (!pairs.empty()) {
    auto const [ours, theirs] = pairs.back();
    pairs.pop_back();
    ++seen;
    if (nodes[ours].count.load(relaxed) != expected.nodes[theirs].count)
      throw std::runtime_error("a word's count differs from the sequential one");
    for (int letter = 0; letter < 26; ++letter) {
      trie* const child = nodes[ours].next[letter].ptr.load(relaxed);
      int const other = expected.nodes[theirs].next[letter];
      if ((child == nullptr) != (other == 0))
        throw std::runtime_error("the trie has other nodes than the sequential one");
      if (child != nullptr) pairs.emplace_back(size_t(child - base), size_t(other));
    }
  }
  if (seen != expected.nodes.size()) throw std::runtime_error("nodes are missing");
}

void measure(std::string const& text, uint64_t runs, std::string const& source,
             std::vector<shape> const& shapes) {
  reference const expected(text);
  size_t const count = expected.nodes.size();  // one winner per edge: never more are taken
  buffer<char> input(text.size());
  buffer<trie> nodes(count);
  buffer<atomic<trie*>> bump(1);
  input.from(text.data(), text.size());
  std::vector<char> copy(count * sizeof(trie));
  print_header();
  for (shape s : shapes) {
    std::vector<double> seconds;
    for (uint64_t r = 0; r <= runs; ++r) {  // the first is not counted
      trie* const second = nodes.data + 1;
      nodes.fill(0, count);
      bump.from(&second, 1);
      double const t = run(s, build{nodes.data, bump.data, input.data, text.size()});
      if (r > 0) seconds.push_back(t);
      trie* end = nullptr;
      bump.to(&end, 1);
      if (end != nodes.data + count) throw std::runtime_error("another number of nodes");
    }
    nodes.to(copy.data(), count);
    check(copy, nodes.data, expected);
    print({"trie-build", "blog-trie", expected.words, text.size(), s,
           "block=" + std::to_string(s.block) + " distinct=" + std::to_string(expected.distinct) +
               " nodes=" + std::to_string(count) + " text=" + source,
           double(text.size()), "bytes/s"},
          seconds);
  }
  std::fprintf(stderr, "words=%llu distinct=%llu nodes=%zu bytes=%zu\n",
               (unsigned long long)expected.words, (unsigned long long)expected.distinct, count,
               text.size());
}

}  // namespace rivals

int main(int argc, char** argv) {
  using namespace rivals;
  return guarded("blog_trie", [&] {
    options o(argc, argv);
    uint64_t const runs = o.count("--runs", 11), repeat = o.count("--repeat", 1);
    uint64_t const bytes = o.count("--bytes", 1 << 24), seed = o.count("--seed", 42);
    o.count("--n", 0);
    o.real("--load", 0);  // taken by all rivals; a trie has no use for them
    auto const shapes = o.shapes(resident_shapes());
    if (runs < 1 || repeat < 1) throw std::invalid_argument("--runs and --repeat begin at 1");
    auto const files = o.files();
    std::string const once = files.empty() ? zipf_text(seed, bytes) : read_files(files);
    std::string const source = files.empty() ? "zipf:" + std::to_string(seed) : "files";
    measure(repeated(once, repeat), runs, source + "x" + std::to_string(repeat), shapes);
  });
}
