import CommonCrypto
import LocalAuthSecret

/// The HMAC of one message: over its header and all ciphertext.
///
/// For one thread at a time.
@safe
public final class MessageMAC {
  private let context: UnsafeMutablePointer<CCHmacContext>
  private var hasEnded = false

  /// Begins the HMAC of a message that has this header, and takes that.
  public init(_ keys: borrowing MessageKeys, _ header: MessageHeader) {
    unsafe context = .allocate(capacity: 1)
    // SAFETY: the key and the header live for the calls, which copy them.
    unsafe keys.mac.withUnsafeBytes { key in
      unsafe CCHmacInit(context, CCHmacAlgorithm(kCCHmacAlgSHA256), key.baseAddress, key.count)
    }
    unsafe header.bytes.withUnsafeBytes { unsafe update($0) }
  }

  deinit {
    // The context is wiped when it ends.
    if !hasEnded { _ = finish() }
    unsafe context.deallocate()
  }

  /// Takes the next part of the ciphertext.
  @unsafe
  public func update(_ ciphertext: UnsafeRawBufferPointer) {
    precondition(!hasEnded, "the message has ended")
    // SAFETY: the caller lends the buffer for the call.
    unsafe CCHmacUpdate(context, ciphertext.baseAddress, ciphertext.count)
  }

  /// Ends the message and returns its HMAC.
  public func finish() -> [UInt8] {
    precondition(!hasEnded, "the message has ended")
    hasEnded = true
    var tag = [UInt8](repeating: 0, count: MessageFormat.macSize)
    // SAFETY: the array has room for a digest of SHA-256.
    unsafe CCHmacFinal(context, &tag)
    return tag
  }

  /// Ends the message, and throws unless `tag` is its HMAC; takes a time that depends on no content.
  public func verify(_ tag: [UInt8]) throws(MessageError) {
    guard Secret(copying: tag).isEqual(to: Secret(copying: finish())) else { throw .hmacMismatch }
  }
}
