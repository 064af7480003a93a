#pragma once
#include <CommonCrypto/CommonDigest.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/// The digest that a code is made with. HMAC with MD5 or SHA-1 is not known to be broken, but
/// nothing new should begin with them; use `kCCHmacAlgSHA256`.
enum {
  kCCHmacAlgSHA1,
  kCCHmacAlgMD5,
  kCCHmacAlgSHA256,
  kCCHmacAlgSHA384,
  kCCHmacAlgSHA512,
  kCCHmacAlgSHA224
};
/// One of the values above.
typedef uint32_t CCHmacAlgorithm;

/// The size of a context in words of 32 bits.
#define CC_HMAC_CONTEXT_SIZE 96

/// A code in the making: a plain value, a copy of which goes its own way.
typedef struct {
  // The digests of 128-byte blocks count in words of 64 bits.
  __attribute__((aligned(8))) uint32_t ctx[CC_HMAC_CONTEXT_SIZE];
} CCHmacContext;

/// Begins a code with a key of any length, zero too.
///
/// There is no status here. When the key or the data is a pointer to nothing the code becomes
/// random bytes, which nothing verifies against; with an unknown algorithm nothing is written.
void CCHmacInit(CCHmacContext *ctx, CCHmacAlgorithm algorithm, const void *key, size_t keyLength);

/// Takes in the next `dataLength` bytes of `data`.
void CCHmacUpdate(CCHmacContext *ctx, const void *data, size_t dataLength);

/// Writes the code to `macOut`, as many bytes as the digest has, and wipes the context.
///
/// Compare codes in constant time, not with `memcmp` or `==`.
void CCHmacFinal(CCHmacContext *ctx, void *macOut);

/// Writes the code of `data` under `key` to `macOut`: as ``CCHmacInit``, ``CCHmacUpdate`` and
/// ``CCHmacFinal``.
void CCHmac(CCHmacAlgorithm algorithm, const void *key, size_t keyLength, const void *data,
            size_t dataLength, void *macOut);

#ifdef __cplusplus
}
#endif
