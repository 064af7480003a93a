import Glibc
import LocalAuthCore
import LocalAuthRNCryptor
import LocalAuthSecret

/// Files and streams in RNCryptor's format.
enum MessageStream {
  /// What is to be decrypted: a file, or a copy of a stream.
  struct Sealed: ~Copyable {
    let source: MessageSource
    let header: MessageHeader
    /// Where the ciphertext stands; the HMAC is behind it.
    let ciphertext: Range<Int>

    /// Looks at the header of a message, which nothing has verified yet.
    init(
      _ source: consuming MessageSource,
      for credential: MessageCredential,
      versions: [UInt8]
    ) throws(Failure) {
      guard let size = source.size else {
        preconditionFailure("a message is a file or a copy")
      }
      let start = try source.bytes(min(size, MessageOddity.startSize), at: 0)
      if let oddity = MessageOddity(in: start, ofMessageOf: size, versions: versions) {
        throw Failure(.usage, "\(Self.words(of: oddity)) Nothing was written.")
      }
      do throws(MessageError) {
        header = try MessageHeader(start, ofMessageOf: size, for: credential, versions: versions)
      } catch {
        // The size is that of a moment before.
        guard error != .messageTooShort else {
          throw Failure(
            .internalError,
            "\(source.name) was cut while it was read. Nothing was written."
          )
        }
        throw Failure(.usage, "\(Self.otherThan(credential)) Nothing was written.")
      }
      self.source = source
      ciphertext = header.credential.headerSize..<(size - MessageFormat.macSize)
    }

    private static func words(of oddity: MessageOddity) -> String {
      guard oddity == .version(MessageFormat.version2) else { return oddity.description }
      return "The message has format 2: "
        + "\(RNCryptVerbs.acceptsVersion2.declaration.spelling) reads it."
    }

    private static func otherThan(_ credential: MessageCredential) -> String {
      switch credential {
      case .password: "Keys open this message, and no password: give them with --keys or --keys-fd."
      case .keys: "A password opens this message, and no keys: leave --keys and --keys-fd out."
      }
    }
  }

  /// Writes the message of everything that `source` has to `output`.
  static func encrypt(
    _ source: borrowing MessageSource,
    _ keys: borrowing MessageKeys,
    _ header: MessageHeader,
    to output: Int32
  ) throws(Failure) {
    let cipher = MessageCipher(.encrypt, keys, header)
    let mac = MessageMAC(keys, header)
    var content = Secret(capacity: ChunkPipeline.chunkSize)
    try write(Secret(copying: header.bytes), to: output)
    let use: ChunkPipeline.Use = { (chunk) throws(Failure) in
      mac.update(chunk)
      try write(chunk, to: output)
    }
    try ChunkPipeline.run(using: use) { (chunk) throws(Failure) in
      content.removeAll()
      let goesOn = try source.read(content.capacity, into: &content) == content.capacity
      cipher.update(content, appendingTo: &chunk)
      if !goesOn { _ = cipher.finish(appendingTo: &chunk) }
      return goesOn
    }
    try write(Secret(copying: mac.finish()), to: output)
  }

  /// Writes the content of a message to `output`.
  ///
  /// Nothing is written before the HMAC was verified. It is made once more while the content is written,
  /// because a file can change in between: the caller must not use what was written if this throws.
  static func decrypt(
    _ message: borrowing Sealed,
    _ keys: borrowing MessageKeys,
    to output: Int32
  ) throws(Failure) {
    let tag = try message.source.bytes(MessageFormat.macSize, at: message.ciphertext.upperBound)
    let first = MessageMAC(keys, message.header)
    try readAll(message) { (chunk) throws(Failure) in first.update(chunk) }
    try verify(first, tag, message.header)
    let second = MessageMAC(keys, message.header)
    let cipher = MessageCipher(.decrypt, keys, message.header)
    let content = Content()
    try readAll(message, alsoTo: second) { (chunk) throws(Failure) in
      content.bytes.removeAll()
      cipher.update(chunk, appendingTo: &content.bytes)
      try write(content.bytes, to: output)
    }
    try verify(second, tag, message.header)
    var rest = Secret(capacity: 2 * MessageFormat.blockSize)
    guard cipher.finish(appendingTo: &rest) else { throw mismatch(message.header) }
    try write(rest, to: output)
  }

  /// What was decrypted last, for one thread at a time.
  private final class Content {
    var bytes = Secret(capacity: MessageCipher.room(for: ChunkPipeline.chunkSize))
  }

  /// Reads all of the ciphertext: `mac` gets each chunk where it is read, `use` perhaps on another
  /// thread.
  private static func readAll(
    _ message: borrowing Sealed,
    alsoTo mac: MessageMAC? = nil,
    _ use: @escaping ChunkPipeline.Use
  ) throws(Failure) {
    var offset = message.ciphertext.lowerBound
    try ChunkPipeline.run(using: use) { (chunk) throws(Failure) in
      let wanted = min(ChunkPipeline.chunkSize, message.ciphertext.upperBound - offset)
      let count = try message.source.read(wanted, at: offset, into: &chunk)
      guard count == wanted else {
        throw Failure(.internalError, "\(message.source.name) was cut while it was read.")
      }
      mac?.update(chunk)
      offset += count
      return offset < message.ciphertext.upperBound
    }
  }

  private static func verify(
    _ mac: MessageMAC,
    _ tag: [UInt8],
    _ header: MessageHeader
  ) throws(Failure) {
    do throws(MessageError) { try mac.verify(tag) } catch { throw mismatch(header) }
  }

  private static func mismatch(_ header: MessageHeader) -> Failure {
    let secret = header.credential == .keys ? "The keys are" : "The password is"
    return Failure(
      .authenticationFailed,
      "\(secret) wrong, or the message was changed: nothing tells the two apart."
    )
  }

  private static func write(_ bytes: borrowing Secret, to output: Int32) throws(Failure) {
    guard Output.write(bytes, to: output) else {
      throw Failure(.internalError, errno: errno, "The result cannot be written")
    }
  }
}
