#pragma once

#include <stdint.h>

/// How often the calling thread has allocated memory: `malloc`, `calloc` and `realloc`, which a
/// program linked with this target has counted for it. glibc only.
uint64_t allocation_count(void);
