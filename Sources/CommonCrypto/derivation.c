#include <CommonCrypto/CommonKeyDerivation.h>
#include <openssl/core_names.h>
#include <openssl/err.h>
#include <openssl/kdf.h>
#include <openssl/params.h>
#include <stdbool.h>
#include <time.h>

static const char *digest_name(CCPseudoRandomAlgorithm prf) {
  switch (prf) {
  case kCCPRFHmacAlgSHA1: return "SHA1";
  case kCCPRFHmacAlgSHA224: return "SHA224";
  case kCCPRFHmacAlgSHA256: return "SHA256";
  case kCCPRFHmacAlgSHA384: return "SHA384";
  case kCCPRFHmacAlgSHA512: return "SHA512";
  default: return NULL;
  }
}

static size_t digest_size(CCPseudoRandomAlgorithm prf) {
  switch (prf) {
  case kCCPRFHmacAlgSHA1: return CC_SHA1_DIGEST_LENGTH;
  case kCCPRFHmacAlgSHA224: return CC_SHA224_DIGEST_LENGTH;
  case kCCPRFHmacAlgSHA256: return CC_SHA256_DIGEST_LENGTH;
  case kCCPRFHmacAlgSHA384: return CC_SHA384_DIGEST_LENGTH;
  default: return CC_SHA512_DIGEST_LENGTH;
  }
}

int CCKeyDerivationPBKDF(CCPBKDFAlgorithm algorithm, const char *password, size_t passwordLen,
                         const uint8_t *salt, size_t saltLen, CCPseudoRandomAlgorithm prf,
                         unsigned rounds, uint8_t *derivedKey, size_t derivedKeyLen) {
  const char *digest = digest_name(prf);
  if (algorithm != kCCPBKDF2 || digest == NULL || password == NULL || derivedKey == NULL ||
      derivedKeyLen == 0 || rounds == 0 || (salt == NULL && saltLen > 0))
    return kCCParamError;
  // Nothing is so large; libcrypto would try to copy it.
  if (passwordLen > PTRDIFF_MAX || saltLen > PTRDIFF_MAX || derivedKeyLen > PTRDIFF_MAX)
    return kCCParamError;
  ERR_set_mark();
  EVP_KDF *kdf = EVP_KDF_fetch(NULL, "PBKDF2", NULL);
  EVP_KDF_CTX *context = kdf == NULL ? NULL : EVP_KDF_CTX_new(kdf);
  EVP_KDF_free(kdf);
  // The least sizes and rounds of NIST SP 800-132 are no rule here.
  int is_unchecked = 1;
  OSSL_PARAM parameters[] = {
      OSSL_PARAM_construct_utf8_string(OSSL_KDF_PARAM_DIGEST, (char *)digest, 0),
      OSSL_PARAM_construct_octet_string(OSSL_KDF_PARAM_PASSWORD, (void *)password, passwordLen),
      OSSL_PARAM_construct_octet_string(OSSL_KDF_PARAM_SALT, (void *)salt, saltLen),
      OSSL_PARAM_construct_uint(OSSL_KDF_PARAM_ITER, &rounds),
      OSSL_PARAM_construct_int(OSSL_KDF_PARAM_PKCS5, &is_unchecked),
      OSSL_PARAM_construct_end()};
  bool is_done =
      context != NULL && EVP_KDF_derive(context, derivedKey, derivedKeyLen, parameters) == 1;
  EVP_KDF_CTX_free(context);
  ERR_pop_to_mark();
  return is_done ? kCCSuccess : kCCParamError;
}

static uint64_t nanoseconds(void) {
  struct timespec now;
  // What other threads do meanwhile must not make for fewer rounds.
  if (clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now) != 0) return 0;
  return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

unsigned CCCalibratePBKDF(CCPBKDFAlgorithm algorithm, size_t passwordLen, size_t saltLen,
                          CCPseudoRandomAlgorithm prf, size_t derivedKeyLen, uint32_t msec) {
  enum { sample = 50000, least = 10000, longest_salt = 132 };
  // A password, however long, is one block before the first round.
  (void)passwordLen;
  if (derivedKeyLen == 0 || saltLen > longest_salt) return (unsigned)-1;
  static const uint8_t salt[longest_salt];
  uint8_t byte;
  const uint64_t start = nanoseconds();
  if (CCKeyDerivationPBKDF(algorithm, "password", 8, salt, saltLen, prf, sample, &byte, 1) !=
      kCCSuccess)
    return (unsigned)-1;
  const uint64_t elapsed = nanoseconds() - start;
  if (elapsed == 0) return least;
  // Each block of the key costs as much as the first.
  const size_t size = digest_size(prf);
  const double blocks = (double)(derivedKeyLen / size + (derivedKeyLen % size != 0));
  const double rounds = (double)msec * 1e6 / ((double)elapsed * blocks) * sample;
  if (rounds < least) return least;
  return rounds > INT32_MAX ? INT32_MAX : (unsigned)rounds;
}
