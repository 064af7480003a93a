#include "cipher.h"

#include <CommonCrypto/CommonSymmetricKeywrap.h>
#include <openssl/crypto.h>
#include <openssl/modes.h>
#include <string.h>

enum { semiblock = 8, least_key = 16 };

static const uint8_t standard_value[semiblock] = {0xa6, 0xa6, 0xa6, 0xa6, 0xa6, 0xa6, 0xa6, 0xa6};
const uint8_t *const CCrfc3394_iv = standard_value;
const size_t CCrfc3394_ivLen = sizeof standard_value;

struct block_cipher {
  struct la_cipher cipher;
  CCCryptorStatus status;
};

// libcrypto's wrapping asks for one block at a time and cannot be told that one failed.
static void one_block(const unsigned char *in, unsigned char *out, const void *cipher) {
  struct block_cipher *c = (struct block_cipher *)(uintptr_t)cipher;
  CCCryptorStatus status = la_cipher_run(&c->cipher, in, kCCBlockSizeAES128, out);
  if (status != kCCSuccess) c->status = status;
}

static CCCryptorStatus begin(struct block_cipher *c, CCOperation op, const uint8_t *key,
                             size_t size) {
  if (key == NULL) return kCCParamError;
  c->status = la_cipher_begin(&c->cipher, op, kCCModeECB, kCCAlgorithmAES, key, size, NULL);
  return c->status == kCCKeySizeError ? kCCParamError : c->status;
}

static CCCryptorStatus wrap(const uint8_t *iv, const uint8_t *kek, size_t kek_size,
                            const uint8_t *key, size_t size, uint8_t *wrapped) {
  struct block_cipher c;
  CCCryptorStatus status = begin(&c, kCCEncrypt, kek, kek_size);
  if (status != kCCSuccess) return status;
  // Refuses any size that is not a multiple of 8 from 16 on.
  size_t written = CRYPTO_128_wrap(&c, iv, wrapped, key, size, one_block);
  status = c.status != kCCSuccess ? c.status : written == 0 ? kCCParamError : kCCSuccess;
  la_cipher_end(&c.cipher);
  return status;
}

int CCSymmetricKeyWrap(CCWrappingAlgorithm algorithm, const uint8_t *iv, const size_t ivLen,
                       const uint8_t *kek, size_t kekLen, const uint8_t *rawKey, size_t rawKeyLen,
                       uint8_t *wrappedKey, size_t *wrappedKeyLen) {
  (void)algorithm;
  if (wrappedKeyLen == NULL) return kCCParamError;
  const size_t room = wrappedKey == NULL ? 0 : *wrappedKeyLen;
  *wrappedKeyLen = 0;
  CCCryptorStatus status = kCCParamError;
  if (rawKey != NULL && room >= semiblock && room - semiblock >= rawKeyLen &&
      (iv == NULL || ivLen >= semiblock))
    status = wrap(iv, kek, kekLen, rawKey, rawKeyLen, wrappedKey);
  if (status == kCCSuccess) *wrappedKeyLen = rawKeyLen + semiblock;
  else if (room > 0) explicit_bzero(wrappedKey, room);
  return status;
}

// Into memory of its own, because a second value is tried and the result may replace its source.
static CCCryptorStatus unwrap(const uint8_t *iv, const uint8_t *kek, size_t kek_size,
                              const uint8_t *wrapped, size_t size, uint8_t *key) {
  struct block_cipher c;
  uint8_t *scratch = OPENSSL_malloc(size);
  if (scratch == NULL) return kCCMemoryFailure;
  CCCryptorStatus status = begin(&c, kCCDecrypt, kek, kek_size);
  if (status == kCCSuccess) {
    size_t written = CRYPTO_128_unwrap(&c, iv, scratch, wrapped, size, one_block);
    if (written == 0 && iv != NULL)
      written = CRYPTO_128_unwrap(&c, NULL, scratch, wrapped, size, one_block);
    status = c.status != kCCSuccess ? c.status : written == 0 ? kCCDecodeError : kCCSuccess;
    if (status == kCCSuccess) memcpy(key, scratch, written);
    la_cipher_end(&c.cipher);
  }
  OPENSSL_clear_free(scratch, size);
  return status;
}

int CCSymmetricKeyUnwrap(CCWrappingAlgorithm algorithm, const uint8_t *iv, const size_t ivLen,
                         const uint8_t *kek, size_t kekLen, const uint8_t *wrappedKey,
                         size_t wrappedKeyLen, uint8_t *rawKey, size_t *rawKeyLen) {
  (void)algorithm;
  if (rawKeyLen == NULL) return kCCParamError;
  const size_t room = rawKey == NULL ? 0 : *rawKeyLen;
  const size_t size = CCSymmetricUnwrappedSize(algorithm, wrappedKeyLen);
  *rawKeyLen = 0;
  CCCryptorStatus status = kCCParamError;
  if (wrappedKey != NULL && rawKey != NULL && room >= size && (iv == NULL || ivLen >= semiblock)) {
    // No key was ever wrapped to such a size.
    status = size < least_key || size % semiblock != 0
                 ? kCCDecodeError
                 : unwrap(iv, kek, kekLen, wrappedKey, wrappedKeyLen, rawKey);
    if (status != kCCSuccess && size > 0) explicit_bzero(rawKey, size);
  }
  if (status == kCCSuccess) *rawKeyLen = size;
  return status;
}

size_t CCSymmetricWrappedSize(CCWrappingAlgorithm algorithm, size_t rawKeyLen) {
  (void)algorithm;
  return rawKeyLen > SIZE_MAX - semiblock ? 0 : rawKeyLen + semiblock;
}

size_t CCSymmetricUnwrappedSize(CCWrappingAlgorithm algorithm, size_t wrappedKeyLen) {
  (void)algorithm;
  return wrappedKeyLen < semiblock ? 0 : wrappedKeyLen - semiblock;
}
