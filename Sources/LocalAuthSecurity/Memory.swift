// swift-format-ignore-file: AlwaysUseLowerCamelCase, NeverUseImplicitlyUnwrappedOptionals
// The names are of the C library that Apple's platforms have, and so are the optionals of what they take.

import CLocalAuthLinux

/// Compares bytes in a time that depends on their number alone.
///
/// - Parameters:
///   - b1: some bytes.
///   - b2: as many others.
///   - len: how many.
/// - Returns: 0 where they are equal, else another number.
public func timingsafe_bcmp(
  _ b1: UnsafeRawPointer!,
  _ b2: UnsafeRawPointer!,
  _ len: Int
) -> Int32 {
  guard len != 0 else { return 0 }
  guard len > 0, let b1 = unsafe b1, let b2 = unsafe b2 else { return 1 }
  return unsafe la_equal_constant_time(b1, b2, len) ? 0 : 1
}

/// Writes a byte to memory, also where nobody reads it any more: no compiler leaves that out.
///
/// - Parameters:
///   - s: the memory.
///   - smax: how large it is.
///   - c: the byte.
///   - n: how often; not more than `smax`.
/// - Returns: 0; `EINVAL` for no memory, `E2BIG` for a size that none can have, `EOVERFLOW` for an `n` above
///   `smax`, in which case all of the memory is written.
@discardableResult
public func memset_s(
  _ s: UnsafeMutableRawPointer!,
  _ smax: Int,
  _ c: Int32,
  _ n: Int
) -> Int32 {
  guard let s = unsafe s else { return EINVAL }
  // A negative number is one above half of the address space in C.
  guard smax >= 0 else { return E2BIG }
  let isTooMuch = n < 0 || n > smax
  unsafe la_set(s, UInt8(truncatingIfNeeded: c), isTooMuch ? smax : n)
  return isTooMuch ? EOVERFLOW : 0
}
