// An allocator as tcmalloc and jemalloc are: it has a new and a delete of its own, of which
// malloc and free know nothing.
#include <cstddef>

extern "C" void *__libc_malloc(std::size_t);
extern "C" void __libc_free(void *);

void *operator new(std::size_t Bytes) { return __libc_malloc(Bytes); }
void *operator new[](std::size_t Bytes) { return __libc_malloc(Bytes); }
void operator delete(void *Data) noexcept { __libc_free(Data); }
void operator delete[](void *Data) noexcept { __libc_free(Data); }
void operator delete(void *Data, std::size_t) noexcept { __libc_free(Data); }
void operator delete[](void *Data, std::size_t) noexcept { __libc_free(Data); }
