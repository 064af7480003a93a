// swift-format-ignore-file: AlwaysUseLowerCamelCase, NeverUseImplicitlyUnwrappedOptionals
// The names and the implicitly unwrapped parameters are those of the C library on Apple's
// platforms.

import CLocalAuthLinux

/// Compares bytes in a time that depends only on their number.
///
/// - Parameters:
///   - b1: the first bytes.
///   - b2: the second bytes.
///   - len: the number of bytes in each.
/// - Returns: 0 if they are equal, otherwise another number.
public func timingsafe_bcmp(
  _ b1: UnsafeRawPointer!,
  _ b2: UnsafeRawPointer!,
  _ len: Int
) -> Int32 {
  guard len != 0 else { return 0 }
  guard len > 0, let b1 = unsafe b1, let b2 = unsafe b2 else { return 1 }
  return unsafe la_equal_constant_time(b1, b2, len) ? 0 : 1
}

/// Fills memory with a byte; the compiler does not remove the write, even if nothing reads it.
///
/// - Parameters:
///   - s: the memory.
///   - smax: the size of the memory in bytes.
///   - c: the byte.
///   - n: the number of bytes to write, at most `smax`.
/// - Returns: 0; `EINVAL` if `s` is nil; `E2BIG` if `smax` is negative; `EOVERFLOW` if `n` is
///   negative or above `smax`, after all of the memory is written.
@discardableResult
public func memset_s(
  _ s: UnsafeMutableRawPointer!,
  _ smax: Int,
  _ c: Int32,
  _ n: Int
) -> Int32 {
  guard let s = unsafe s else { return EINVAL }
  // To C, a negative size is one above half of the address space.
  guard smax >= 0 else { return E2BIG }
  let isTooMuch = n < 0 || n > smax
  unsafe la_set(s, UInt8(truncatingIfNeeded: c), isTooMuch ? smax : n)
  return isTooMuch ? EOVERFLOW : 0
}
