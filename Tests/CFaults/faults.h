#pragma once

#include <linux/futex.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <unistd.h>

/// What goes wrong in a process that has faults.c preloaded: a page of a file that the process and
/// the test which plagues it both map.
struct faults {
  /// Added to the wall clock, in nanoseconds.
  int64_t clock_offset;
  /// How often the wall clock has been set; a futex.
  uint32_t clock_steps;
  /// The `errno` of every write to a file, every sync and every read of a file; 0 for none.
  int32_t write_error;
  int32_t sync_error;
  int32_t read_error;
  /// How many bytes one write to a file takes at most; 0 for no limit.
  uint32_t write_limit;
};

static inline int32_t faults_get(const int32_t *field) {
  return __atomic_load_n(field, __ATOMIC_ACQUIRE);
}

static inline void faults_set(int32_t *field, int32_t value) {
  __atomic_store_n(field, value, __ATOMIC_RELEASE);
}

static inline int64_t faults_clock_offset(const struct faults *faults) {
  return __atomic_load_n(&faults->clock_offset, __ATOMIC_ACQUIRE);
}

/// Sets the wall clock forwards or backwards, as `settimeofday` would.
static inline void faults_step_clock(struct faults *faults, int64_t nanoseconds) {
  __atomic_add_fetch(&faults->clock_offset, nanoseconds, __ATOMIC_ACQ_REL);
  __atomic_add_fetch(&faults->clock_steps, 1, __ATOMIC_ACQ_REL);
  syscall(SYS_futex, &faults->clock_steps, FUTEX_WAKE, INT32_MAX, 0, 0, 0);
}
