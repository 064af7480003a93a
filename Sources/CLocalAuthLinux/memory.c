#include "memory.h"

#include <malloc.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static size_t page_size(void) { return (size_t)sysconf(_SC_PAGESIZE); }

void *la_secret_map(size_t size, bool *locked) {
  const size_t page = page_size();
  char *whole = mmap(NULL, size + 2 * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (whole == MAP_FAILED) return NULL;
  char *body = whole + page;
  if (mprotect(body, size, PROT_READ | PROT_WRITE) != 0) {
    munmap(whole, size + 2 * page);
    return NULL;
  }
  // On fault: the whole range counts against RLIMIT_MEMLOCK, but pages nobody uses cost no memory.
  *locked = mlock2(body, size, MLOCK_ONFAULT) == 0 || mlock(body, size) == 0;
  // Both are advice: an old kernel that refuses leaves the secret readable in a core or a child,
  // which is what it would be in any other memory.
  madvise(body, size, MADV_DONTDUMP);
  madvise(body, size, MADV_WIPEONFORK);
  return body;
}

void la_secret_unmap(void *address, size_t size) {
  const size_t page = page_size();
  munmap((char *)address - page, size + 2 * page);
}

bool la_equal_constant_time(const void *left, const void *right, size_t size) {
  const uint8_t *a = left;
  const uint8_t *b = right;
  uint8_t difference = 0;
  for (size_t i = 0; i < size; i++) {
    difference |= a[i] ^ b[i];
    // The compiler must believe that each step may change the value, so it cannot leave early.
    __asm__ volatile("" : "+r"(difference));
  }
  return difference == 0;
}

void la_set(void *address, unsigned char byte, size_t size) {
  memset(address, byte, size);
  // The compiler must believe that somebody looks at the memory, so it cannot leave the writing out.
  __asm__ volatile("" : : "r"(address) : "memory");
}

void la_keep_memory(int size) {
  mallopt(M_TRIM_THRESHOLD, size);
  mallopt(M_MMAP_THRESHOLD, size);
}
