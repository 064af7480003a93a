#define OPENSSL_SUPPRESS_DEPRECATED
#include <CommonCrypto/CommonDigest.h>
#include <openssl/md4.h>
#include <openssl/md5.h>
#include <openssl/sha.h>
#include <stddef.h>
#include <string.h>

// A context of ours is libcrypto's of the same digest under another name.
#define SAME(ours, theirs, last)                                                                   \
  _Static_assert(sizeof(ours) == sizeof(theirs) && _Alignof(ours) == _Alignof(theirs) &&           \
                     offsetof(ours, last) == offsetof(theirs, last),                               \
                 "libcrypto's context has another layout")
SAME(CC_MD4_CTX, MD4_CTX, num);
SAME(CC_MD5_CTX, MD5_CTX, num);
SAME(CC_SHA1_CTX, SHA_CTX, num);
SAME(CC_SHA256_CTX, SHA256_CTX, md_len);
SAME(CC_SHA512_CTX, SHA512_CTX, md_len);

// SHA-2 looks into the context for the size of its digest. A context that nobody initialised must
// not leave the caller's buffer as it was: it would be the digest of every message.
#define NO_SIZE(c, size)
#define ITS_SIZE(c, size) (c)->md_len = (size)

// A call for one piece of data keeps its context on the stack: libcrypto's own looks the digest up
// first, which takes longer than a short message.
#define DIGEST(name, context, their_context, their_name, set_size)                                 \
  int CC_##name##_Init(context *c) {                                                               \
    return c != NULL && their_name##_Init((their_context *)c) == 1;                                \
  }                                                                                                \
                                                                                                   \
  int CC_##name##_Update(context *c, const void *data, CC_LONG len) {                              \
    if (c == NULL || (data == NULL && len > 0)) return 0;                                          \
    return len == 0 || their_name##_Update((their_context *)c, data, len) == 1;                    \
  }                                                                                                \
                                                                                                   \
  int CC_##name##_Final(unsigned char *md, context *c) {                                           \
    if (md == NULL || c == NULL) return 0;                                                         \
    set_size(c, CC_##name##_DIGEST_LENGTH);                                                        \
    int is_done = their_name##_Final(md, (their_context *)c);                                      \
    explicit_bzero(c, sizeof *c);                                                                 \
    return is_done == 1;                                                                           \
  }                                                                                                \
                                                                                                   \
  unsigned char *CC_##name(const void *data, CC_LONG len, unsigned char *md) {                     \
    their_context c;                                                                               \
    if (md == NULL || (data == NULL && len > 0)) return NULL;                                      \
    their_name##_Init(&c);                                                                         \
    if (len > 0) their_name##_Update(&c, data, len);                                               \
    their_name##_Final(md, &c);                                                                    \
    explicit_bzero(&c, sizeof c);                                                                 \
    return md;                                                                                     \
  }

DIGEST(MD4, CC_MD4_CTX, MD4_CTX, MD4, NO_SIZE)
DIGEST(MD5, CC_MD5_CTX, MD5_CTX, MD5, NO_SIZE)
DIGEST(SHA1, CC_SHA1_CTX, SHA_CTX, SHA1, NO_SIZE)
DIGEST(SHA224, CC_SHA256_CTX, SHA256_CTX, SHA224, ITS_SIZE)
DIGEST(SHA256, CC_SHA256_CTX, SHA256_CTX, SHA256, ITS_SIZE)
DIGEST(SHA384, CC_SHA512_CTX, SHA512_CTX, SHA384, ITS_SIZE)
DIGEST(SHA512, CC_SHA512_CTX, SHA512_CTX, SHA512, ITS_SIZE)
