#pragma once
#include "curves.h"
#include <openssl/crypto.h>
#include <openssl/ec.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/obj_mac.h>
#include <stdbool.h>
#include <stddef.h>

// Signatures and key agreement with P-256 and Ed25519. A private key is 32 bytes of the caller's;
// each operation makes OpenSSL's form of it and destroys that, which wipes it. A public key is
// `04 || X || Y` (P-256) or 32 bytes (Ed25519).

#define LA_KEY_SIZE 32
#define LA_P256_PUBLIC_SIZE 65
#define LA_ED25519_SIGNATURE_SIZE 64
// Two integers of up to 33 bytes, each with two bytes before it, and two before both.
#define LA_P256_SIGNATURE_MAX 72

enum la_key_type { LA_KEY_P256, LA_KEY_ED25519 };
enum la_digest { LA_DIGEST_NONE, LA_DIGEST_SHA256, LA_DIGEST_SHA384, LA_DIGEST_SHA512 };

// Whether the big-endian `scalar` is from 1 to the order of P-256 less 1; in constant time.
static inline bool la_p256_is_scalar(const void *_Nullable scalar) {
  static const unsigned char order[LA_KEY_SIZE] = {
      0xff, 0xff, 0xff, 0xff, 0x00, 0x00, 0x00, 0x00, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
      0xbc, 0xe6, 0xfa, 0xad, 0xa7, 0x17, 0x9e, 0x84, 0xf3, 0xb9, 0xca, 0xc2, 0xfc, 0x63, 0x25, 0x51};
  const unsigned char *bytes = (const unsigned char *)scalar;
  unsigned borrow = 0, any = 0;
  for (int i = LA_KEY_SIZE - 1; i >= 0; i--) {
    borrow = (bytes[i] - order[i] - borrow) >> 31;
    any |= bytes[i];
  }
  return (borrow & (unsigned)(any != 0)) == 1;
}

static inline EVP_PKEY *_Nullable la_p256_new(const void *_Nullable scalar,
                                              const void *_Nullable point) {
  return la_ec_new(SN_X9_62_prime256v1, scalar, point, LA_P256_PUBLIC_SIZE);
}

static inline EVP_PKEY *_Nullable la_key_new_private(enum la_key_type type,
                                                     const void *_Nullable secret,
                                                     const void *_Nullable public_key) {
  if (type == LA_KEY_P256) return la_p256_new(secret, public_key);
  return EVP_PKEY_new_raw_private_key_ex(NULL, "ED25519", NULL, (const unsigned char *)secret,
                                         LA_KEY_SIZE);
}

static inline EVP_PKEY *_Nullable la_key_new_public(enum la_key_type type,
                                                    const void *_Nullable public_key) {
  if (type == LA_KEY_P256) return la_p256_new(NULL, public_key);
  return EVP_PKEY_new_raw_public_key_ex(NULL, "ED25519", NULL, (const unsigned char *)public_key,
                                        LA_KEY_SIZE);
}

static inline bool la_p256_is_point(const void *_Nullable point) {
  return la_ec_is_point(SN_X9_62_prime256v1, point, LA_P256_PUBLIC_SIZE);
}

// Writes the public point of `scalar`, which is one: LA_P256_PUBLIC_SIZE bytes.
static inline bool la_p256_public(const void *_Nullable scalar, void *_Nullable point) {
  EC_GROUP *group = EC_GROUP_new_by_curve_name(NID_X9_62_prime256v1);
  EC_POINT *product = group == NULL ? NULL : EC_POINT_new(group);
  BIGNUM *number = BN_secure_new();
  bool is_done = false;
  if (product != NULL && number != NULL) {
    // Or the time of the multiplication would depend on the key.
    BN_set_flags(number, BN_FLG_CONSTTIME);
    is_done = BN_bin2bn((const unsigned char *)scalar, LA_KEY_SIZE, number) != NULL &&
              EC_POINT_mul(group, product, number, NULL, NULL, NULL) == 1 &&
              EC_POINT_point2oct(group, product, POINT_CONVERSION_UNCOMPRESSED,
                                 (unsigned char *)point, LA_P256_PUBLIC_SIZE,
                                 NULL) == LA_P256_PUBLIC_SIZE;
  }
  BN_clear_free(number);
  EC_POINT_clear_free(product);
  EC_GROUP_free(group);
  return is_done;
}

// Writes the public key of the Ed25519 `seed`: LA_KEY_SIZE bytes.
static inline bool la_ed25519_public(const void *_Nullable seed, void *_Nullable public_key) {
  size_t size = LA_KEY_SIZE;
  EVP_PKEY *key = la_key_new_private(LA_KEY_ED25519, seed, NULL);
  bool is_done = key != NULL &&
                 EVP_PKEY_get_raw_public_key(key, (unsigned char *)public_key, &size) == 1 &&
                 size == LA_KEY_SIZE;
  EVP_PKEY_free(key);
  return is_done;
}

static inline const char *_Nullable la_digest_name(enum la_digest digest) {
  switch (digest) {
  case LA_DIGEST_SHA256: return "SHA256";
  case LA_DIGEST_SHA384: return "SHA384";
  case LA_DIGEST_SHA512: return "SHA512";
  case LA_DIGEST_NONE: return NULL;
  }
  return NULL;
}

// Signs a message, which is hashed with `digest` where there is one, or else (P-256) a digest as it
// is. `size` is the room for the signature, and then its length.
static inline bool la_key_sign(enum la_key_type type, const void *_Nullable secret,
                               const void *_Nullable public_key, enum la_digest digest,
                               const void *_Nullable message, size_t message_size,
                               void *_Nullable signature, size_t *_Nonnull size) {
  EVP_PKEY *key = la_key_new_private(type, secret, public_key);
  bool is_done = false;
  // A pointer to nothing would ask for the size only, or be taken for an error.
  const unsigned char *bytes = message == NULL ? (const unsigned char *)"" : (const unsigned char *)message;
  if (key != NULL && (digest != LA_DIGEST_NONE || type == LA_KEY_ED25519)) {
    EVP_MD_CTX *context = EVP_MD_CTX_new();
    is_done = context != NULL &&
              EVP_DigestSignInit_ex(context, NULL, la_digest_name(digest), NULL, NULL, key,
                                    NULL) == 1 &&
              EVP_DigestSign(context, (unsigned char *)signature, size, bytes, message_size) == 1;
    EVP_MD_CTX_free(context);
  } else if (key != NULL) {
    EVP_PKEY_CTX *context = EVP_PKEY_CTX_new_from_pkey(NULL, key, NULL);
    is_done = context != NULL && EVP_PKEY_sign_init(context) == 1 &&
              EVP_PKEY_sign(context, (unsigned char *)signature, size, bytes, message_size) == 1;
    EVP_PKEY_CTX_free(context);
  }
  EVP_PKEY_free(key);
  return is_done;
}

// Whether the signature is the public key's over the message, or the digest as it is.
static inline bool la_key_verify(enum la_key_type type, const void *_Nullable public_key,
                                 enum la_digest digest, const void *_Nullable message,
                                 size_t message_size, const void *_Nullable signature, size_t size) {
  EVP_PKEY *key = la_key_new_public(type, public_key);
  bool is_genuine = false;
  const unsigned char *bytes = message == NULL ? (const unsigned char *)"" : (const unsigned char *)message;
  const unsigned char *signed_by = signature == NULL ? (const unsigned char *)"" : (const unsigned char *)signature;
  if (key != NULL && (digest != LA_DIGEST_NONE || type == LA_KEY_ED25519)) {
    EVP_MD_CTX *context = EVP_MD_CTX_new();
    is_genuine = context != NULL &&
                 EVP_DigestVerifyInit_ex(context, NULL, la_digest_name(digest), NULL, NULL, key,
                                         NULL) == 1 &&
                 EVP_DigestVerify(context, signed_by, size, bytes, message_size) == 1;
    EVP_MD_CTX_free(context);
  } else if (key != NULL) {
    EVP_PKEY_CTX *context = EVP_PKEY_CTX_new_from_pkey(NULL, key, NULL);
    is_genuine = context != NULL && EVP_PKEY_verify_init(context) == 1 &&
                 EVP_PKEY_verify(context, signed_by, size, bytes, message_size) == 1;
    EVP_PKEY_CTX_free(context);
  }
  EVP_PKEY_free(key);
  if (!is_genuine) ERR_clear_error();
  return is_genuine;
}

// Writes the x-coordinate that both keys agree on: LA_KEY_SIZE bytes. The peer's key is checked.
static inline bool la_p256_agree(const void *_Nullable scalar, const void *_Nullable public_key,
                                 const void *_Nullable peer, void *_Nullable shared) {
  EVP_PKEY *key = la_p256_new(scalar, public_key);
  EVP_PKEY *other = la_p256_new(NULL, peer);
  bool is_done = la_ec_agree(key, other, shared, LA_KEY_SIZE);
  EVP_PKEY_free(other);
  EVP_PKEY_free(key);
  return is_done;
}

// Writes the SHA-1 of the bytes: 20 of them.
static inline bool la_sha1(const void *_Nullable bytes, size_t size, void *_Nullable digest) {
  return la_hash("SHA1", bytes, size, digest, 20);
}
