#pragma once

#include <stddef.h>

// What is used of ncurses' terminal database, declared here because term.h defines a macro for each
// capability, with names as short as `bell` and `tab`.
int setupterm(const char *term, int descriptor, int *status);
char *tigetstr(const char *capability);
int tigetnum(const char *capability);
char *tiparm(const char *format, ...);

// How many columns a character takes; wchar.h hides it unless X/Open is asked for.
int wcwidth(wchar_t character);

// Swift can't call variadic functions.
static inline const char *terminal_sequence(const char *format, int first, int second) {
  return tiparm(format, first, second);
}

