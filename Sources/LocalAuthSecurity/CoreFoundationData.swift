// swift-format-ignore-file: AlwaysUseLowerCamelCase, NeverUseImplicitlyUnwrappedOptionals
// The names are Apple's, and so are the implicitly unwrapped parameters and results.

/// The length in bytes.
public func CFDataGetLength(_ theData: CFData!) -> CFIndex { theData.length }

/// A pointer to the bytes, valid for as long as the data is retained.
///
/// Keep the data in a constant: an object created by `as CFData` inside an expression is released
/// with the expression, and its bytes with it.
public func CFDataGetBytePtr(_ theData: CFData!) -> UnsafePointer<UInt8>! {
  unsafe theData.bytes.assumingMemoryBound(to: UInt8.self)
}

/// Creates data over existing bytes without copying them.
///
/// - Parameters:
///   - allocator: ignored.
///   - bytes: the bytes, which must not change while the data exists.
///   - length: the number of bytes.
///   - bytesDeallocator: `kCFAllocatorNull` leaves the bytes to the caller; with any other value
///     they are released with `free`.
/// - Returns: the data; nil for a negative length, or if `bytes` is nil and `length` is not 0.
public func CFDataCreateWithBytesNoCopy(
  _ allocator: CFAllocator!,
  _ bytes: UnsafePointer<UInt8>!,
  _ length: CFIndex,
  _ bytesDeallocator: CFAllocator!
) -> CFData! {
  guard length >= 0 else { return nil }
  guard let bytes = unsafe bytes else { return length == 0 ? NSData() : nil }
  return unsafe NSData(
    bytesNoCopy: UnsafeMutableRawPointer(mutating: bytes),
    length: length,
    freeWhenDone: bytesDeallocator !== kCFAllocatorNull
  )
}
