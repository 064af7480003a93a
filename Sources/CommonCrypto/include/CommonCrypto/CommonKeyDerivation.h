#pragma once
#include <CommonCrypto/CommonCryptoError.h>
#include <CommonCrypto/CommonDigest.h>
#include <CommonCrypto/CommonHMAC.h>

#ifdef __cplusplus
extern "C" {
#endif

/// The one way there is from a password to a key.
enum { kCCPBKDF2 = 2 };
/// `kCCPBKDF2`.
typedef uint32_t CCPBKDFAlgorithm;

/// The pseudo-random function of a derivation: HMAC with this digest.
enum {
  kCCPRFHmacAlgSHA1 = 1,
  kCCPRFHmacAlgSHA224 = 2,
  kCCPRFHmacAlgSHA256 = 3,
  kCCPRFHmacAlgSHA384 = 4,
  kCCPRFHmacAlgSHA512 = 5
};
/// One of the values above.
typedef uint32_t CCPseudoRandomAlgorithm;

/// Derives a key of `derivedKeyLen` bytes from a password with PBKDF2 (RFC 8018).
///
/// `kCCParamError`: the password or the key is a pointer to nothing, the salt is one and not empty,
/// there are no rounds or no bytes to derive, or the function is unknown. An empty password and few
/// rounds are taken as on Apple's platforms. For the password of a person take a random salt of 16
/// bytes and, as OWASP advised in 2023, 600000 rounds of HMAC-SHA-256.
int CCKeyDerivationPBKDF(CCPBKDFAlgorithm algorithm, const char *password, size_t passwordLen,
                         const uint8_t *salt, size_t saltLen, CCPseudoRandomAlgorithm prf,
                         unsigned rounds, uint8_t *derivedKey, size_t derivedKeyLen);

/// How many rounds take `msec` milliseconds of this thread's processor time, at least 10 000; or
/// `UInt32.max` when an argument makes no sense or the salt is longer than 132 bytes.
unsigned CCCalibratePBKDF(CCPBKDFAlgorithm algorithm, size_t passwordLen, size_t saltLen,
                          CCPseudoRandomAlgorithm prf, size_t derivedKeyLen, uint32_t msec);

#ifdef __cplusplus
}
#endif
