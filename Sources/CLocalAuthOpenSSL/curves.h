#pragma once
#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/ec.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/kdf.h>
#include <openssl/params.h>
#include <stdbool.h>
#include <stddef.h>

// What keys of any curve of NIST's need: a point is `04 || X || Y`, a scalar as long as X.

// The longest scalar: 521 bits.
#define LA_SCALAR_MAX 66

// OpenSSL's form of a key from its point, which is checked to be on the curve, and from its big-endian
// scalar unless that is NULL.
static inline EVP_PKEY *_Nullable la_ec_new(const char *_Nonnull group, const void *_Nullable scalar,
                                            const void *_Nullable point, size_t point_size) {
  // OSSL_PARAM takes integers in the machine's order of bytes.
  unsigned char native[LA_SCALAR_MAX];
  size_t size = point_size / 2;
  const unsigned one = 1;
  bool is_little = *(const unsigned char *)&one == 1;
  if (size == 0 || size > sizeof native) return NULL;
  if (scalar != NULL)
    for (size_t i = 0; i < size; i++)
      native[i] = ((const unsigned char *)scalar)[is_little ? size - 1 - i : i];
  OSSL_PARAM parameters[4] = {
      OSSL_PARAM_construct_utf8_string(OSSL_PKEY_PARAM_GROUP_NAME, (char *)group, 0),
      OSSL_PARAM_construct_octet_string(OSSL_PKEY_PARAM_PUB_KEY, (void *)point, point_size),
      OSSL_PARAM_construct_end(), OSSL_PARAM_construct_end()};
  if (scalar != NULL)
    parameters[2] = OSSL_PARAM_construct_BN(OSSL_PKEY_PARAM_PRIV_KEY, native, size);
  EVP_PKEY *key = NULL;
  EVP_PKEY_CTX *context = EVP_PKEY_CTX_new_from_name(NULL, "EC", NULL);
  if (context == NULL || EVP_PKEY_fromdata_init(context) != 1 ||
      EVP_PKEY_fromdata(context, &key, scalar == NULL ? EVP_PKEY_PUBLIC_KEY : EVP_PKEY_KEYPAIR,
                        parameters) != 1)
    key = NULL;
  EVP_PKEY_CTX_free(context);
  OPENSSL_cleanse(native, sizeof native);
  if (key == NULL) ERR_clear_error();
  return key;
}

// Whether the bytes are a point of the curve, uncompressed and not the point at infinity.
static inline bool la_ec_is_point(const char *_Nonnull group, const void *_Nullable point,
                                  size_t size) {
  if (*(const unsigned char *)point != POINT_CONVERSION_UNCOMPRESSED) return false;
  EVP_PKEY *key = la_ec_new(group, NULL, point, size);
  EVP_PKEY_CTX *context = key == NULL ? NULL : EVP_PKEY_CTX_new_from_pkey(NULL, key, NULL);
  bool is_point = context != NULL && EVP_PKEY_public_check(context) == 1;
  EVP_PKEY_CTX_free(context);
  EVP_PKEY_free(key);
  if (!is_point) ERR_clear_error();
  return is_point;
}

// Writes the x-coordinate that both keys agree on: `size` bytes. The peer's key is checked.
static inline bool la_ec_agree(EVP_PKEY *_Nullable key, EVP_PKEY *_Nullable peer,
                               void *_Nullable shared, size_t size) {
  size_t written = size;
  EVP_PKEY_CTX *context =
      key == NULL || peer == NULL ? NULL : EVP_PKEY_CTX_new_from_pkey(NULL, key, NULL);
  bool is_done = context != NULL && EVP_PKEY_derive_init(context) == 1 &&
                 EVP_PKEY_derive_set_peer_ex(context, peer, 1) == 1 &&
                 EVP_PKEY_derive(context, (unsigned char *)shared, &written) == 1 &&
                 written == size;
  EVP_PKEY_CTX_free(context);
  if (!is_done) ERR_clear_error();
  return is_done;
}

// Derives a key from a shared secret by `function`, with the hash function of this name: X963KDF of ANSI
// X9.63, or SSKDF, the one-step function of NIST SP 800-56C.
static inline bool la_shared_kdf(const char *_Nonnull function, const char *_Nonnull digest,
                                 void *_Nullable output, size_t size, const void *_Nullable shared,
                                 size_t shared_size, const void *_Nullable info, size_t info_size) {
  EVP_KDF *kdf = EVP_KDF_fetch(NULL, function, NULL);
  EVP_KDF_CTX *context = kdf == NULL ? NULL : EVP_KDF_CTX_new(kdf);
  EVP_KDF_free(kdf);
  if (context == NULL) return false;
  OSSL_PARAM parameters[] = {
      OSSL_PARAM_construct_utf8_string(OSSL_KDF_PARAM_DIGEST, (char *)digest, 0),
      OSSL_PARAM_construct_octet_string(OSSL_KDF_PARAM_KEY, (void *)shared, shared_size),
      OSSL_PARAM_construct_octet_string(OSSL_KDF_PARAM_INFO, (void *)info, info_size),
      OSSL_PARAM_construct_end()};
  bool is_done = EVP_KDF_derive(context, (unsigned char *)output, size, parameters) == 1;
  EVP_KDF_CTX_free(context);
  return is_done;
}

// Writes the digest of the bytes by the hash function of this name, which has `digest_size` bytes.
static inline bool la_hash(const char *_Nonnull name, const void *_Nullable bytes, size_t size,
                           void *_Nullable digest, size_t digest_size) {
  size_t written = 0;
  return EVP_Q_digest(NULL, name, NULL, bytes, size, (unsigned char *)digest, &written) == 1 &&
         written == digest_size;
}
