#pragma once
#include <CommonCrypto/CommonCryptoError.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/// What became of a call for randomness.
typedef CCCryptorStatus CCRNGStatus;

/// Fills `bytes` with `count` random bytes that are fit for keys, vectors and salts.
CCRNGStatus CCRandomGenerateBytes(void *bytes, size_t count);

#ifdef __cplusplus
}
#endif
