// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The names are Apple's.

import Glibc

/// A source of random bytes.
public struct SecRandomRef: Hashable, Sendable {}

/// The random numbers of the system; there is no other source.
public let kSecRandomDefault = SecRandomRef()

/// Fills memory with random bytes of the system.
///
/// - Parameters:
///   - rnd: ignored; every source is the system's.
///   - count: how many bytes.
///   - bytes: the memory, which must have room for them.
/// - Returns: `errSecSuccess`; `errSecParam` for a negative count; `errSecNotAvailable` where the system
///   has none to give, and the memory is not to be used then.
@discardableResult
public func SecRandomCopyBytes(
  _ rnd: SecRandomRef?,
  _ count: Int,
  _ bytes: UnsafeMutableRawPointer
) -> Int32 {
  guard count >= 0 else { return errSecParam }
  var filled = 0
  while filled < count {
    // The call reads getrandom(2) in one piece of up to 256 bytes, or fails.
    let piece = min(count - filled, 256)
    // SAFETY: the caller vouches for `count` bytes, of which `filled` are behind.
    if unsafe getentropy(bytes + filled, piece) == 0 {
      filled += piece
    } else if errno != EINTR {
      return errSecNotAvailable
    }
  }
  return errSecSuccess
}
