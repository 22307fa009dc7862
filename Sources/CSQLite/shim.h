#pragma once

#include <sqlite3.h>

// Only what Swift can't import: a variadic function, and a macro that casts an integer to a
// function pointer.

/// sqlite3_db_config() for the options that are a flag.
static inline int csqlite_set_flag(sqlite3 *database, int option, int value) {
  return sqlite3_db_config(database, option, value, (int *)0);
}

/// Binds text that SQLite copies.
static inline int csqlite_bind_text(
    sqlite3_stmt *statement, int index, const char *bytes, int count) {
  return sqlite3_bind_text(statement, index, bytes, count, SQLITE_TRANSIENT);
}

/// Binds a blob that SQLite copies.
static inline int csqlite_bind_blob(
    sqlite3_stmt *statement, int index, const void *bytes, int count) {
  return sqlite3_bind_blob(statement, index, bytes, count, SQLITE_TRANSIENT);
}

/// SQLite counts the bytes it has allocated, under a mutex, unless it is told not to before its
/// first use. Nothing here asks for that number.
static inline int csqlite_count_no_memory(void) {
  return sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
}
