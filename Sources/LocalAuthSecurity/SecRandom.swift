// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The names are Apple's.

import Glibc

/// A source of random bytes.
public struct SecRandomRef: Hashable, Sendable {}

/// The system's random number generator, the only source.
public let kSecRandomDefault = SecRandomRef()

/// Fills memory with random bytes from the system.
///
/// - Parameters:
///   - rnd: ignored; the system is the only source.
///   - count: the number of bytes.
///   - bytes: the memory, which must have room for them.
/// - Returns: `errSecSuccess`; `errSecParam` for a negative count; `errSecNotAvailable` if the
///   system has no random bytes, in which case the memory must not be used.
@discardableResult
public func SecRandomCopyBytes(
  _ rnd: SecRandomRef?,
  _ count: Int,
  _ bytes: UnsafeMutableRawPointer
) -> Int32 {
  guard count >= 0 else { return errSecParam }
  var filled = 0
  while filled < count {
    // getentropy(3) reads up to 256 bytes from getrandom(2) in one piece, or fails.
    let piece = min(count - filled, 256)
    // SAFETY: the caller guarantees room for `count` bytes, and `filled + piece` does not exceed
    // it.
    if unsafe getentropy(bytes + filled, piece) == 0 {
      filled += piece
    } else if errno != EINTR {
      return errSecNotAvailable
    }
  }
  return errSecSuccess
}
