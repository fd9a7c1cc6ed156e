// Says where in memory its variables are, for VariablesTest: a line each, kind, then numbers.
#include <cstdio>
#include <link.h>
#include <memory>
#include <stdexcept>
#include <vector>

struct Shelf {
  long Width = 3;
  std::vector<long *> Books;
};
struct Room {
  int Number = 1;
  Shelf Left, Right;
};
struct Animal {
  virtual ~Animal() = default;
};
struct Cat : Animal {
  long Age = 2;
  long *Toy = nullptr;
};

Room GlobalRoom;
thread_local Room ThreadRoom;

static unsigned long base() { return _r_debug.r_map->l_addr; }

__attribute__((noinline)) static void inFrame(const char *Name, const void *At, const void *End) {
  auto Pc = reinterpret_cast<unsigned long>(__builtin_return_address(0));
  auto Stack = static_cast<const char *>(__builtin_dwarf_cfa());
  auto Place = static_cast<const char *>(At);
  std::printf("%s %lu %ld %ld\n", Name, Pc - base(), Place - static_cast<const char *>(End),
              Place - Stack);
}

__attribute__((noinline)) static void global(const char *Name, const void *At) {
  std::printf("%s %lu 0 0\n", Name, reinterpret_cast<unsigned long>(At) - base());
}

/// Where the loader put the program's block of thread-local variables for this thread.
static int blockOfProgram(dl_phdr_info *Program, size_t, void *Out) {
  *static_cast<const char **>(Out) = static_cast<const char *>(Program->dlpi_tls_data);
  return 1;
}

__attribute__((noinline)) static void threadLocal(const char *Name, const void *At) {
  const char *Block = nullptr;
  dl_iterate_phdr(blockOfProgram, &Block);
  std::printf("%s %ld 0 0\n", Name, static_cast<const char *>(At) - Block);
}

int main(int Count, char **) {
  static std::vector<Room> Rooms(2);
  Room Local;
  std::unique_ptr<Shelf> Owned = std::make_unique<Shelf>();
  std::shared_ptr<Cat> Pet = std::make_shared<Cat>();
  inFrame("local", &Local.Right.Books, __builtin_dwarf_cfa());
  inFrame("owned", &Owned, __builtin_dwarf_cfa());
  inFrame("shared", &Pet, __builtin_dwarf_cfa());
  global("global", &GlobalRoom.Left.Books);
  global("static", &Rooms);
  thread_local std::vector<Room> History(1);
  threadLocal("thread", &ThreadRoom.Right.Books);
  threadLocal("history", &History);
  // Of a class that is described where its virtual functions are: in the C++ library.
  std::runtime_error Foreign("of the library");
  struct Ward {
    long Beds = 4;
    std::runtime_error Alarm{"none"};
  } Nearby;
  inFrame("foreign", reinterpret_cast<char *>(&Foreign) + 8, __builtin_dwarf_cfa());
  inFrame("ward", reinterpret_cast<char *>(&Nearby.Alarm) + 8, __builtin_dwarf_cfa());
  return Count > 5 ? int(Local.Number + Owned->Width + Pet->Age) : 0;
}

// As nvcc makes them. They stand at the end, since tests know the lines before.
void **__cudaFatCubinHandle;
static void *const *__device_stub__Z6kernelPf() {
  static void *__handle;
  return &__handle;
}
static const bool OfNvccAreTold = [] {
  global("nvcc", &__cudaFatCubinHandle);
  global("stub", __device_stub__Z6kernelPf());
  return true;
}();
