#pragma once
#include <CommonCrypto/CommonCryptoError.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// One key at work in one direction. One thread at a time may use it.
typedef struct _CCCryptor *CCCryptorRef;

/// The direction.
enum { kCCEncrypt = 0, kCCDecrypt };
/// One of the values above.
typedef uint32_t CCOperation;

/// The cipher. Nothing new should use another than AES: the blocks of 8 bytes of the others repeat
/// after some gigabytes, the key of DES can be searched for, and RC4's output is biased. All but
/// AES and 3DES need OpenSSL's legacy provider; `kCCUnimplemented` where it is not installed.
enum {
  kCCAlgorithmAES128 = 0,
  kCCAlgorithmAES = 0,
  kCCAlgorithmDES,
  kCCAlgorithm3DES,
  kCCAlgorithmCAST,
  kCCAlgorithmRC4,
  kCCAlgorithmRC2,
  kCCAlgorithmBlowfish
};
/// One of the values above.
typedef uint32_t CCAlgorithm;

/// How blocks are treated: without options by CBC, without padding.
enum {
  /// Fills the last block, so that data of any length can be encrypted.
  kCCOptionPKCS7Padding = 0x0001,
  /// Each block by itself: equal blocks stay equal, which shows the structure of the data. For
  /// formats that demand it; otherwise CBC with a random vector, and a code over the result.
  kCCOptionECBMode = 0x0002
};
/// A union of the values above.
typedef uint32_t CCOptions;

/// The sizes of keys in bytes.
enum {
  kCCKeySizeAES128 = 16,
  kCCKeySizeAES192 = 24,
  kCCKeySizeAES256 = 32,
  kCCKeySizeDES = 8,
  kCCKeySize3DES = 24,
  kCCKeySizeMinCAST = 5,
  kCCKeySizeMaxCAST = 16,
  kCCKeySizeMinRC4 = 1,
  kCCKeySizeMaxRC4 = 512,
  kCCKeySizeMinRC2 = 1,
  kCCKeySizeMaxRC2 = 128,
  kCCKeySizeMinBlowfish = 8,
  kCCKeySizeMaxBlowfish = 56
};

/// The sizes of blocks, and so of initialisation vectors, in bytes.
enum {
  kCCBlockSizeAES128 = 16,
  kCCBlockSizeDES = 8,
  kCCBlockSize3DES = 8,
  kCCBlockSizeCAST = 8,
  kCCBlockSizeRC2 = 8,
  kCCBlockSizeBlowfish = 8
};

/// What ``CCCryptorCreateFromData`` was once said to need, in bytes. It needs less.
enum {
  kCCContextSizeAES128 = 404,
  kCCContextSizeDES = 240,
  kCCContextSize3DES = 496,
  kCCContextSizeCAST = 240,
  kCCContextSizeRC4 = 1072
};

/// The mode of operation. RC4 has its own and no other.
enum {
  kCCModeECB = 1,
  kCCModeCBC = 2,
  kCCModeCFB = 3,
  kCCModeCTR = 4,
  kCCModeOFB = 7,
  kCCModeRC4 = 9,
  kCCModeCFB8 = 10
};
/// One of the values above.
typedef uint32_t CCMode;

/// How the last block is filled, in the modes ECB and CBC.
enum { ccNoPadding = 0, ccPKCS7Padding = 1 };
/// One of the values above.
typedef uint32_t CCPadding;

/// The counter of CTR is big-endian, whether this is given or not.
enum { kCCModeOptionCTR_BE = 2 };
/// `kCCModeOptionCTR_BE` or 0.
typedef uint32_t CCModeOptions;

/// Prepares a cryptor in CBC mode, or ECB if `options` say so. ``CCCryptorRelease`` ends it.
///
/// `iv` is as long as a block. Without one it is all zeroes, so that messages which begin alike are
/// encrypted alike: give each message a random vector and send it along.
CCCryptorStatus CCCryptorCreate(CCOperation op, CCAlgorithm alg, CCOptions options, const void *key,
                                size_t keyLength, const void *iv, CCCryptorRef *cryptorRef);

/// As ``CCCryptorCreate``, with a reference into memory of the caller's, which must stay until the
/// cryptor is released.
///
/// `dataUsed` becomes what is needed of `data`, at most 24 bytes: the keys lie elsewhere.
CCCryptorStatus CCCryptorCreateFromData(CCOperation op, CCAlgorithm alg, CCOptions options,
                                        const void *key, size_t keyLength, const void *iv,
                                        const void *data, size_t dataLength,
                                        CCCryptorRef *cryptorRef, size_t *dataUsed);

/// As ``CCCryptorCreate``, in any mode.
///
/// `tweak`, `numRounds` and `options` are not looked at. In CTR and OFB mode two messages under one
/// key and vector give each other away.
CCCryptorStatus CCCryptorCreateWithMode(CCOperation op, CCMode mode, CCAlgorithm alg,
                                        CCPadding padding, const void *iv, const void *key,
                                        size_t keyLength, const void *tweak, size_t tweakLength,
                                        int numRounds, CCModeOptions options,
                                        CCCryptorRef *cryptorRef);

/// Wipes and frees the cryptor.
CCCryptorStatus CCCryptorRelease(CCCryptorRef cryptorRef);

/// Encrypts or decrypts the next part of the data, of any length; what fills no block waits.
///
/// The buffers may overlap. After `kCCBufferTooSmall` nothing has happened yet, and `dataOutMoved`
/// is the size that is needed.
CCCryptorStatus CCCryptorUpdate(CCCryptorRef cryptorRef, const void *dataIn, size_t dataInLength,
                                void *dataOut, size_t dataOutAvailable, size_t *dataOutMoved);

/// Writes what still waits, with padding or without it.
///
/// `kCCAlignmentError`: the data was no whole number of blocks, without padding or in decryption.
/// Bad padding is no error: see ``CCCrypt``. `kCCBufferTooSmall` as in ``CCCryptorUpdate``.
CCCryptorStatus CCCryptorFinal(CCCryptorRef cryptorRef, void *dataOut, size_t dataOutAvailable,
                               size_t *dataOutMoved);

/// The room that ``CCCryptorUpdate`` needs for the next `inputLength` bytes or, if `final`, that
/// and ``CCCryptorFinal`` together.
size_t CCCryptorGetOutputLength(CCCryptorRef cryptorRef, size_t inputLength, bool final);

/// Begins anew with the same key and another vector, all zeroes without one; what waited is lost.
///
/// Only in the modes CBC and CTR: `kCCUnimplemented`.
CCCryptorStatus CCCryptorReset(CCCryptorRef cryptorRef, const void *iv);

/// Encrypts or decrypts `dataIn` at once; `dataOut` may be `dataIn`.
///
/// `dataOutMoved` becomes the length of the result or, with `kCCBufferTooSmall`, the room that is
/// needed: to decrypt, that of the data with its padding. Keys are raw bytes: derive them from a
/// password with ``CCKeyDerivationPBKDF``. On vectors see ``CCCryptorCreate``.
///
/// Success does not mean that the key was the right one. As on Apple's platforms padding that makes
/// no sense is left in place and not reported, because a program that tells bad padding from good
/// decrypts messages for whoever asks. Compute a ``CCHmac`` over vector and result, and verify it
/// first.
CCCryptorStatus CCCrypt(CCOperation op, CCAlgorithm alg, CCOptions options, const void *key,
                        size_t keyLength, const void *iv, const void *dataIn, size_t dataInLength,
                        void *dataOut, size_t dataOutAvailable, size_t *dataOutMoved);

#ifdef __cplusplus
}
#endif
