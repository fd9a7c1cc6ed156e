// An allocator with a heap of its own, as tcmalloc and mimalloc have: blocks one after the
// other, each behind its size, and none used again.
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <pthread.h>
#include <sys/mman.h>

namespace {

constexpr std::size_t ChunkBytes = std::size_t(256) << 10, Header = 16;

pthread_mutex_t Lock = PTHREAD_MUTEX_INITIALIZER; // who comes back while it is held waits for ever
char *Chunk = nullptr;
std::size_t Left = 0;

/// From the system, under the lock.
bool refill(std::size_t Most) {
  std::size_t Bytes = Most > ChunkBytes ? Most : ChunkBytes;
  void *New = mmap(nullptr, Bytes, PROT_READ | PROT_WRITE,
                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (New == MAP_FAILED)
    return false;
  Chunk = static_cast<char *>(New);
  Left = Bytes;
  return true;
}

char *cut(std::size_t Most) {
  pthread_mutex_lock(&Lock);
  char *Out = nullptr;
  if (Left >= Most || refill(Most)) {
    Out = Chunk;
    Chunk += Most;
    Left -= Most;
  }
  pthread_mutex_unlock(&Lock);
  return Out;
}

void *take(std::size_t Alignment, std::size_t Bytes) {
  char *Free = cut((Bytes + Alignment + 2 * Header + 15) / 16 * 16);
  if (!Free)
    return nullptr;
  auto Least = reinterpret_cast<std::uintptr_t>(Free) + Header;
  std::uintptr_t Data = (Least + Alignment - 1) / Alignment * Alignment;
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
