#pragma once
// The functions of one algorithm are deprecated, and not withdrawn. With those that choose the algorithm by name a
// static program has nearly all of libcrypto, which loads further libraries; with these it grows by 70 KB.
#define OPENSSL_SUPPRESS_DEPRECATED
#include <openssl/crypto.h>
#include <openssl/sha.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

enum la_mac { LA_MAC_SHA1, LA_MAC_SHA256, LA_MAC_SHA512 };

#define LA_MAC_MAX SHA512_DIGEST_LENGTH
#define LA_MAC_BLOCK_MAX SHA512_CBLOCK

static inline size_t la_mac_size(enum la_mac mac) {
  if (mac == LA_MAC_SHA1) return SHA_DIGEST_LENGTH;
  return mac == LA_MAC_SHA256 ? SHA256_DIGEST_LENGTH : SHA512_DIGEST_LENGTH;
}

// Writes la_mac_size bytes: the hash of two texts, one behind the other.
static inline bool la_mac_digest(enum la_mac mac, const void *_Nullable first, size_t first_size,
                                 const void *_Nullable second, size_t second_size, void *_Nonnull out) {
  union {
    SHA_CTX sha1;
    SHA256_CTX sha256;
    SHA512_CTX sha512;
  } state;
  unsigned char *bytes = (unsigned char *)out;
  bool is_done = false;
  switch (mac) {
  case LA_MAC_SHA1:
    is_done = SHA1_Init(&state.sha1) == 1 && SHA1_Update(&state.sha1, first, first_size) == 1 &&
              SHA1_Update(&state.sha1, second, second_size) == 1 && SHA1_Final(bytes, &state.sha1) == 1;
    break;
  case LA_MAC_SHA256:
    is_done = SHA256_Init(&state.sha256) == 1 && SHA256_Update(&state.sha256, first, first_size) == 1 &&
              SHA256_Update(&state.sha256, second, second_size) == 1 &&
              SHA256_Final(bytes, &state.sha256) == 1;
    break;
  case LA_MAC_SHA512:
    is_done = SHA512_Init(&state.sha512) == 1 && SHA512_Update(&state.sha512, first, first_size) == 1 &&
              SHA512_Update(&state.sha512, second, second_size) == 1 &&
              SHA512_Final(bytes, &state.sha512) == 1;
    break;
  }
  OPENSSL_cleanse(&state, sizeof state);
  return is_done;
}

// Writes la_mac_size bytes: the code of a message (RFC 2104).
static inline bool la_mac(enum la_mac mac, const void *_Nullable key, size_t key_size,
                          const void *_Nullable message, size_t message_size, void *_Nonnull out) {
  size_t block = mac == LA_MAC_SHA512 ? SHA512_CBLOCK : SHA_CBLOCK;
  unsigned char inner[LA_MAC_BLOCK_MAX] = {0}, outer[LA_MAC_BLOCK_MAX], digest[LA_MAC_MAX];
  bool is_done = true;
  if (key_size > block)
    is_done = la_mac_digest(mac, key, key_size, NULL, 0, inner);
  else if (key_size > 0)
    memcpy(inner, key, key_size);
  for (size_t i = 0; i < block; i++) {
    outer[i] = inner[i] ^ 0x5c;
    inner[i] ^= 0x36;
  }
  is_done = is_done && la_mac_digest(mac, inner, block, message, message_size, digest) &&
            la_mac_digest(mac, outer, block, digest, la_mac_size(mac), out);
  OPENSSL_cleanse(inner, sizeof inner);
  OPENSSL_cleanse(outer, sizeof outer);
  OPENSSL_cleanse(digest, sizeof digest);
  return is_done;
}
