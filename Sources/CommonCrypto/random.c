#include <CommonCrypto/CommonRandom.h>
#include <limits.h>
#include <openssl/rand.h>

CCRNGStatus CCRandomGenerateBytes(void *bytes, size_t count) {
  unsigned char *next = bytes;
  if (count > 0 && next == NULL) return kCCParamError;
  while (count > 0) {
    const int part = count > INT_MAX ? INT_MAX : (int)count;
    if (RAND_bytes(next, part) != 1) return kCCRNGFailure;
    next += part;
    count -= (size_t)part;
  }
  return kCCSuccess;
}
