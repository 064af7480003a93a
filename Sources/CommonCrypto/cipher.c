#include "cipher.h"

#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/params.h>
#include <openssl/provider.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

struct algorithm {
  const char *name;
  size_t least_key, most_key, block;
  bool is_legacy;
};

// In the order of kCCAlgorithm; the three sizes of AES keys are ciphers of their own to libcrypto.
static const struct algorithm algorithms[] = {
    {"AES-%zu", kCCKeySizeAES128, kCCKeySizeAES256, kCCBlockSizeAES128, false},
    {"DES", kCCKeySizeDES, kCCKeySizeDES, kCCBlockSizeDES, true},
    {"DES-EDE3", kCCKeySize3DES, kCCKeySize3DES, kCCBlockSize3DES, false},
    {"CAST5", kCCKeySizeMinCAST, kCCKeySizeMaxCAST, kCCBlockSizeCAST, true},
    {"RC4", kCCKeySizeMinRC4, kCCKeySizeMaxRC4, 1, true},
    {"RC2", kCCKeySizeMinRC2, kCCKeySizeMaxRC2, kCCBlockSizeRC2, true},
    {"BF", kCCKeySizeMinBlowfish, kCCKeySizeMaxBlowfish, kCCBlockSizeBlowfish, true},
};
enum { algorithm_count = sizeof algorithms / sizeof *algorithms };

static const char *const modes[] = {
    [kCCModeECB] = "-ECB", [kCCModeCBC] = "-CBC", [kCCModeCFB] = "-CFB",  [kCCModeCTR] = "-CTR",
    [kCCModeOFB] = "-OFB", [kCCModeRC4] = "",     [kCCModeCFB8] = "-CFB8"};
enum { mode_count = sizeof modes / sizeof *modes };

// The ciphers of old standards live in a library of their own, which may not be installed. It is
// loaded into a context of its own, so that the rest of the process does not get them too.
static OSSL_LIB_CTX *legacy;

static void load_legacy(void) {
  legacy = OSSL_LIB_CTX_new();
  if (legacy != NULL && OSSL_PROVIDER_load(legacy, "legacy") == NULL) {
    OSSL_LIB_CTX_free(legacy);
    legacy = NULL;
  }
}

static EVP_CIPHER *fetch(CCAlgorithm alg, CCMode mode, size_t key_size) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  char name[24];
  int length = snprintf(name, sizeof name, algorithms[alg].name, key_size * 8);
  snprintf(name + length, sizeof name - (size_t)length, "%s", modes[mode]);
  EVP_CIPHER *cipher = NULL;
  ERR_set_mark();
  if (algorithms[alg].is_legacy) pthread_once(&once, load_legacy);
  if (!algorithms[alg].is_legacy || legacy != NULL)
    cipher = EVP_CIPHER_fetch(algorithms[alg].is_legacy ? legacy : NULL, name, NULL);
  ERR_pop_to_mark();
  return cipher;
}

// Looking a cipher up costs as much as encrypting a kilobyte: it is done once a process.
static const EVP_CIPHER *cipher_of(CCAlgorithm alg, CCMode mode, size_t key_size) {
  static EVP_CIPHER *known[algorithm_count][mode_count][3];
  const size_t variant = alg == kCCAlgorithmAES ? key_size / 8 - 2 : 0;
  EVP_CIPHER **place = &known[alg][mode][variant];
  EVP_CIPHER *cipher = __atomic_load_n(place, __ATOMIC_ACQUIRE);
  if (cipher != NULL) return cipher;
  EVP_CIPHER *mine = fetch(alg, mode, key_size);
  if (mine == NULL) return NULL;
  if (__atomic_compare_exchange_n(place, &cipher, mine, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
    return mine;
  EVP_CIPHER_free(mine);
  return cipher;
}

// Every block cipher has every mode on Apple's platforms; RC4 is given any and has its own.
static CCCryptorStatus resolve_mode(CCAlgorithm alg, CCMode *mode) {
  enum { XTS = 8, GCM = 11, CCM = 12 };
  if (alg == kCCAlgorithmRC4) {
    *mode = kCCModeRC4;
    return kCCSuccess;
  }
  switch (*mode) {
  case kCCModeECB:
  case kCCModeCBC:
  case kCCModeCFB:
  case kCCModeCTR:
  case kCCModeOFB:
  case kCCModeCFB8: return kCCSuccess;
  case XTS:
  case GCM:
  case CCM: return kCCUnimplemented;
  default: return kCCParamError;
  }
}

static CCCryptorStatus check_key(CCAlgorithm alg, size_t size) {
  if (size < algorithms[alg].least_key || size > algorithms[alg].most_key) return kCCKeySizeError;
  return alg == kCCAlgorithmAES && size % 8 != 0 ? kCCKeySizeError : kCCSuccess;
}

// Keys that may have several sizes: the size comes before the key. RC2 also has a strength, which
// is the key's.
static bool set_key(struct la_cipher *c, const EVP_CIPHER *cipher, CCAlgorithm alg, const void *key,
                    size_t size, const void *vector, int encrypts) {
  if (EVP_CIPHER_get_key_length(cipher) == (int)size && alg != kCCAlgorithmRC2)
    return EVP_CipherInit_ex2(c->context, cipher, key, vector, encrypts, NULL) == 1;
  size_t bits = size * 8;
  OSSL_PARAM parameters[3] = {OSSL_PARAM_construct_size_t(OSSL_CIPHER_PARAM_KEYLEN, &size),
                              OSSL_PARAM_construct_end(), OSSL_PARAM_construct_end()};
  if (alg == kCCAlgorithmRC2)
    parameters[1] = OSSL_PARAM_construct_size_t(OSSL_CIPHER_PARAM_RC2_KEYBITS, &bits);
  return EVP_CipherInit_ex2(c->context, cipher, NULL, NULL, encrypts, parameters) == 1 &&
         EVP_CipherInit_ex2(c->context, NULL, key, vector, encrypts, NULL) == 1;
}

CCCryptorStatus la_cipher_begin(struct la_cipher *c, CCOperation op, CCMode mode, CCAlgorithm alg,
                                const void *key, size_t key_size, const void *vector) {
  static const unsigned char zeroes[kCCBlockSizeAES128];
  if (alg >= algorithm_count || op > kCCDecrypt) return kCCParamError;
  CCCryptorStatus status = resolve_mode(alg, &mode);
  if (status == kCCSuccess) status = check_key(alg, key_size);
  if (status != kCCSuccess) return status;

  if (vector == NULL) vector = zeroes;
  c->block = algorithms[alg].block;
  c->mode = mode;
  c->encrypts = op == kCCEncrypt;
  c->used = c->block;
  c->is_by_block = c->block == sizeof c->vector && (mode == kCCModeCTR || mode == kCCModeCFB8);
  if (c->is_by_block) memcpy(c->vector, vector, sizeof c->vector);
  const EVP_CIPHER *cipher = cipher_of(alg, c->is_by_block ? kCCModeECB : mode, key_size);
  if (cipher == NULL) return kCCUnimplemented;
  c->context = EVP_CIPHER_CTX_new();
  if (c->context == NULL) return kCCMemoryFailure;
  // Only when it decrypts would libcrypto hold a block back for its own padding.
  bool is_done =
      set_key(c, cipher, alg, key, key_size, vector, c->encrypts || c->is_by_block) &&
      (c->encrypts || la_cipher_streams(c) || EVP_CIPHER_CTX_set_padding(c->context, 0) == 1);
  if (is_done) return kCCSuccess;
  la_cipher_end(c);
  return kCCUnspecifiedError;
}

static CCCryptorStatus run(struct la_cipher *c, const unsigned char *in, size_t size,
                           unsigned char *out) {
  // libcrypto counts with int. Whole blocks in each part.
  const size_t most = (size_t)1 << 30;
  while (size > 0) {
    const int part = (int)(size < most ? size : most);
    int written = 0;
    if (EVP_CipherUpdate(c->context, out, &written, in, part) != 1 || written != part)
      return kCCUnspecifiedError;
    in += part;
    out += part;
    size -= (size_t)part;
  }
  return kCCSuccess;
}

static void count_up(unsigned char *counter, size_t size) {
  for (size_t i = size; i > 0 && ++counter[i - 1] == 0;) i--;
}

// CTR and CFB8 (NIST SP 800-38A) with blocks of 8 bytes.
static CCCryptorStatus run_by_block(struct la_cipher *c, const unsigned char *in, size_t size,
                                    unsigned char *out) {
  for (size_t i = 0; i < size; i++) {
    const bool is_counter = c->mode == kCCModeCTR;
    if (!is_counter || c->used == c->block) {
      CCCryptorStatus status = run(c, c->vector, c->block, c->stream);
      if (status != kCCSuccess) return status;
      if (is_counter) count_up(c->vector, c->block);
      c->used = 0;
    }
    const unsigned char given = in[i];
    out[i] = given ^ c->stream[c->used];
    if (is_counter) {
      c->used++;
    } else {
      memmove(c->vector, c->vector + 1, c->block - 1);
      c->vector[c->block - 1] = c->encrypts ? out[i] : given;
    }
  }
  return kCCSuccess;
}

CCCryptorStatus la_cipher_run(struct la_cipher *c, const unsigned char *in, size_t size,
                              unsigned char *out) {
  return c->is_by_block ? run_by_block(c, in, size, out) : run(c, in, size, out);
}

CCCryptorStatus la_cipher_restart(struct la_cipher *c, const void *vector) {
  static const unsigned char zeroes[kCCBlockSizeAES128];
  if (vector == NULL) vector = zeroes;
  if (c->is_by_block) {
    memcpy(c->vector, vector, sizeof c->vector);
    c->used = c->block;
    return kCCSuccess;
  }
  return EVP_CipherInit_ex2(c->context, NULL, NULL, vector, -1, NULL) == 1 ? kCCSuccess
                                                                          : kCCUnspecifiedError;
}

void la_cipher_end(struct la_cipher *c) {
  // Wipes the key schedule.
  EVP_CIPHER_CTX_free(c->context);
  if (c->is_by_block) explicit_bzero(c, sizeof *c);
}
