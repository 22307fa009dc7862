#pragma once

#include <ini.h>

// How Debian's libinih reads is set by global variables, which Swift may not write. To be called
// once, before anything is read.
static inline void ini_use_unit_file_syntax(int line_bytes_max) {
  ini_allow_inline_comments = false;
  ini_allow_multiline = false;
  ini_allow_no_value = true;
  // The buffer for a line is on the heap, at once as large as it may become.
  ini_use_stack = false;
  ini_initial_alloc = ini_max_line = line_bytes_max;
}
