#pragma once
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// Each digest has a call for one piece of data, which returns `md`, or NULL and computes nothing
// where a pointer is missing; and a context for data in parts. `_Init`, `_Update` and `_Final`
// return 1, and 0 where a pointer is missing. A context is a plain value: a copy of it goes its own
// way. `_Final` wipes it, so the context must be initialised before it is used again.
//
// MD2 is not here: libcrypto no longer has it.

/// A size in bytes: one call takes at most 4 GiB.
typedef uint32_t CC_LONG;
/// A word of the larger digests.
typedef uint64_t CC_LONG64;

/// The size of a digest and of a block in bytes.
#define CC_MD4_DIGEST_LENGTH 16
#define CC_MD4_BLOCK_BYTES 64
#define CC_MD4_BLOCK_LONG (CC_MD4_BLOCK_BYTES / sizeof(CC_LONG))

/// An MD4 digest in the making. Its members are libcrypto's.
typedef struct CC_MD4state_st {
  CC_LONG A, B, C, D, Nl, Nh, data[CC_MD4_BLOCK_BYTES / 4];
  unsigned int num;
} CC_MD4_CTX;

/// Begins a digest.
///
/// Broken: anybody can make two messages with one digest. For formats that demand it; otherwise use
/// ``CC_SHA256``.
extern int CC_MD4_Init(CC_MD4_CTX *c);
/// Takes in the next `len` bytes of `data`.
extern int CC_MD4_Update(CC_MD4_CTX *c, const void *data, CC_LONG len);
/// Writes CC_MD4_DIGEST_LENGTH bytes to `md` and wipes the context.
extern int CC_MD4_Final(unsigned char *md, CC_MD4_CTX *c);
/// Writes the MD4 digest of `len` bytes of `data` to `md`: CC_MD4_DIGEST_LENGTH bytes.
///
/// Broken: anybody can make two messages with one digest. For formats that demand it; otherwise use
/// ``CC_SHA256``.
extern unsigned char *CC_MD4(const void *data, CC_LONG len, unsigned char *md);

/// The size of a digest and of a block in bytes.
#define CC_MD5_DIGEST_LENGTH 16
#define CC_MD5_BLOCK_BYTES 64
#define CC_MD5_BLOCK_LONG (CC_MD5_BLOCK_BYTES / sizeof(CC_LONG))

/// An MD5 digest in the making. Its members are libcrypto's.
typedef struct CC_MD5state_st {
  CC_LONG A, B, C, D, Nl, Nh, data[CC_MD5_BLOCK_BYTES / 4];
  unsigned int num;
} CC_MD5_CTX;

/// Begins a digest.
///
/// Broken: anybody can make two messages with one digest. For formats that demand it; otherwise use
/// ``CC_SHA256``.
extern int CC_MD5_Init(CC_MD5_CTX *c);
/// Takes in the next `len` bytes of `data`.
extern int CC_MD5_Update(CC_MD5_CTX *c, const void *data, CC_LONG len);
/// Writes CC_MD5_DIGEST_LENGTH bytes to `md` and wipes the context.
extern int CC_MD5_Final(unsigned char *md, CC_MD5_CTX *c);
/// Writes the MD5 digest of `len` bytes of `data` to `md`: CC_MD5_DIGEST_LENGTH bytes.
///
/// Broken: anybody can make two messages with one digest. For formats that demand it; otherwise use
/// ``CC_SHA256``.
extern unsigned char *CC_MD5(const void *data, CC_LONG len, unsigned char *md);

/// The size of a digest and of a block in bytes.
#define CC_SHA1_DIGEST_LENGTH 20
#define CC_SHA1_BLOCK_BYTES 64
#define CC_SHA1_BLOCK_LONG (CC_SHA1_BLOCK_BYTES / sizeof(CC_LONG))

/// A SHA-1 digest in the making. Its members are libcrypto's.
typedef struct CC_SHA1state_st {
  CC_LONG h0, h1, h2, h3, h4, Nl, Nh, data[CC_SHA1_BLOCK_BYTES / 4];
  unsigned int num;
} CC_SHA1_CTX;

/// Begins a digest.
///
/// Broken: anybody can make two messages with one digest. For formats that demand it; otherwise use
/// ``CC_SHA256``.
extern int CC_SHA1_Init(CC_SHA1_CTX *c);
/// Takes in the next `len` bytes of `data`.
extern int CC_SHA1_Update(CC_SHA1_CTX *c, const void *data, CC_LONG len);
/// Writes CC_SHA1_DIGEST_LENGTH bytes to `md` and wipes the context.
extern int CC_SHA1_Final(unsigned char *md, CC_SHA1_CTX *c);
/// Writes the SHA-1 digest of `len` bytes of `data` to `md`: CC_SHA1_DIGEST_LENGTH bytes.
///
/// Broken: anybody can make two messages with one digest. For formats that demand it; otherwise use
/// ``CC_SHA256``.
extern unsigned char *CC_SHA1(const void *data, CC_LONG len, unsigned char *md);

/// The size of a digest and of a block in bytes.
#define CC_SHA224_DIGEST_LENGTH 28
#define CC_SHA224_BLOCK_BYTES 64

/// A SHA-224 or SHA-256 digest in the making. Its members are libcrypto's.
typedef struct CC_SHA256state_st {
  CC_LONG hash[8], Nl, Nh, data[16];
  unsigned int num, md_len;
} CC_SHA256_CTX;

/// Begins a digest.
extern int CC_SHA224_Init(CC_SHA256_CTX *c);
/// Takes in the next `len` bytes of `data`.
extern int CC_SHA224_Update(CC_SHA256_CTX *c, const void *data, CC_LONG len);
/// Writes CC_SHA224_DIGEST_LENGTH bytes to `md` and wipes the context.
extern int CC_SHA224_Final(unsigned char *md, CC_SHA256_CTX *c);
/// Writes the SHA-224 digest of `len` bytes of `data` to `md`: CC_SHA224_DIGEST_LENGTH bytes.
extern unsigned char *CC_SHA224(const void *data, CC_LONG len, unsigned char *md);

/// The size of a digest and of a block in bytes.
#define CC_SHA256_DIGEST_LENGTH 32
#define CC_SHA256_BLOCK_BYTES 64

/// Begins a digest.
extern int CC_SHA256_Init(CC_SHA256_CTX *c);
/// Takes in the next `len` bytes of `data`.
extern int CC_SHA256_Update(CC_SHA256_CTX *c, const void *data, CC_LONG len);
/// Writes CC_SHA256_DIGEST_LENGTH bytes to `md` and wipes the context.
extern int CC_SHA256_Final(unsigned char *md, CC_SHA256_CTX *c);
/// Writes the SHA-256 digest of `len` bytes of `data` to `md`: CC_SHA256_DIGEST_LENGTH bytes.
extern unsigned char *CC_SHA256(const void *data, CC_LONG len, unsigned char *md);

/// The size of a digest and of a block in bytes.
#define CC_SHA384_DIGEST_LENGTH 48
#define CC_SHA384_BLOCK_BYTES 128

/// A SHA-384 or SHA-512 digest in the making. Its members are libcrypto's.
typedef struct CC_SHA512state_st {
  CC_LONG64 hash[8], Nl, Nh, data[16];
  unsigned int num, md_len;
} CC_SHA512_CTX;

/// Begins a digest.
extern int CC_SHA384_Init(CC_SHA512_CTX *c);
/// Takes in the next `len` bytes of `data`.
extern int CC_SHA384_Update(CC_SHA512_CTX *c, const void *data, CC_LONG len);
/// Writes CC_SHA384_DIGEST_LENGTH bytes to `md` and wipes the context.
extern int CC_SHA384_Final(unsigned char *md, CC_SHA512_CTX *c);
/// Writes the SHA-384 digest of `len` bytes of `data` to `md`: CC_SHA384_DIGEST_LENGTH bytes.
extern unsigned char *CC_SHA384(const void *data, CC_LONG len, unsigned char *md);

/// The size of a digest and of a block in bytes.
#define CC_SHA512_DIGEST_LENGTH 64
#define CC_SHA512_BLOCK_BYTES 128

/// Begins a digest.
extern int CC_SHA512_Init(CC_SHA512_CTX *c);
/// Takes in the next `len` bytes of `data`.
extern int CC_SHA512_Update(CC_SHA512_CTX *c, const void *data, CC_LONG len);
/// Writes CC_SHA512_DIGEST_LENGTH bytes to `md` and wipes the context.
extern int CC_SHA512_Final(unsigned char *md, CC_SHA512_CTX *c);
/// Writes the SHA-512 digest of `len` bytes of `data` to `md`: CC_SHA512_DIGEST_LENGTH bytes.
extern unsigned char *CC_SHA512(const void *data, CC_LONG len, unsigned char *md);

#ifdef __cplusplus
}
#endif
