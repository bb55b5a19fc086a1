// What the rivals share: one source for CUDA C++ (nvcc) and for standard C++ on all cores (g++).
// A rival is a functor `operator()(unsigned thread, unsigned threads)`, run by every thread of a
// grid or of a team of CPU threads, and timed without copies and without clearing.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#ifdef __CUDACC__
#include <cuda/atomic>
#define HD __host__ __device__
#else
#include <atomic>
#define HD
#endif

namespace rivals {

#ifdef __CUDACC__
template <class T>
using atomic = cuda::atomic<T, cuda::thread_scope_device>;
constexpr auto relaxed = cuda::std::memory_order_relaxed;
constexpr auto acquire = cuda::std::memory_order_acquire;
constexpr auto release = cuda::std::memory_order_release;
constexpr auto acq_rel = cuda::std::memory_order_acq_rel;
#else
template <class T>
using atomic = std::atomic<T>;
constexpr auto relaxed = std::memory_order_relaxed;
constexpr auto acquire = std::memory_order_acquire;
constexpr auto release = std::memory_order_release;
constexpr auto acq_rel = std::memory_order_acq_rel;
#endif

/// Threads in all, and how many of them make a block (the CPU has no blocks).
struct shape {
  unsigned threads;
  unsigned block;
};

#ifdef __CUDACC__

inline void check(cudaError_t error, char const* what) {
  if (error != cudaSuccess)
    throw std::runtime_error(std::string(what) + ": " + cudaGetErrorString(error));
}

template <class Work>
__global__ void grid(Work work, unsigned threads) {
  unsigned const thread = blockIdx.x * blockDim.x + threadIdx.x;
  if (thread < threads) work(thread, threads);
}

/// Queues work for the device; seconds between two events around it.
template <class Work>
double timed(Work work) {
  cudaEvent_t begin, end;
  check(cudaEventCreate(&begin), "event");
  check(cudaEventCreate(&end), "event");
  check(cudaEventRecord(begin), "event");
  work();
  check(cudaEventRecord(end), "launch");
  check(cudaEventSynchronize(end), "kernel");
  float milliseconds = 0;
  check(cudaEventElapsedTime(&milliseconds, begin, end), "event");
  cudaEventDestroy(begin);
  cudaEventDestroy(end);
  return milliseconds * 1e-3;
}

/// Runs the work on the device; seconds between two events around the kernel.
template <class Work>
double run(shape s, Work work) {
  return timed([&] { grid<<<(s.threads + s.block - 1) / s.block, s.block>>>(work, s.threads); });
}

/// Memory of the device.
template <class T>
struct buffer {
  T* data = nullptr;
  size_t count;
  explicit buffer(size_t n) : count(n) {
    check(cudaMalloc(reinterpret_cast<void**>(&data), n * sizeof(T)), "cudaMalloc");
  }
  buffer(buffer const&) = delete;
  ~buffer() { cudaFree(data); }
  void fill(int byte, size_t n) { check(cudaMemset(data, byte, n * sizeof(T)), "cudaMemset"); }
  void from(void const* host, size_t n) {
    check(cudaMemcpy(data, host, n * sizeof(T), cudaMemcpyHostToDevice), "copy to the device");
  }
  void to(void* host, size_t n) const {
    check(cudaMemcpy(host, data, n * sizeof(T), cudaMemcpyDeviceToHost), "copy from the device");
  }
};

constexpr char const* target = "cuda";
constexpr char const* language = "CUDA C++";

inline std::string device() {
  cudaDeviceProp properties;
  check(cudaGetDeviceProperties(&properties, 0), "no usable device");
  return properties.name;
}

inline unsigned multiprocessors() {
  int count = 0;
  check(cudaDeviceGetAttribute(&count, cudaDevAttrMultiProcessorCount, 0), "device");
  return static_cast<unsigned>(count);
}

/// One thread per element.
inline std::vector<shape> shapes_for(size_t elements) { return {{unsigned(elements), 256}}; }

/// Shapes from three eighths of the resident threads to all of them, in three block sizes.
inline std::vector<shape> resident_shapes() {
  std::vector<shape> shapes;
  for (unsigned block : {128u, 256u, 512u})
    for (unsigned resident : {768u, 1024u, 1280u, 1536u, 1792u, 2048u})
      shapes.push_back({multiprocessors() * resident, block});
  return shapes;
}

#else

/// Runs the work on as many CPU threads, one of which is the caller where it is alone; seconds from
/// their common start to the last one's end.
template <class Work>
double run(shape s, Work work) {
  using clock = std::chrono::steady_clock;
  std::vector<clock::time_point> ends(s.threads);
  auto const until_its_end = [&](unsigned t) {
    work(t, s.threads);
    ends[t] = clock::now();
  };
  if (s.threads == 1) {
    auto const begin = clock::now();
    until_its_end(0);
    return std::chrono::duration<double>(ends[0] - begin).count();
  }
  std::atomic<unsigned> ready{0};
  std::atomic<bool> go{false};
  std::vector<std::thread> team;
  for (unsigned t = 0; t < s.threads; ++t)
    team.emplace_back([&, t] {
      ready.fetch_add(1);
      while (!go.load(std::memory_order_acquire)) std::this_thread::yield();
      until_its_end(t);
    });
  while (ready.load() != s.threads) std::this_thread::yield();
  auto const begin = clock::now();
  go.store(true, std::memory_order_release);
  for (auto& member : team) member.join();
  return std::chrono::duration<double>(*std::max_element(ends.begin(), ends.end()) - begin).count();
}

template <class T>
struct buffer {
  T* data;
  size_t count;
  explicit buffer(size_t n) : count(n) {
    size_t const bytes = (n * sizeof(T) + 63) / 64 * 64;
    data = static_cast<T*>(std::aligned_alloc(64, bytes == 0 ? 64 : bytes));
    if (data == nullptr) throw std::runtime_error("not enough memory");
  }
  buffer(buffer const&) = delete;
  ~buffer() { std::free(data); }
  void fill(int byte, size_t n) { std::memset(static_cast<void*>(data), byte, n * sizeof(T)); }
  void from(void const* host, size_t n) { std::memcpy(static_cast<void*>(data), host, n * sizeof(T)); }
  void to(void* host, size_t n) const { std::memcpy(host, static_cast<void const*>(data), n * sizeof(T)); }
};

constexpr char const* target = "cpu";
constexpr char const* language = "C++";

inline std::string device() {
  std::ifstream info("/proc/cpuinfo");
  for (std::string line; std::getline(info, line);)
    if (line.rfind("model name", 0) == 0) return line.substr(line.find(':') + 2);
  return "CPU";
}

inline std::vector<shape> resident_shapes() {
  return {{1, 1}, {std::max(2u, std::thread::hardware_concurrency()), 1}};
}
inline std::vector<shape> shapes_for(size_t) { return resident_shapes(); }

#endif

/// Key `index` of the seeded sequence of ints of which no two are equal: the bits of
/// dev.gyre.datasets.Keys.unique(seed).intAt(index).
HD inline uint32_t scramble(uint32_t z) {
  z = (z ^ (z >> 16)) * 0x85ebca6bu;
  z = (z ^ (z >> 13)) * 0xc2b2ae35u;
  return z ^ (z >> 16);
}
HD inline int32_t unique_key(uint64_t seed, uint64_t index) {
  return int32_t(scramble(scramble(uint32_t(index) + uint32_t(seed)) + uint32_t(seed >> 32)));
}

/// The value that goes with key `index`.
HD inline int32_t value_of(uint64_t index) { return int32_t(index * 2654435761u + 1); }

/// The hash of dev.gyre.kernels.map.Hashing with seed 0.
struct hash {
  HD uint64_t operator()(int32_t key) const { return scramble(uint32_t(key)); }
};

/// `--name value` pairs, flags and files.
class options {
 public:
  options(int argc, char** argv) : words_(argv + 1, argv + argc) {}

  bool flag(std::string const& name) {
    auto const at = std::find(words_.begin(), words_.end(), name);
    if (at == words_.end()) return false;
    words_.erase(at);
    return true;
  }
  std::string text(std::string const& name, std::string const& otherwise) {
    auto const at = std::find(words_.begin(), words_.end(), name);
    if (at == words_.end()) return otherwise;
    if (at + 1 == words_.end()) throw std::invalid_argument(name + " needs a value");
    std::string const value = *(at + 1);
    words_.erase(at, at + 2);
    return value;
  }
  double real(std::string const& name, double otherwise) {
    std::string const value = text(name, "");
    return value.empty() ? otherwise : number(name, value);
  }
  /// A count: digits, or a power of two as in 2^26.
  uint64_t count(std::string const& name, uint64_t otherwise) {
    std::string const value = text(name, "");
    if (value.empty()) return otherwise;
    if (value.rfind("2^", 0) == 0) return uint64_t(1) << uint64_t(number(name, value.substr(2)));
    return uint64_t(number(name, value));
  }
  /// Launch shapes: those of --threads A,B,... with blocks of --block, or the default ones.
  std::vector<shape> shapes(std::vector<shape> const& otherwise) {
    auto const block = unsigned(count("--block", 256));
    std::string list = text("--threads", "");
    std::vector<shape> shapes;
    while (!list.empty()) {
      size_t const comma = list.find(',');
      shapes.push_back({unsigned(number("--threads", list.substr(0, comma))), block});
      list = comma == std::string::npos ? "" : list.substr(comma + 1);
    }
    return shapes.empty() ? otherwise : shapes;
  }
  /// What is left, which must be files.
  std::vector<std::string> files() const {
    for (auto const& word : words_)
      if (word.rfind("--", 0) == 0) throw std::invalid_argument("unknown option " + word);
    return words_;
  }

 private:
  static double number(std::string const& name, std::string const& value) {
    size_t used = 0;
    double const result = std::stod(value, &used);
    if (used != value.size() || result < 0) throw std::invalid_argument(name + " " + value);
    return result;
  }
  std::vector<std::string> words_;
};

/// One line of the table.
struct row {
  std::string benchmark, implementation;
  uint64_t n, bytes;
  shape launch;
  std::string params;
  double amount;  // what `unit` counts, in one run
  std::string unit;
};

inline void print_header() {
  std::puts(
      "benchmark,implementation,target,device,n,bytes,threads,params,seconds_median,seconds_min,"
      "seconds_max,throughput,unit");
}

inline double median(std::vector<double> seconds) {
  std::sort(seconds.begin(), seconds.end());
  size_t const half = seconds.size() / 2;
  return seconds.size() % 2 ? seconds[half] : (seconds[half - 1] + seconds[half]) / 2;
}

/// Prints a row; its throughput is that of the median.
inline void print(row const& r, std::vector<double> const& seconds) {
  std::string name = device();
  std::replace(name.begin(), name.end(), ',', ' ');
  double const middle = median(seconds);
  std::printf("%s,%s (%s),%s,%s,%llu,%llu,%u,%s,%.9f,%.9f,%.9f,%.4g,%s\n", r.benchmark.c_str(),
              r.implementation.c_str(), language, target, name.c_str(), (unsigned long long)r.n,
              (unsigned long long)r.bytes, r.launch.threads, r.params.c_str(), middle,
              *std::min_element(seconds.begin(), seconds.end()),
              *std::max_element(seconds.begin(), seconds.end()), r.amount / middle, r.unit.c_str());
  std::fflush(stdout);
}

/// Ends with 1 and one line where a result is wrong or a device fails, with 2 on bad usage.
template <class Program>
int guarded(char const* name, Program program) {
  try {
    program();
    return 0;
  } catch (std::invalid_argument const& wrong) {
    std::fprintf(stderr, "%s: bad usage: %s\n", name, wrong.what());
    return 2;
  } catch (std::exception const& wrong) {
    std::fprintf(stderr, "%s: %s\n", name, wrong.what());
    return 1;
  }
}

}  // namespace rivals
