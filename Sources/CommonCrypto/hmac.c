#define OPENSSL_SUPPRESS_DEPRECATED
#include <CommonCrypto/CommonHMAC.h>
#include <openssl/md5.h>
#include <openssl/rand.h>
#include <openssl/sha.h>
#include <stdbool.h>
#include <string.h>

// HMAC over libcrypto's plain contexts: its own HMAC allocates and looks the digest up in each
// call, and cannot be copied by assignment.

union digest {
  MD5_CTX md5;
  SHA_CTX sha1;
  SHA256_CTX sha256;
  SHA512_CTX sha512;
};

// It lies in a context of words.
struct __attribute__((may_alias)) hmac {
  // The sizes of a digest and of a block; 0 before a code was begun, and after it was given.
  uint32_t algorithm, size, block;
  bool is_spoilt;
  union digest inner;
  // All that a digest of exactly one block of outer key leaves behind.
  unsigned char outer[SHA512_DIGEST_LENGTH];
};

_Static_assert(sizeof(struct hmac) <= sizeof(CCHmacContext), "a context holds an HMAC");
_Static_assert(_Alignof(struct hmac) <= _Alignof(CCHmacContext), "a context holds an HMAC");

static bool has_algorithm(struct hmac *h, CCHmacAlgorithm algorithm) {
  h->algorithm = algorithm;
  h->block = 64;
  switch (algorithm) {
  case kCCHmacAlgMD5: h->size = MD5_DIGEST_LENGTH; return true;
  case kCCHmacAlgSHA1: h->size = SHA_DIGEST_LENGTH; return true;
  case kCCHmacAlgSHA224: h->size = SHA224_DIGEST_LENGTH; return true;
  case kCCHmacAlgSHA256: h->size = SHA256_DIGEST_LENGTH; return true;
  case kCCHmacAlgSHA384: h->size = SHA384_DIGEST_LENGTH; break;
  case kCCHmacAlgSHA512: h->size = SHA512_DIGEST_LENGTH; break;
  default: h->size = 0; return false;
  }
  h->block = SHA512_CBLOCK;
  return true;
}

static void begin(const struct hmac *h, union digest *d) {
  switch (h->algorithm) {
  case kCCHmacAlgMD5: MD5_Init(&d->md5); break;
  case kCCHmacAlgSHA1: SHA1_Init(&d->sha1); break;
  case kCCHmacAlgSHA224: SHA224_Init(&d->sha256); break;
  case kCCHmacAlgSHA256: SHA256_Init(&d->sha256); break;
  case kCCHmacAlgSHA384: SHA384_Init(&d->sha512); break;
  case kCCHmacAlgSHA512: SHA512_Init(&d->sha512); break;
  }
}

static void add(const struct hmac *h, union digest *d, const void *data, size_t size) {
  switch (h->algorithm) {
  case kCCHmacAlgMD5: MD5_Update(&d->md5, data, size); break;
  case kCCHmacAlgSHA1: SHA1_Update(&d->sha1, data, size); break;
  case kCCHmacAlgSHA224:
  case kCCHmacAlgSHA256: SHA256_Update(&d->sha256, data, size); break;
  case kCCHmacAlgSHA384:
  case kCCHmacAlgSHA512: SHA512_Update(&d->sha512, data, size); break;
  }
}

static void end(const struct hmac *h, union digest *d, unsigned char *md) {
  switch (h->algorithm) {
  case kCCHmacAlgMD5: MD5_Final(md, &d->md5); break;
  case kCCHmacAlgSHA1: SHA1_Final(md, &d->sha1); break;
  case kCCHmacAlgSHA224:
  case kCCHmacAlgSHA256: SHA256_Final(md, &d->sha256); break;
  case kCCHmacAlgSHA384:
  case kCCHmacAlgSHA512: SHA512_Final(md, &d->sha512); break;
  }
}

// The chaining value is the first member of every context.
static size_t chaining_size(const struct hmac *h) {
  switch (h->algorithm) {
  case kCCHmacAlgMD5: return MD5_DIGEST_LENGTH;
  case kCCHmacAlgSHA1: return SHA_DIGEST_LENGTH;
  case kCCHmacAlgSHA224:
  case kCCHmacAlgSHA256: return SHA256_DIGEST_LENGTH;
  default: return SHA512_DIGEST_LENGTH;
  }
}

// The digest that has taken in one block of outer key.
static void resume_outer(const struct hmac *h, union digest *d) {
  begin(h, d);
  memcpy(d, h->outer, chaining_size(h));
  const unsigned bits = h->block * 8;
  switch (h->algorithm) {
  case kCCHmacAlgMD5: d->md5.Nl = bits; break;
  case kCCHmacAlgSHA1: d->sha1.Nl = bits; break;
  case kCCHmacAlgSHA224:
  case kCCHmacAlgSHA256: d->sha256.Nl = bits; break;
  case kCCHmacAlgSHA384:
  case kCCHmacAlgSHA512: d->sha512.Nl = bits; break;
  }
}

static void hmac_begin(struct hmac *h, const void *key, size_t size) {
  union digest d;
  unsigned char pad[SHA512_CBLOCK] = {0};
  h->is_spoilt = key == NULL && size > 0;
  if (h->is_spoilt) return;
  if (size > h->block) {
    begin(h, &d);
    add(h, &d, key, size);
    end(h, &d, pad);
  } else if (size > 0) {
    memcpy(pad, key, size);
  }
  for (size_t i = 0; i < h->block; i++) pad[i] ^= 0x36;
  begin(h, &h->inner);
  add(h, &h->inner, pad, h->block);
  for (size_t i = 0; i < h->block; i++) pad[i] ^= 0x36 ^ 0x5c;
  begin(h, &d);
  add(h, &d, pad, h->block);
  memcpy(h->outer, &d, chaining_size(h));
  explicit_bzero(pad, sizeof pad);
  explicit_bzero(&d, sizeof d);
}

static void hmac_end(struct hmac *h, unsigned char *mac) {
  unsigned char digest[SHA512_DIGEST_LENGTH];
  union digest d;
  end(h, &h->inner, digest);
  resume_outer(h, &d);
  add(h, &d, digest, h->size);
  end(h, &d, mac);
  explicit_bzero(digest, sizeof digest);
  explicit_bzero(&d, sizeof d);
}

void CCHmacInit(CCHmacContext *ctx, CCHmacAlgorithm algorithm, const void *key, size_t keyLength) {
  struct hmac *h = (struct hmac *)ctx;
  if (h != NULL && has_algorithm(h, algorithm)) hmac_begin(h, key, keyLength);
}

void CCHmacUpdate(CCHmacContext *ctx, const void *data, size_t dataLength) {
  struct hmac *h = (struct hmac *)ctx;
  if (h == NULL || h->size == 0 || dataLength == 0) return;
  if (data == NULL) h->is_spoilt = true;
  if (!h->is_spoilt) add(h, &h->inner, data, dataLength);
}

void CCHmacFinal(CCHmacContext *ctx, void *macOut) {
  struct hmac *h = (struct hmac *)ctx;
  if (h == NULL) return;
  if (macOut != NULL && h->size > 0) {
    // A buffer left as it was could be what somebody expects.
    if (h->is_spoilt) RAND_bytes(macOut, (int)h->size);
    else hmac_end(h, macOut);
  }
  explicit_bzero(h, sizeof *h);
}

void CCHmac(CCHmacAlgorithm algorithm, const void *key, size_t keyLength, const void *data,
            size_t dataLength, void *macOut) {
  CCHmacContext context;
  CCHmacInit(&context, algorithm, key, keyLength);
  CCHmacUpdate(&context, data, dataLength);
  CCHmacFinal(&context, macOut);
}
