#pragma once

#include <stdlib.h>
#include <systemd/sd-daemon.h>

// Else sd_journal_sendv is a macro that adds where in C it was called.
#define SD_JOURNAL_SUPPRESS_LOCATION
#include <systemd/sd-journal.h>

/// sd_journal_sendv() of `count` fields, each "NAME=value", that lie one behind the other in
/// `bytes`: Swift sees no iovec without importing the whole C library.
static inline int csystemd_journal_send(
    const void *bytes, const size_t *lengths, size_t count) {
  struct iovec fields[count];
  const char *next = (const char *)bytes;
  for (size_t index = 0; index < count; index++) {
    fields[index].iov_base = (void *)next;
    fields[index].iov_len = lengths[index];
    next += lengths[index];
  }
  return sd_journal_sendv(fields, (int)count);
}
