// Definitions in the program itself come before those of the C library, which every other library
// in the process then uses too; memory still comes from the C library, so its `free` is right.
#include "CAllocationCount.h"

#include <stddef.h>

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *memory, size_t size);

static _Thread_local uint64_t count;

uint64_t allocation_count(void) { return count; }

void *malloc(size_t size) {
  count++;
  return __libc_malloc(size);
}

void *calloc(size_t items, size_t size) {
  count++;
  return __libc_calloc(items, size);
}

void *realloc(void *memory, size_t size) {
  count++;
  return __libc_realloc(memory, size);
}
