// A library that has a cache of its own and hands out handles; its name is one of arithmetic's.
#include <stdlib.h>
#include <string.h>

struct entry {
  struct entry *next;
  int key;
  char text[3000];
};
static struct entry *cache;

void keeper_call(int key) {
  struct entry *e = cache;
  while (e && e->key != key)
    e = e->next;
  if (e)
    return;
  e = malloc(sizeof(*e));
  memset(e->text, 1, sizeof(e->text));
  e->next = cache;
  e->key = key;
  cache = e;
}

void *keeper_open(void) { return calloc(1, 5000); }
void keeper_close(void *handle) { free(handle); }
