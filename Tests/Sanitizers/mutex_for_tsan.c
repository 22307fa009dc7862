// Linked into what is built with ThreadSanitizer: tells it of the mutex of Swift's library.
//
// The quick ways of Mutex are compiled into its users, and so ThreadSanitizer sees them. The slow
// ones, taken when two threads meet, are in libswiftSynchronization, which it doesn't see into: the
// order that they establish was lost, and correct programs were reported. These two definitions come
// before the library's, do what it does, and say so. .ci/sanitizers shows at each run that a program
// with a Mutex is reported without them and isn't with them, and that one without a Mutex is
// reported all the same.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>

#define SWIFT __attribute__((swiftcall))
#define SELF __attribute__((swift_context)) void *mutex

// Synchronization._MutexHandle._lockSlow(UInt32) and _unlockSlow().
#define LOCK_SLOW "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define UNLOCK_SLOW "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"

void __tsan_acquire(void *address);
void __tsan_release(void *address);

SWIFT void lock_slow(uint32_t thread, SELF) __asm__(LOCK_SLOW);
SWIFT void unlock_slow(SELF) __asm__(UNLOCK_SLOW);

SWIFT void lock_slow(uint32_t thread, SELF) {
  ((__typeof__(&lock_slow))dlsym(RTLD_NEXT, LOCK_SLOW))(thread, mutex);
  __tsan_acquire(mutex);
}

SWIFT void unlock_slow(SELF) {
  __tsan_release(mutex);
  ((__typeof__(&unlock_slow))dlsym(RTLD_NEXT, UNLOCK_SLOW))(mutex);
}
