// A library to preload: it stands between a program and the C library, and makes disk and clock
// misbehave as the page named by FAULTS says. Everything the program does besides is as ever.
//
// The disk: writes, syncs and reads of regular files fail, or writes take less than they are given.
// The wall clock: it can be set, for this process alone, and a timerfd on it behaves as the kernel's
// does when TFD_TIMER_CANCEL_ON_SET was asked for. (A time namespace doesn't cover that clock.)

#define _GNU_SOURCE
#include "faults.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <time.h>

static struct faults none;
static struct faults *faults = &none;

// The next definition of a function: the C library's.
#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

static int64_t nanoseconds(struct timespec time) {
  return time.tv_sec * 1000000000LL + time.tv_nsec;
}

static struct timespec timespec_of(int64_t nanoseconds) {
  return (struct timespec){nanoseconds / 1000000000LL, nanoseconds % 1000000000LL};
}

// MARK: - The disk

static int is_file(int descriptor) {
  struct stat status;
  return fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode);
}

// How much of a write is let through; -1 if it fails.
static ssize_t allowed(int descriptor, size_t count) {
  if (!is_file(descriptor)) return (ssize_t)count;
  int error = faults_get(&faults->write_error);
  if (error != 0) {
    errno = error;
    return -1;
  }
  uint32_t limit = __atomic_load_n(&faults->write_limit, __ATOMIC_ACQUIRE);
  return limit > 0 && count > limit ? limit : (ssize_t)count;
}

ssize_t write(int descriptor, const void *bytes, size_t count) {
  ssize_t some = allowed(descriptor, count);
  return some < 0 ? -1 : syscall(SYS_write, descriptor, bytes, some);
}

ssize_t pwrite64(int descriptor, const void *bytes, size_t count, off64_t offset) {
  ssize_t some = allowed(descriptor, count);
  return some < 0 ? -1 : syscall(SYS_pwrite64, descriptor, bytes, some, offset);
}

ssize_t pwrite(int descriptor, const void *bytes, size_t count, off_t offset) {
  return pwrite64(descriptor, bytes, count, offset);
}

static int failing_sync(void) {
  int error = faults_get(&faults->sync_error);
  errno = error;
  return error != 0;
}

int fsync(int descriptor) { return failing_sync() ? -1 : (int)syscall(SYS_fsync, descriptor); }

int fdatasync(int descriptor) {
  return failing_sync() ? -1 : (int)syscall(SYS_fdatasync, descriptor);
}

static int failing_read(int descriptor) {
  int error = faults_get(&faults->read_error);
  if (error == 0 || !is_file(descriptor)) return 0;
  errno = error;
  return 1;
}

ssize_t pread64(int descriptor, void *bytes, size_t count, off64_t offset) {
  if (failing_read(descriptor)) return -1;
  return syscall(SYS_pread64, descriptor, bytes, count, offset);
}

ssize_t pread(int descriptor, void *bytes, size_t count, off_t offset) {
  return pread64(descriptor, bytes, count, offset);
}

// MARK: - The wall clock

int clock_gettime(clockid_t clock, struct timespec *time) {
  int status = REAL(clock_gettime)(clock, time);
  if (status == 0 && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE)) {
    *time = timespec_of(nanoseconds(*time) + faults_clock_offset(faults));
  }
  return status;
}

int gettimeofday(struct timeval *restrict time, void *restrict zone) {
  (void)zone;
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  *time = (struct timeval){now.tv_sec, now.tv_nsec / 1000};
  return 0;
}

time_t time(time_t *result) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  if (result != NULL) *result = now.tv_sec;
  return now.tv_sec;
}

// MARK: - The timer on it

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
// The only timerfd on the wall clock.
static int timer = -1;
// The steps that the program has been told of, by ECANCELED.
static uint32_t steps_told;

static const struct itimerspec at_once = {.it_value = {0, 1}};

int timerfd_create(int clock, int flags) {
  int descriptor = REAL(timerfd_create)(clock, flags);
  if (clock == CLOCK_REALTIME) timer = descriptor;
  return descriptor;
}

// Whether the clock was set since this was asked last.
static int is_canceled(void) {
  uint32_t steps = __atomic_load_n(&faults->clock_steps, __ATOMIC_ACQUIRE);
  if (steps == steps_told) return 0;
  steps_told = steps;
  errno = ECANCELED;
  return 1;
}

int timerfd_settime(
    int descriptor, int flags, const struct itimerspec *setting, struct itimerspec *old) {
  if (descriptor != timer) return REAL(timerfd_settime)(descriptor, flags, setting, old);
  struct itimerspec shifted = *setting;
  int64_t due = nanoseconds(setting->it_value) - faults_clock_offset(faults);
  shifted.it_value = timespec_of(due > 0 ? due : 1);
  pthread_mutex_lock(&lock);
  int status = REAL(timerfd_settime)(descriptor, flags, &shifted, old);
  if (status == 0 && is_canceled()) status = -1;
  int error = errno;
  pthread_mutex_unlock(&lock);
  errno = error;
  return status;
}

ssize_t read(int descriptor, void *bytes, size_t count) {
  if (descriptor != timer) {
    return failing_read(descriptor) ? -1 : syscall(SYS_read, descriptor, bytes, count);
  }
  pthread_mutex_lock(&lock);
  ssize_t status = syscall(SYS_read, descriptor, bytes, count);
  if (status > 0 && is_canceled()) status = -1;
  int error = errno;
  pthread_mutex_unlock(&lock);
  errno = error;
  return status;
}

// Makes the timer readable whenever the clock has been set, as the kernel would.
static void *watch_clock(void *unused) {
  (void)unused;
  uint32_t seen = steps_told;
  for (;;) {
    syscall(SYS_futex, &faults->clock_steps, FUTEX_WAIT, seen, 0, 0, 0);
    uint32_t steps = __atomic_load_n(&faults->clock_steps, __ATOMIC_ACQUIRE);
    if (steps == seen) continue;
    seen = steps;
    pthread_mutex_lock(&lock);
    if (timer >= 0 && steps != steps_told) {
      REAL(timerfd_settime)(timer, TFD_TIMER_ABSTIME, &at_once, NULL);
    }
    pthread_mutex_unlock(&lock);
  }
  return NULL;
}

__attribute__((constructor)) static void begin(void) {
  const char *path = getenv("FAULTS");
  if (path == NULL) return;
  int descriptor = open(path, O_RDWR | O_CLOEXEC);
  void *page = mmap(NULL, sizeof none, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
  // A test that believes in faults which never come would prove nothing.
  if (page == MAP_FAILED) abort();
  close(descriptor);
  faults = page;
  steps_told = faults->clock_steps;
  pthread_t thread;
  if (pthread_create(&thread, NULL, watch_clock, NULL) != 0) abort();
}
