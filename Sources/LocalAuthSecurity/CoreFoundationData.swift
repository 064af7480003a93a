// swift-format-ignore-file: AlwaysUseLowerCamelCase, NeverUseImplicitlyUnwrappedOptionals
// The names are Apple's, and so are the optionals of what they take and return.

/// How many bytes there are.
public func CFDataGetLength(_ theData: CFData!) -> CFIndex { theData.length }

/// Where the bytes are, for as long as somebody holds the data.
///
/// Hold it in a constant of its own: an object that is made by `as CFData` in the middle of an expression
/// goes with the expression, and its bytes with it.
public func CFDataGetBytePtr(_ theData: CFData!) -> UnsafePointer<UInt8>! {
  unsafe theData.bytes.assumingMemoryBound(to: UInt8.self)
}

/// Data whose bytes stay where they are.
///
/// - Parameters:
///   - allocator: ignored.
///   - bytes: where they are; they may not change while the data lives.
///   - length: how many.
///   - bytesDeallocator: `kCFAllocatorNull` leaves them to the caller; with any other they are freed as what
///     `malloc` gave.
/// - Returns: the data; nil for a negative length, or where bytes are missing.
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
