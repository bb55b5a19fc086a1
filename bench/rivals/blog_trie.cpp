// The trie of the blog "CUDA on Turing Opens New GPU Compute Possibilities" (O. Giroux, 2018): one
// trie of word counts that all threads build; per edge a flag that one thread wins, a child that
// the winner takes from a bump allocator and publishes with release, and waiters that spin.
//
// Beside the blog's own: a child's pointer is loaded once, and relaxed, since nothing of a child is
// read but atomics that were zero before the kernel; and edges lie in two ways, as in the blog, each
// pointer beside its flag, and all pointers of a node before all flags.
#include "text.hpp"

namespace rivals {

// An exchange stands for test_and_set: a flag of a byte would cost more.

/// The blog's node.
struct beside {
  static constexpr char const* layout = "beside";
  struct ref {
    atomic<beside*> ptr;
    atomic<int> flag;
  } next[26];
  atomic<int> count;
  HD atomic<beside*>& ptr(int letter) { return next[letter].ptr; }
  HD atomic<int>& flag(int letter) { return next[letter].flag; }
};

struct apart {
  static constexpr char const* layout = "apart";
  atomic<apart*> ptrs[26];
  atomic<int> flags[26];
  atomic<int> count;
  HD atomic<apart*>& ptr(int letter) { return ptrs[letter]; }
  HD atomic<int>& flag(int letter) { return flags[letter]; }
};

/// One of `domain` threads: counts the words that begin in its strip of the text.
template <class Trie>
HD inline void make_trie(Trie& root, atomic<Trie*>& bump, char const* begin, size_t size,
                         unsigned index, unsigned domain) {
  size_t const stride = size / domain + 1;
  size_t off = stride * index < size ? stride * index : size;
  size_t const last = off + stride < size ? off + stride : size;
  if (off > 0)  // a word cut by the strip's begin belongs to the strip before
    while (off < last && index_of(begin[off - 1]) >= 0) ++off;
  Trie* n = &root;
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
    atomic<Trie*>& edge = n->ptr(letter);
    Trie* child = edge.load(relaxed);
    if (child == nullptr) {
      if (n->flag(letter).exchange(1, relaxed) != 0)
        while ((child = edge.load(acquire)) == nullptr) {
        }
      else {
        child = bump.fetch_add(1, relaxed);
        edge.store(child, release);
      }
    }
    n = child;
  }
  if (n != &root) n->count.fetch_add(1, relaxed);
}

template <class Trie>
struct build {
  Trie* nodes;
  atomic<Trie*>* bump;
  char const* text;
  size_t size;
  HD void operator()(unsigned thread, unsigned threads) const {
    make_trie(nodes[0], *bump, text, size, thread, threads);
  }
};

/// Compares the trie (its copy on the host, whose pointers count from `base`) with a reference.
template <class Trie>
void check(std::vector<char>& copy, Trie const* base, reference const& expected) {
  auto* nodes = reinterpret_cast<Trie*>(copy.data());
  std::vector<std::pair<size_t, size_t>> pairs{{0, 0}};
  size_t seen = 0;
  while (!pairs.empty()) {
    auto const [ours, theirs] = pairs.back();
    pairs.pop_back();
    ++seen;
    if (nodes[ours].count.load(relaxed) != expected.nodes[theirs].count)
      throw std::runtime_error("a word's count differs from the sequential one");
    for (int letter = 0; letter < 26; ++letter) {
      Trie* const child = nodes[ours].ptr(letter).load(relaxed);
      int const other = expected.nodes[theirs].next[letter];
      if ((child == nullptr) != (other == 0))
        throw std::runtime_error("the trie has other nodes than the sequential one");
      if (child != nullptr) pairs.emplace_back(size_t(child - base), size_t(other));
    }
  }
  if (seen != expected.nodes.size()) throw std::runtime_error("nodes are missing");
}

template <class Trie>
void measure(std::string const& text, reference const& expected, uint64_t runs,
             std::string const& source, std::vector<shape> const& shapes) {
  size_t const count = expected.nodes.size();  // one winner per edge: never more are taken
  buffer<char> input(text.size());
  buffer<Trie> nodes(count);
  buffer<atomic<Trie*>> bump(1);
  input.from(text.data(), text.size());
  std::vector<char> copy(count * sizeof(Trie));
  for (shape s : shapes) {
    std::vector<double> seconds;
    for (uint64_t r = 0; r <= runs; ++r) {  // the first is not counted
      Trie* const second = nodes.data + 1;
      nodes.fill(0, count);
      bump.from(&second, 1);
      double const t = run(s, build<Trie>{nodes.data, bump.data, input.data, text.size()});
      if (r > 0) seconds.push_back(t);
      Trie* end = nullptr;
      bump.to(&end, 1);
      if (end != nodes.data + count) throw std::runtime_error("another number of nodes");
    }
    nodes.to(copy.data(), count);
    check(copy, nodes.data, expected);
    print({"trie-build", "blog-trie", expected.words, text.size(), s,
           "block=" + std::to_string(s.block) + " edges=" + Trie::layout + " distinct=" + std::to_string(expected.distinct) +
               " nodes=" + std::to_string(count) + " text=" + source,
           double(text.size()), "bytes/s"},
          seconds);
  }
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
    std::string const text = repeated(once, repeat);
    std::string const name = source + "x" + std::to_string(repeat);
    reference const expected(text);
    print_header();
    measure<beside>(text, expected, runs, name, shapes);
    measure<apart>(text, expected, runs, name, shapes);
    std::fprintf(stderr, "words=%llu distinct=%llu nodes=%zu bytes=%zu\n",
                 (unsigned long long)expected.words, (unsigned long long)expected.distinct,
                 expected.nodes.size(), text.size());
  });
}
