// A program that defines new and delete in their plain forms only: those for arrays and with
// a size lead to them, and so they must under the probe. Prints how often each was called.
#include <cstdio>
#include <cstdlib>
#include <new>

static int News, Deletes;

void *operator new(std::size_t Bytes) {
  ++News;
  return std::malloc(Bytes);
}
void operator delete(void *Data) noexcept {
  ++Deletes;
  std::free(Data);
}

struct Sized {
  long Words[300];
};

int main() {
  int *volatile Array = new int[1000];
  Sized *volatile One = new Sized;
  delete[] Array;
  ::operator delete(static_cast<void *>(One), sizeof(Sized));
  std::printf("%d news, %d deletes\n", News, Deletes);
}
