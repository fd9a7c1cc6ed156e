// Linked at a fixed address, it has an entry of its own for each function whose address it takes.
#include <cstdio>
#include <cstdlib>

int main() {
  void *(*volatile Take)(size_t) = &malloc;
  void (*volatile GiveBack)(void *) = &free;
  GiveBack(Take(4096));
  std::puts("taken");
}
