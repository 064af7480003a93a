#pragma once
#include <sodium.h>
#include <stdbool.h>

// libsodium declares its pointers non-null and typed; Swift's buffers are raw and, when they are
// empty, nil. These take Swift's buffers as they are.

static inline void la_sodium_random(void *_Nullable bytes, size_t size) {
  if (size > 0) randombytes_buf(bytes, size);
}

static inline bool la_sodium_is_zero(const void *_Nullable bytes, size_t size) {
  return size == 0 || sodium_is_zero((const unsigned char *)bytes, size) == 1;
}

// The key has crypto_sign_ed25519_SECRETKEYBYTES bytes: seed and public key.
static inline bool la_sodium_ed25519_key(
    const void *_Nullable seed, void *_Nullable public_key, void *_Nullable key) {
  return crypto_sign_ed25519_seed_keypair(
             (unsigned char *)public_key, (unsigned char *)key, (const unsigned char *)seed) == 0;
}

// The signature has crypto_sign_ed25519_BYTES bytes.
static inline bool la_sodium_ed25519_sign(
    const void *_Nullable key, const void *_Nullable message, size_t size,
    void *_Nullable signature) {
  return crypto_sign_ed25519_detached(
             (unsigned char *)signature, NULL, (const unsigned char *)message, size,
             (const unsigned char *)key) == 0;
}

// BLAKE2b with a key of 16 to 64 bytes and a tag of 16 to 64 bytes; false for any other size.
static inline bool la_sodium_keyed_hash(
    void *_Nullable tag, size_t tag_size, const void *_Nullable message, size_t size,
    const void *_Nullable key, size_t key_size) {
  if (key_size < crypto_generichash_KEYBYTES_MIN) return false;
  return crypto_generichash(
             (unsigned char *)tag, tag_size, (const unsigned char *)message, size,
             (const unsigned char *)key, key_size) == 0;
}

// `context` has crypto_kdf_CONTEXTBYTES bytes, `key` crypto_kdf_KEYBYTES.
static inline bool la_sodium_derive(
    void *_Nullable subkey, size_t size, uint64_t number, const void *_Nonnull context,
    const void *_Nullable key) {
  return crypto_kdf_derive_from_key(
             (unsigned char *)subkey, size, number, (const char *)context,
             (const unsigned char *)key) == 0;
}

// Argon2id, one lane; `salt` has crypto_pwhash_argon2id_SALTBYTES bytes. False without the memory.
static inline bool la_sodium_argon2id(
    void *_Nullable output, size_t output_size, const void *_Nullable password, size_t size,
    const void *_Nonnull salt, uint64_t passes, size_t memory) {
  return crypto_pwhash_argon2id(
             (unsigned char *)output, output_size, password ? (const char *)password : "", size,
             (const unsigned char *)salt, passes, memory,
             crypto_pwhash_argon2id_ALG_ARGON2ID13) == 0;
}

// X25519 (RFC 7748); each of them has 32 bytes.
static inline bool la_sodium_x25519_public(void *_Nullable public_key, const void *_Nullable key) {
  return crypto_scalarmult_base((unsigned char *)public_key, (const unsigned char *)key) == 0;
}

// False for a public key of low order, with which every secret is zero.
static inline bool la_sodium_x25519(
    void *_Nullable shared, const void *_Nullable key, const void *_Nullable public_key) {
  return crypto_scalarmult(
             (unsigned char *)shared, (const unsigned char *)key,
             (const unsigned char *)public_key) == 0;
}

// XChaCha20-Poly1305: `key` has 32 bytes, `nonce` 24; the tag of 16 bytes is behind the ciphertext.
static inline bool la_sodium_xchacha_seal(
    const void *_Nullable key, const void *_Nullable nonce, const void *_Nullable data,
    size_t data_size, const void *_Nullable plain, size_t size, void *_Nullable sealed) {
  return crypto_aead_xchacha20poly1305_ietf_encrypt(
             (unsigned char *)sealed, NULL, (const unsigned char *)plain, size,
             (const unsigned char *)data, data_size, NULL, (const unsigned char *)nonce,
             (const unsigned char *)key) == 0;
}

// `size` counts ciphertext and tag; false if anything was changed, and then the output is wiped.
static inline bool la_sodium_xchacha_open(
    const void *_Nullable key, const void *_Nullable nonce, const void *_Nullable data,
    size_t data_size, const void *_Nullable sealed, size_t size, void *_Nullable plain) {
  return crypto_aead_xchacha20poly1305_ietf_decrypt(
             (unsigned char *)plain, NULL, NULL, (const unsigned char *)sealed, size,
             (const unsigned char *)data, data_size, (const unsigned char *)nonce,
             (const unsigned char *)key) == 0;
}
