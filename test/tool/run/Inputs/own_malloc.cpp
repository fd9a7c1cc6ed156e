// An allocator with a heap of its own, as tcmalloc and mimalloc have: blocks one after the
// other, each behind its size, and none used again.
#include <atomic>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <sys/mman.h>

namespace {

constexpr std::size_t HeapBytes = std::size_t(16) << 30, Header = 16;

char *heap() {
  static std::atomic<char *> Begin{nullptr};
  if (char *Known = Begin.load())
    return Known;
  void *New = mmap(nullptr, HeapBytes, PROT_READ | PROT_WRITE,
                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  char *Expected = nullptr;
  return Begin.compare_exchange_strong(Expected, static_cast<char *>(New))
             ? static_cast<char *>(New)
             : Expected;
}

void *take(std::size_t Alignment, std::size_t Bytes) {
  static std::atomic<std::size_t> Used{0};
  std::size_t Most = Bytes + Alignment + 2 * Header;
  std::size_t At = Used.fetch_add((Most + 15) / 16 * 16);
  if (At + Most > HeapBytes)
    return nullptr;
  auto Free = reinterpret_cast<std::uintptr_t>(heap()) + At + Header;
  std::uintptr_t Data = (Free + Alignment - 1) / Alignment * Alignment;
  std::memcpy(reinterpret_cast<void *>(Data - Header), &Bytes, sizeof(Bytes));
  return reinterpret_cast<void *>(Data);
}

} // namespace

extern "C" {
void *malloc(std::size_t Bytes) { return take(16, Bytes); }
void *calloc(std::size_t Count, std::size_t Each) { return take(16, Count * Each); }
void free(void *) {}
void *aligned_alloc(std::size_t Alignment, std::size_t Bytes) {
  return take(Alignment < 16 ? 16 : Alignment, Bytes);
}
void *memalign(std::size_t Alignment, std::size_t Bytes) { return aligned_alloc(Alignment, Bytes); }
int posix_memalign(void **Out, std::size_t Alignment, std::size_t Bytes) {
  *Out = aligned_alloc(Alignment, Bytes);
  return *Out ? 0 : ENOMEM;
}
void *realloc(void *Data, std::size_t Bytes) {
  void *New = take(16, Bytes);
  std::size_t Before = 0;
  if (Data)
    std::memcpy(&Before, static_cast<char *>(Data) - Header, sizeof(Before));
  if (New && Data)
    std::memcpy(New, Data, Before < Bytes ? Before : Bytes);
  return New;
}
}
