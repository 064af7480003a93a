import CommonCrypto
import LocalAuthSecret

/// AES-256 in CBC mode over the content of one message, in one direction.
///
/// For one thread at a time.
@safe
public final class MessageCipher {
  /// What it does.
  public enum Direction: Sendable {
    case encrypt
    case decrypt
  }

  private let cryptor: CCCryptorRef

  /// Begins the content of the message that has this header.
  public init(
    _ direction: Direction,
    _ keys: borrowing MessageKeys,
    _ header: MessageHeader
  ) {
    var made: CCCryptorRef?
    // SAFETY: the key and the vector live for the call, which copies them.
    let status = unsafe keys.encryption.withUnsafeBytes { key in
      unsafe CCCryptorCreate(
        CCOperation(direction == .encrypt ? kCCEncrypt : kCCDecrypt),
        CCAlgorithm(kCCAlgorithmAES),
        CCOptions(kCCOptionPKCS7Padding),
        key.baseAddress,
        key.count,
        header.vector,
        &made
      )
    }
    guard status == kCCSuccess, let made = unsafe made else {
      preconditionFailure("no memory left")
    }
    unsafe cryptor = made
  }

  deinit { unsafe CCCryptorRelease(cryptor) }

  /// The most bytes that ``update(_:into:)`` makes of `count` bytes.
  public static func room(for count: Int) -> Int { count + MessageFormat.blockSize }

  /// Takes `input` and returns how many bytes were written to `output`, which has ``room(for:)`` them.
  @unsafe
  public func update(
    _ input: UnsafeRawBufferPointer,
    into output: UnsafeMutableRawBufferPointer
  ) -> Int {
    var count = 0
    // SAFETY: the caller lends both buffers for the call, which checks the room.
    let status = unsafe CCCryptorUpdate(
      cryptor,
      input.baseAddress,
      input.count,
      output.baseAddress,
      output.count,
      &count
    )
    precondition(status == kCCSuccess, "there is room for the result")
    return count
  }

  /// Ends the content and returns how many bytes were written to `output`, which has room for a block;
  /// nil if what was decrypted has no padding.
  @unsafe
  public func finish(into output: UnsafeMutableRawBufferPointer) -> Int? {
    var count = 0
    // SAFETY: the caller lends the buffer for the call, which checks the room.
    let status = unsafe CCCryptorFinal(cryptor, output.baseAddress, output.count, &count)
    return status == kCCSuccess ? count : nil
  }
}
