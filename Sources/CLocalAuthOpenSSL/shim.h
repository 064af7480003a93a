#pragma once
#include <limits.h>
#include <openssl/evp.h>
#include <openssl/kdf.h>
#include <openssl/core_names.h>
#include <openssl/params.h>
#include <stdbool.h>
#include <stddef.h>

// OpenSSL takes sizes as int and wants a call for each step of one operation. These take Swift's
// buffers as they are and do one whole operation, or fail.

#define LA_GCM_KEY_SIZE 32
#define LA_GCM_NONCE_SIZE 12
#define LA_GCM_TAG_SIZE 16

// A context with the key schedule of `key`, LA_GCM_KEY_SIZE bytes; NULL without memory. Fetching the
// cipher costs as much as the rest: it is done once a process.
static inline EVP_CIPHER_CTX *_Nullable la_gcm_new(const void *_Nullable key, bool seals) {
  static EVP_CIPHER *cipher;
  EVP_CIPHER *fetched = __atomic_load_n(&cipher, __ATOMIC_ACQUIRE);
  if (fetched == NULL) {
    EVP_CIPHER *mine = EVP_CIPHER_fetch(NULL, "AES-256-GCM", NULL);
    if (mine == NULL) return NULL;
    if (__atomic_compare_exchange_n(&cipher, &fetched, mine, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
      fetched = mine;
    else
      EVP_CIPHER_free(mine);
  }
  EVP_CIPHER_CTX *context = EVP_CIPHER_CTX_new();
  if (context == NULL) return NULL;
  if (EVP_CipherInit_ex2(context, fetched, (const unsigned char *)key, NULL, seals, NULL) == 1)
    return context;
  EVP_CIPHER_CTX_free(context);
  return NULL;
}

// Begins with `nonce`, LA_GCM_NONCE_SIZE bytes, and takes in the authenticated data.
static inline bool la_gcm_begin(
    EVP_CIPHER_CTX *_Nonnull context, const void *_Nullable nonce, const void *_Nullable data,
    size_t data_size, size_t size) {
  int written;
  if (size > INT_MAX || data_size > INT_MAX) return false;
  if (EVP_CipherInit_ex2(context, NULL, NULL, (const unsigned char *)nonce, -1, NULL) != 1) return false;
  return data_size == 0 || EVP_CipherUpdate(context, NULL, &written, (const unsigned char *)data,
                                            (int)data_size) == 1;
}

// Seals `size` bytes of `plain` into `sealed` and writes LA_GCM_TAG_SIZE bytes of tag.
static inline bool la_gcm_seal(
    EVP_CIPHER_CTX *_Nonnull context, const void *_Nullable nonce, const void *_Nullable data,
    size_t data_size, const void *_Nullable plain, size_t size, void *_Nullable sealed,
    void *_Nullable tag) {
  int written = 0, rest = 0;
  if (!la_gcm_begin(context, nonce, data, data_size, size)) return false;
  if (size > 0 && EVP_CipherUpdate(context, (unsigned char *)sealed, &written,
                                   (const unsigned char *)plain, (int)size) != 1)
    return false;
  unsigned char none[LA_GCM_TAG_SIZE];
  return EVP_CipherFinal_ex(context, none, &rest) == 1 && (size_t)written == size && rest == 0 &&
         EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_GET_TAG, LA_GCM_TAG_SIZE, tag) == 1;
}

// Opens `size` bytes of `sealed` into `plain`; false when anything was changed, and `plain` must be
// thrown away then.
static inline bool la_gcm_open(
    EVP_CIPHER_CTX *_Nonnull context, const void *_Nullable nonce, const void *_Nullable data,
    size_t data_size, const void *_Nullable sealed, size_t size, const void *_Nullable tag,
    void *_Nullable plain) {
  int written = 0, rest = 0;
  if (!la_gcm_begin(context, nonce, data, data_size, size)) return false;
  if (size > 0 && EVP_CipherUpdate(context, (unsigned char *)plain, &written,
                                   (const unsigned char *)sealed, (int)size) != 1)
    return false;
  if (EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_TAG, LA_GCM_TAG_SIZE, (void *)tag) != 1)
    return false;
  unsigned char none[LA_GCM_TAG_SIZE];
  return EVP_CipherFinal_ex(context, none, &rest) == 1 && (size_t)written == size && rest == 0;
}

// HKDF with SHA-256 (RFC 5869), extract and expand; at most 8160 bytes.
static inline bool la_hkdf_sha256(
    void *_Nullable output, size_t size, const void *_Nullable key, size_t key_size,
    const void *_Nullable salt, size_t salt_size, const void *_Nullable info, size_t info_size) {
  EVP_KDF *kdf = EVP_KDF_fetch(NULL, "HKDF", NULL);
  EVP_KDF_CTX *context = kdf == NULL ? NULL : EVP_KDF_CTX_new(kdf);
  EVP_KDF_free(kdf);
  if (context == NULL) return false;
  char digest[] = "SHA256";
  OSSL_PARAM parameters[] = {
      OSSL_PARAM_construct_utf8_string(OSSL_KDF_PARAM_DIGEST, digest, 0),
      OSSL_PARAM_construct_octet_string(OSSL_KDF_PARAM_KEY, (void *)key, key_size),
      OSSL_PARAM_construct_octet_string(OSSL_KDF_PARAM_SALT, (void *)salt, salt_size),
      OSSL_PARAM_construct_octet_string(OSSL_KDF_PARAM_INFO, (void *)info, info_size),
      OSSL_PARAM_construct_end()};
  bool is_done = EVP_KDF_derive(context, (unsigned char *)output, size, parameters) == 1;
  EVP_KDF_CTX_free(context);
  return is_done;
}
