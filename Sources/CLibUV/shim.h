#pragma once

#include <sys/socket.h>
#include <sys/timerfd.h>
#include <uv.h>

// glibc declares it only with _GNU_SOURCE, which Swift's importer doesn't set.
extern int accept4(int descriptor, struct sockaddr *address, socklen_t *length, int flags);

// Variadic, which Swift can't call: makes the loop count the time that it spends waiting.
static inline int loop_measure_idle_time(uv_loop_t *loop) {
  return uv_loop_configure(loop, UV_METRICS_IDLE_TIME);
}
