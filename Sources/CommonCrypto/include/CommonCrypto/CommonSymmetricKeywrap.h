#pragma once
#include <CommonCrypto/CommonCryptoError.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// AES key wrapping (RFC 3394), the one there is. The algorithm is not looked at, as on Apple's
/// platforms.
enum { kCCWRAPAES = 1 };
/// `kCCWRAPAES`.
typedef uint32_t CCWrappingAlgorithm;

/// The initial value of RFC 3394.
extern const uint8_t *const CCrfc3394_iv;
/// Its size in bytes: 8.
extern const size_t CCrfc3394_ivLen;

/// Wraps a key of at least 16 bytes, in steps of 8, with a key encryption key of 16, 24 or 32.
///
/// `wrappedKeyLen` says how much room there is, and then how much was written: 8 more than the key
/// has, or 0 on failure. Without an initial value RFC 3394's is used. `kCCParamError`: a size, a
/// pointer, or too little room.
int CCSymmetricKeyWrap(CCWrappingAlgorithm algorithm, const uint8_t *iv, const size_t ivLen,
                       const uint8_t *kek, size_t kekLen, const uint8_t *rawKey, size_t rawKeyLen,
                       uint8_t *wrappedKey, size_t *wrappedKeyLen);

/// Unwraps what ``CCSymmetricKeyWrap`` made; `rawKey` may be `wrappedKey`.
///
/// `kCCDecodeError`: it was changed, or wrapped with another key or initial value; the room is
/// wiped. What was wrapped with RFC 3394's initial value opens with any, as on Apple's platforms.
int CCSymmetricKeyUnwrap(CCWrappingAlgorithm algorithm, const uint8_t *iv, const size_t ivLen,
                         const uint8_t *kek, size_t kekLen, const uint8_t *wrappedKey,
                         size_t wrappedKeyLen, uint8_t *rawKey, size_t *rawKeyLen);

/// The size of a key of `rawKeyLen` bytes when it is wrapped.
size_t CCSymmetricWrappedSize(CCWrappingAlgorithm algorithm, size_t rawKeyLen);

/// The size of a key that is `wrappedKeyLen` bytes when it is wrapped; 0 if nothing so small is
/// one.
size_t CCSymmetricUnwrappedSize(CCWrappingAlgorithm algorithm, size_t wrappedKeyLen);

#ifdef __cplusplus
}
#endif
