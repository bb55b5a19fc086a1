// Rounds of a signal from the host to a thread of the device and back, by flags of system scope in
// pinned memory that both use where it lies, and the reading of such memory by a whole device: what
// dev.gyre.bench.measure.MeasureSharing does. `flags` raises flags only; `messages` writes a word
// before each flag, which the other side reads behind it. On the CPU the other side is a thread.
#include "rivals.hpp"

namespace rivals {

#ifdef __CUDACC__
using flag_type = cuda::atomic<int, cuda::thread_scope_system>;
template <class T>
T* pinned(size_t n) {
  void* memory;
  check(cudaMallocHost(&memory, n * sizeof(T)), "cudaMallocHost");
  return static_cast<T*>(memory);
}
#else
using flag_type = std::atomic<int>;
template <class T>
T* pinned(size_t n) {
  return static_cast<T*>(std::aligned_alloc(64, (n * sizeof(T) + 63) / 64 * 64));
}
#endif

/// Each in a line of a cache of its own.
struct mailbox {
  alignas(64) flag_type to_device;
  alignas(64) flag_type to_host;
  alignas(64) int message;
  alignas(64) int answer;
};

/// What the device does; it begins first.
struct answering {
  mailbox* box;
  int rounds;
  bool messages;
  HD void operator()(unsigned, unsigned) const {
    for (int round = 0; round < rounds; ++round) {
      while (box->to_device.load(acquire) == round) {
      }
      if (messages) *(int volatile*)&box->answer = 3 * *(int volatile*)&box->message + 1;
      box->to_host.store(round + 1, release);
    }
  }
};

/// What the host does; seconds from its first flag to the last answer.
inline double ask(mailbox* box, int rounds, bool messages) {
  auto const begin = std::chrono::steady_clock::now();
  for (int round = 0; round < rounds; ++round) {
    if (messages) box->message = round;
    box->to_device.store(round + 1, release);
    while (box->to_host.load(acquire) == round) {
    }
    if (messages && box->answer != 3 * round + 1) throw std::runtime_error("wrong answer");
  }
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

inline double signal(mailbox* box, int rounds, bool messages) {
  box->to_device.store(0);
  box->to_host.store(0);
  answering const work{box, rounds, messages};
#ifdef __CUDACC__
  grid<<<1, 1>>>(work, 1);
  double const seconds = ask(box, rounds, messages);
  check(cudaDeviceSynchronize(), "kernel");
#else
  std::thread other([&] { work(0, 1); });
  double const seconds = ask(box, rounds, messages);
  other.join();
#endif
  return seconds;
}

template <class Word>
struct reading {
  Word const* words;
  size_t n;
  atomic<unsigned long long>* sums;
  HD void operator()(unsigned thread, unsigned threads) const {
    unsigned long long own = 0;
    for (size_t i = thread; i < n; i += threads) own += words[i].sum();
    sums[thread & 31].fetch_add(own, relaxed);
  }
};

struct one_long {
  unsigned long long a;
  HD unsigned long long sum() const { return a; }
};
struct alignas(16) two_longs {
  unsigned long long a, b;
  HD unsigned long long sum() const { return a + b; }
};

template <class Word>
void read(shape s, size_t bytes, uint64_t runs, unsigned char* memory, bool written) {
  std::vector<double> seconds;
  for (uint64_t r = 0; r <= runs; ++r) {  // the first is not counted
    buffer<atomic<unsigned long long>> sums(32);
    sums.fill(0, 32);
    if (written) std::memset(memory, 1, bytes);
    auto const work = reading<Word>{reinterpret_cast<Word const*>(memory), bytes / sizeof(Word),
                                    sums.data};
    double const took = run(s, work);
    unsigned long long all[32], sum = 0;
    sums.to(all, 32);
    for (auto one : all) sum += one;
    if (sum != bytes / 8 * 0x0101010101010101ull) throw std::runtime_error("wrong sum");
    if (r > 0) seconds.push_back(took);
  }
  print({"read-pinned", std::to_string(sizeof(Word)) + " bytes at once", bytes / sizeof(Word), bytes,
         s, written ? "written before each run" : "", double(bytes), "B/s"},
        seconds);
}

}  // namespace rivals

int main(int argc, char** argv) {
  using namespace rivals;
  return guarded("host_signal", [&] {
    options o(argc, argv);
    uint64_t const bytes = o.count("--n", uint64_t(1) << 26) / 16 * 16;
    uint64_t const runs = o.count("--runs", 11);
    int const rounds = int(o.count("--rounds", 1000));
    auto const shapes = o.shapes(resident_shapes());
    if (!o.files().empty()) throw std::invalid_argument("takes no files");
    print_header();
    auto* const box = new (pinned<mailbox>(1)) mailbox();
    for (bool messages : {false, true}) {
      std::vector<double> seconds;
      for (uint64_t r = 0; r <= runs; ++r) {
        double const took = signal(box, rounds, messages);
        if (r > 0) seconds.push_back(took);
      }
      print({"host-signal", messages ? "messages" : "flags", uint64_t(rounds), 0, {1, 1}, "",
             double(rounds), "rounds/s"},
            seconds);
    }
    auto* const memory = pinned<unsigned char>(bytes + 16);
    std::memset(memory, 1, bytes);
    for (shape s : shapes)
      for (bool written : {false, true}) {
        read<one_long>(s, bytes, runs, memory, written);
        read<two_longs>(s, bytes, runs, memory, written);
      }
  });
}
