#pragma once
#include "curves.h"
#include <limits.h>
#include <openssl/evp.h>
#include <openssl/rand.h>
#include <openssl/rsa.h>
#include <openssl/x509.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

// RSA and the curves of NIST's, for keys that a process holds itself. Each function does one whole
// operation or fails, and leaves no error behind. What writes takes in `size` the room, and gives the
// length there; a call with no room gives only the length.

enum la_padding { LA_PADDING_NONE, LA_PADDING_PKCS1, LA_PADDING_PSS, LA_PADDING_OAEP };

static inline bool la_done(bool is_done) {
  if (!is_done) ERR_clear_error();
  return is_done;
}

// The key in the DER of PKCS #1 (RFC 8017), private or public; NULL for anything else or more.
static inline EVP_PKEY *_Nullable la_rsa_new(bool is_private, const void *_Nullable der, size_t size) {
  const unsigned char *at = (const unsigned char *)der;
  if (size == 0 || size > LONG_MAX) return NULL;
  EVP_PKEY *key = is_private ? d2i_PrivateKey(EVP_PKEY_RSA, NULL, &at, (long)size)
                             : d2i_PublicKey(EVP_PKEY_RSA, NULL, &at, (long)size);
  if (key != NULL && at == (const unsigned char *)der + size) return key;
  EVP_PKEY_free(key);
  ERR_clear_error();
  return NULL;
}

// The key in a SubjectPublicKeyInfo (RFC 5280); NULL for anything else or more.
static inline EVP_PKEY *_Nullable la_pkey_from_info(const void *_Nullable der, size_t size) {
  const unsigned char *at = (const unsigned char *)der;
  if (size == 0 || size > LONG_MAX) return NULL;
  EVP_PKEY *key = d2i_PUBKEY(NULL, &at, (long)size);
  if (key != NULL && at == (const unsigned char *)der + size) return key;
  EVP_PKEY_free(key);
  ERR_clear_error();
  return NULL;
}

// The private key in PKCS #8 (RFC 5208), not encrypted; NULL for anything else or more.
static inline EVP_PKEY *_Nullable la_pkey_from_pkcs8(const void *_Nullable der, size_t size) {
  const unsigned char *at = (const unsigned char *)der;
  if (size == 0 || size > LONG_MAX) return NULL;
  PKCS8_PRIV_KEY_INFO *info = d2i_PKCS8_PRIV_KEY_INFO(NULL, &at, (long)size);
  EVP_PKEY *key = info != NULL && at == (const unsigned char *)der + size ? EVP_PKCS82PKEY(info) : NULL;
  PKCS8_PRIV_KEY_INFO_free(info);
  if (key == NULL) ERR_clear_error();
  return key;
}

static inline EVP_PKEY *_Nullable la_rsa_generate(size_t bits) {
  EVP_PKEY *key = EVP_PKEY_Q_keygen(NULL, NULL, "RSA", bits);
  if (key == NULL) ERR_clear_error();
  return key;
}

static inline EVP_PKEY *_Nullable la_ec_generate(const char *_Nonnull group) {
  EVP_PKEY *key = EVP_PKEY_Q_keygen(NULL, NULL, "EC", (char *)group);
  if (key == NULL) ERR_clear_error();
  return key;
}

// Whether the private key of a curve is a number of the curve, and the public one its own.
static inline bool la_pkey_is_pair(EVP_PKEY *_Nonnull key) {
  EVP_PKEY_CTX *context = EVP_PKEY_CTX_new_from_pkey(NULL, key, NULL);
  bool is_pair = context != NULL && EVP_PKEY_check(context) == 1;
  EVP_PKEY_CTX_free(context);
  return la_done(is_pair);
}

static inline bool la_pkey_is_rsa(const EVP_PKEY *_Nonnull key) { return EVP_PKEY_is_a(key, "RSA"); }

// Writes the name of the curve, with a zero after it; false for a curve without one.
static inline bool la_pkey_group(const EVP_PKEY *_Nonnull key, char *_Nullable name, size_t room) {
  return la_done(EVP_PKEY_is_a(key, "EC") &&
                 EVP_PKEY_get_utf8_string_param(key, OSSL_PKEY_PARAM_GROUP_NAME, name, room, NULL) == 1);
}

// Writes an RSA key in the DER of PKCS #1.
static inline bool la_rsa_write(const EVP_PKEY *_Nonnull key, bool is_private, void *_Nullable der,
                                size_t *_Nonnull size) {
  unsigned char *at = NULL;
  int length = is_private ? i2d_PrivateKey(key, NULL) : i2d_PublicKey(key, NULL);
  bool is_done = length > 0;
  if (is_done && der != NULL) {
    at = (unsigned char *)der;
    is_done = (size_t)length <= *size &&
              (is_private ? i2d_PrivateKey(key, &at) : i2d_PublicKey(key, &at)) == length;
  }
  *size = is_done ? (size_t)length : 0;
  return la_done(is_done);
}

// Writes the point, `size` bytes, and after it the scalar unless `is_private` is false.
static inline bool la_ec_write(const EVP_PKEY *_Nonnull key, bool is_private, void *_Nullable output,
                               size_t point_size) {
  size_t written = 0;
  unsigned char *bytes = (unsigned char *)output;
  size_t size = point_size / 2;
  bool is_done =
      EVP_PKEY_get_octet_string_param(key, OSSL_PKEY_PARAM_PUB_KEY, bytes, point_size, &written) == 1 &&
      written == point_size && bytes[0] == POINT_CONVERSION_UNCOMPRESSED;
  if (is_done && is_private) {
    BIGNUM *scalar = NULL;
    is_done = EVP_PKEY_get_bn_param(key, OSSL_PKEY_PARAM_PRIV_KEY, &scalar) == 1 &&
              BN_bn2binpad(scalar, bytes + point_size, (int)size) == (int)size;
    BN_clear_free(scalar);
  }
  return la_done(is_done);
}

static inline bool la_pad(EVP_PKEY_CTX *_Nonnull context, enum la_padding padding) {
  static const int numbers[] = {RSA_NO_PADDING, RSA_PKCS1_PADDING, RSA_PKCS1_PSS_PADDING,
                                RSA_PKCS1_OAEP_PADDING};
  return EVP_PKEY_CTX_set_rsa_padding(context, numbers[padding]) == 1;
}

static inline bool la_pkey_begin_signature(EVP_PKEY_CTX *_Nonnull context, bool is_rsa,
                                           enum la_padding padding, const char *_Nullable digest) {
  if (!is_rsa) return true;
  if (!la_pad(context, padding)) return false;
  if (digest != NULL && EVP_PKEY_CTX_set_signature_md(context, EVP_get_digestbyname(digest)) != 1)
    return false;
  return padding != LA_PADDING_PSS ||
         EVP_PKEY_CTX_set_rsa_pss_saltlen(context, RSA_PSS_SALTLEN_DIGEST) == 1;
}

// Signs a digest; with a curve in the DER of X9.62. `digest` names its hash function for RSA.
static inline bool la_pkey_sign(EVP_PKEY *_Nonnull key, enum la_padding padding,
                                const char *_Nullable digest, const void *_Nullable message,
                                size_t message_size, void *_Nullable signature, size_t *_Nonnull size) {
  EVP_PKEY_CTX *context = EVP_PKEY_CTX_new_from_pkey(NULL, key, NULL);
  // A pointer to nothing would be taken for an error.
  const unsigned char *bytes = message == NULL ? (const unsigned char *)"" : (const unsigned char *)message;
  bool is_done = context != NULL && EVP_PKEY_sign_init(context) == 1 &&
                 la_pkey_begin_signature(context, la_pkey_is_rsa(key), padding, digest) &&
                 EVP_PKEY_sign(context, (unsigned char *)signature, size, bytes, message_size) == 1;
  EVP_PKEY_CTX_free(context);
  return la_done(is_done);
}

static inline bool la_pkey_verify(EVP_PKEY *_Nonnull key, enum la_padding padding,
                                  const char *_Nullable digest, const void *_Nullable message,
                                  size_t message_size, const void *_Nullable signature, size_t size) {
  EVP_PKEY_CTX *context = EVP_PKEY_CTX_new_from_pkey(NULL, key, NULL);
  const unsigned char *bytes = message == NULL ? (const unsigned char *)"" : (const unsigned char *)message;
  const unsigned char *by = signature == NULL ? (const unsigned char *)"" : (const unsigned char *)signature;
  bool is_genuine = context != NULL && EVP_PKEY_verify_init(context) == 1 &&
                    la_pkey_begin_signature(context, la_pkey_is_rsa(key), padding, digest) &&
                    EVP_PKEY_verify(context, by, size, bytes, message_size) == 1;
  EVP_PKEY_CTX_free(context);
  return la_done(is_genuine);
}

// Encrypts or decrypts with RSA; `digest` names the hash function of OAEP.
static inline bool la_rsa_crypt(EVP_PKEY *_Nonnull key, bool encrypts, enum la_padding padding,
                                const char *_Nullable digest, const void *_Nullable input,
                                size_t input_size, void *_Nullable output, size_t *_Nonnull size) {
  EVP_PKEY_CTX *context = EVP_PKEY_CTX_new_from_pkey(NULL, key, NULL);
  const unsigned char *bytes = input == NULL ? (const unsigned char *)"" : (const unsigned char *)input;
  unsigned char *room = (unsigned char *)output;
  bool is_done = context != NULL &&
                 (encrypts ? EVP_PKEY_encrypt_init(context) : EVP_PKEY_decrypt_init(context)) == 1 &&
                 la_pad(context, padding) &&
                 (digest == NULL ||
                  EVP_PKEY_CTX_set_rsa_oaep_md(context, EVP_get_digestbyname(digest)) == 1) &&
                 (encrypts ? EVP_PKEY_encrypt(context, room, size, bytes, input_size)
                           : EVP_PKEY_decrypt(context, room, size, bytes, input_size)) == 1;
  EVP_PKEY_CTX_free(context);
  return la_done(is_done);
}

// Turns a signature of ECDSA from the DER of X9.62 into `r || s`, each of `half` bytes; false for what
// is no such DER, or more.
static inline bool la_ecdsa_split(const void *_Nullable der, size_t size, void *_Nullable output,
                                  size_t half) {
  const unsigned char *at = (const unsigned char *)der;
  if (size == 0 || size > LONG_MAX) return false;
  ECDSA_SIG *signature = d2i_ECDSA_SIG(NULL, &at, (long)size);
  unsigned char *bytes = (unsigned char *)output;
  bool is_done = signature != NULL && at == (const unsigned char *)der + size &&
                 BN_bn2binpad(ECDSA_SIG_get0_r(signature), bytes, (int)half) == (int)half &&
                 BN_bn2binpad(ECDSA_SIG_get0_s(signature), bytes + half, (int)half) == (int)half;
  ECDSA_SIG_free(signature);
  return la_done(is_done);
}

// Turns `r || s` into the DER of X9.62; the longest there is has 141 bytes.
#define LA_ECDSA_MAX 141
static inline bool la_ecdsa_join(const void *_Nullable halves, size_t half, void *_Nullable der,
                                 size_t *_Nonnull size) {
  const unsigned char *bytes = (const unsigned char *)halves;
  unsigned char *at = (unsigned char *)der;
  ECDSA_SIG *signature = ECDSA_SIG_new();
  BIGNUM *r = BN_bin2bn(bytes, (int)half, NULL), *s = BN_bin2bn(bytes + half, (int)half, NULL);
  bool is_done = signature != NULL && r != NULL && s != NULL && ECDSA_SIG_set0(signature, r, s) == 1;
  if (!is_done) {
    BN_free(r);
    BN_free(s);
  }
  int length = is_done ? i2d_ECDSA_SIG(signature, NULL) : 0;
  is_done = length > 0 && (size_t)length <= *size && i2d_ECDSA_SIG(signature, &at) == length;
  *size = is_done ? (size_t)length : 0;
  ECDSA_SIG_free(signature);
  return la_done(is_done);
}

#define LA_IES_IV_SIZE 16
#define LA_IES_TAG_SIZE 16

// AES-GCM with a nonce of 16 bytes and the tag after the ciphertext, as ECIES has it; the key has 16
// or 32 bytes. Writes `size` bytes and the tag, or that many less.
static inline bool la_ies_crypt(bool seals, const void *_Nullable key, size_t key_size,
                                const void *_Nullable iv, const void *_Nullable data, size_t data_size,
                                const void *_Nullable input, size_t size, void *_Nullable output) {
  int written = 0, rest = 0;
  unsigned char none[LA_IES_TAG_SIZE];
  if (size > INT_MAX || data_size > INT_MAX) return false;
  if (!seals && size < LA_IES_TAG_SIZE) return false;
  size_t text_size = seals ? size : size - LA_IES_TAG_SIZE;
  const unsigned char *bytes = (const unsigned char *)input;
  unsigned char *room = (unsigned char *)output;
  EVP_CIPHER_CTX *context = EVP_CIPHER_CTX_new();
  bool is_done =
      context != NULL &&
      EVP_CipherInit_ex(context, key_size == 32 ? EVP_aes_256_gcm() : EVP_aes_128_gcm(), NULL, NULL,
                        NULL, seals) == 1 &&
      EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_IVLEN, LA_IES_IV_SIZE, NULL) == 1 &&
      EVP_CipherInit_ex(context, NULL, NULL, (const unsigned char *)key, (const unsigned char *)iv,
                        seals) == 1 &&
      (data_size == 0 ||
       EVP_CipherUpdate(context, NULL, &written, (const unsigned char *)data, (int)data_size) == 1) &&
      (text_size == 0 || EVP_CipherUpdate(context, room, &written, bytes, (int)text_size) == 1) &&
      (seals || EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_TAG, LA_IES_TAG_SIZE,
                                    (void *)(bytes + text_size)) == 1) &&
      EVP_CipherFinal_ex(context, none, &rest) == 1 &&
      (!seals || EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_GET_TAG, LA_IES_TAG_SIZE,
                                     room + text_size) == 1);
  EVP_CIPHER_CTX_free(context);
  return la_done(is_done);
}
