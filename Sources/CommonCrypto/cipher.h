#pragma once
#include <CommonCrypto/CommonCryptor.h>
#include <openssl/evp.h>

// One key of one algorithm in one mode and direction, without padding or waiting data.

struct la_cipher {
  EVP_CIPHER_CTX *context;
  // The block of the algorithm; 1 for RC4.
  size_t block;
  CCMode mode;
  bool encrypts;
  // Modes that libcrypto lacks for blocks of 8 bytes are made of single blocks here: the register,
  // its encryption, and how much of that is used.
  bool is_by_block;
  unsigned char vector[8], stream[8];
  size_t used;
};

// Whether results have the size of the data: every mode but ECB and CBC.
static inline bool la_cipher_streams(const struct la_cipher *c) {
  return c->mode != kCCModeECB && c->mode != kCCModeCBC;
}

// Prepares a cipher; on failure there is nothing to end.
CCCryptorStatus la_cipher_begin(struct la_cipher *c, CCOperation op, CCMode mode, CCAlgorithm alg,
                                const void *key, size_t key_size, const void *vector);

// Encrypts or decrypts; in ECB and CBC mode a whole number of blocks. The buffers are the same or
// apart.
CCCryptorStatus la_cipher_run(struct la_cipher *c, const unsigned char *in, size_t size,
                              unsigned char *out);

// Puts another vector in.
CCCryptorStatus la_cipher_restart(struct la_cipher *c, const void *vector);

// Wipes and frees what the cipher holds.
void la_cipher_end(struct la_cipher *c);
