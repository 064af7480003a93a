#pragma once
#include <stdint.h>

/// What became of a call.
enum {
  /// It was done.
  kCCSuccess = 0,
  /// An argument makes no sense, or is a pointer to nothing.
  kCCParamError = -4300,
  /// The room for the result is too small; the size that is needed was stored.
  kCCBufferTooSmall = -4301,
  /// There is no memory.
  kCCMemoryFailure = -4302,
  /// The data is no whole number of blocks.
  kCCAlignmentError = -4303,
  /// What was unwrapped was changed, or wrapped with another key. Decryption does not report bad
  /// padding, as on Apple's platforms: see ``CCCrypt``.
  kCCDecodeError = -4304,
  /// The algorithm does not have this mode or operation, or this machine not the algorithm.
  kCCUnimplemented = -4305,
  /// Never returned.
  kCCOverflow = -4306,
  /// The system had no randomness to give.
  kCCRNGFailure = -4307,
  /// libcrypto failed for a reason of its own.
  kCCUnspecifiedError = -4308,
  /// The cryptor waits for another call.
  kCCCallSequenceError = -4309,
  /// The algorithm has no keys of this size.
  kCCKeySizeError = -4310,
  /// Never returned.
  kCCInvalidKey = -4311
};

/// One of the values above.
typedef int32_t CCStatus;
/// One of the values above.
typedef int32_t CCCryptorStatus;
