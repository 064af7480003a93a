// What localauth-apple does through CommonCrypto, by calls of libcrypto.
//
// usage: digests sha256|hmac|crypt COUNT    prints nanoseconds for one call and a checksum
#define OPENSSL_SUPPRESS_DEPRECATED
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/sha.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness.h"

static unsigned char message[1024];

static uint64_t word(const unsigned char *bytes) {
  uint64_t word = 0;
  for (int i = 0; i < 8; i++) word = word << 8 | bytes[i];
  return word;
}

static uint64_t sha256(void) {
  unsigned char digest[SHA256_DIGEST_LENGTH];
  SHA256_CTX context;
  SHA256_Init(&context);
  SHA256_Update(&context, message, sizeof message);
  SHA256_Final(digest, &context);
  return word(digest);
}

static uint64_t hmac(void) {
  unsigned char code[SHA256_DIGEST_LENGTH];
  unsigned int size = sizeof code;
  HMAC(EVP_sha256(), message, 32, message, sizeof message, code, &size);
  return word(code);
}

static uint64_t crypt(void) {
  static EVP_CIPHER *cipher;
  if (!cipher) cipher = EVP_CIPHER_fetch(NULL, "AES-128-CBC", NULL);
  unsigned char sealed[sizeof message + 16];
  int count = 0, rest = 0;
  EVP_CIPHER_CTX *context = EVP_CIPHER_CTX_new();
  if (EVP_EncryptInit_ex2(context, cipher, message, message, NULL) != 1 ||
      EVP_EncryptUpdate(context, sealed, &count, message, sizeof message) != 1 ||
      EVP_EncryptFinal_ex(context, sealed + count, &rest) != 1)
    fail("OpenSSL");
  EVP_CIPHER_CTX_free(context);
  return word(sealed + count + rest - 8);
}

int main(int count, char **arguments) {
  if (count != 3) fail("usage: digests sha256|hmac|crypt COUNT");
  for (size_t i = 0; i < sizeof message; i++) message[i] = (unsigned char)(i * 7);
  uint64_t (*body)(void) = !strcmp(arguments[1], "sha256") ? sha256
                           : !strcmp(arguments[1], "hmac") ? hmac
                                                           : crypt;
  int calls = atoi(arguments[2]);
  uint64_t checksum = 0;
  body();
  double start = now_us();
  for (int i = 0; i < calls; i++) checksum = checksum * 31 + body();
  printf("%f %llx\n", (now_us() - start) * 1000 / calls, (unsigned long long)checksum);
  return 0;
}
