// Tells the thread sanitizer of the locks that it cannot see.
//
// Swift's Mutex takes a free lock by an atomic operation in our own code, which the sanitizer sees.
// For a lock that another thread holds it calls into the Swift runtime, which no sanitizer watches,
// and the kernel hands the lock over: what the last holder did then looks like a race. These three
// functions come before the runtime's own of the same names, call them, and say what they mean.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <sanitizer/tsan_interface.h>
#include <stdbool.h>
#include <stdint.h>

#define LOCK "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define TRY_LOCK "$s15Synchronization12_MutexHandleV12_tryLockSlowSbyF"
#define UNLOCK "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"

#define SWIFT __attribute__((swiftcall))
#define SELF __attribute__((swift_context)) void *mutex

typedef SWIFT void lock_function(uint32_t thread, SELF);
typedef SWIFT bool try_lock_function(SELF);
typedef SWIFT void unlock_function(SELF);

SWIFT void la_lock(uint32_t thread, SELF) __asm__(LOCK);
SWIFT bool la_try_lock(SELF) __asm__(TRY_LOCK);
SWIFT void la_unlock(SELF) __asm__(UNLOCK);

static lock_function *lock;
static try_lock_function *try_lock;
static unlock_function *unlock;

// Before any thread, so that no lookup happens while a lock is waited for. A program without a Mutex
// finds none and calls none.
__attribute__((constructor)) static void find_the_real_ones(void) {
  lock = (lock_function *)dlsym(RTLD_NEXT, LOCK);
  try_lock = (try_lock_function *)dlsym(RTLD_NEXT, TRY_LOCK);
  unlock = (unlock_function *)dlsym(RTLD_NEXT, UNLOCK);
}

SWIFT void la_lock(uint32_t thread, SELF) {
  lock(thread, mutex);
  __tsan_acquire(mutex);
}

SWIFT bool la_try_lock(SELF) {
  if (!try_lock(mutex)) return false;
  __tsan_acquire(mutex);
  return true;
}

SWIFT void la_unlock(SELF) {
  __tsan_release(mutex);
  unlock(mutex);
}
