import Glibc
import LocalAuthFileFormat
public import LocalAuthKeychain
public import LocalAuthSecret
import Synchronization

/// An open protected file, whose key goes when the device's state demands it.
///
/// A file of ``FileProtection/complete`` loses its key ``Keybag/grace`` after the device was locked: what was
/// written is sealed then, and everything afterwards throws ``FileFailure/locked``, also a read that is under
/// way. It opens again once the device is unlocked. The key is in this process until then, so that this
/// protects from whoever takes the machine later, not from this process itself.
///
/// Safe to use from any thread; one call at a time is served. ``close()`` seals what was written; a
/// file that is dropped is closed.
public final class ProtectedFile: LeasedFile {
  private struct Held {
    var file: EncryptedFile?
    var failure = ProtectedFileError.closed
    /// Why what was written was not sealed when the key went.
    var loss: ProtectedFileError?
  }

  /// How much is read or written while a lock of the device waits.
  package static let partSize = 1 << 20

  /// When the file can be opened.
  public let protection: FileProtection
  /// How the content is divided into chunks.
  let layout: FileLayout
  private let held: Mutex<Held>
  /// Whether other programs are kept out for as long as somebody has another descriptor of the open file.
  private let keepsLock: Bool

  /// Takes the key of this file when its time has come; it lives as long as the file.
  private let watch: AvailabilityWatch

  init(_ file: sending EncryptedFile, _ watch: AvailabilityWatch, keepsLock: Bool = false) {
    self.keepsLock = keepsLock
    protection = file.protection
    layout = file.layout
    held = Mutex(Held(file: file))
    self.watch = watch
    watch.add(self)
  }

  deinit { try? close() }

  /// The bytes of the content.
  ///
  /// - Throws: ``FileFailure``.
  public var length: Int {
    get throws(FileFailure) {
      try withFile { (file) throws(ProtectedFileError) in file.length }
    }
  }

  /// Whether the file was sealed when it was opened: if not, a program ended while it wrote the file.
  ///
  /// - Throws: ``FileFailure``.
  public var wasSealed: Bool {
    get throws(FileFailure) {
      try withFile { (file) throws(ProtectedFileError) in file.wasSealed }
    }
  }

  /// Fills `buffer` with the content from `offset`, as far as there is any; returns how many bytes.
  ///
  /// - Throws: ``FileFailure``; of a damaged part nothing is in the buffer then.
  @unsafe
  public func read(
    _ buffer: UnsafeMutableRawBufferPointer,
    at offset: Int
  ) throws(FileFailure) -> Int {
    var total = 0
    while total < buffer.count {
      let size = min(Self.partSize, buffer.count - total)
      // SAFETY: the part lies within the buffer.
      let part = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[total..<total + size])
      let count = try withFile { (file) throws(ProtectedFileError) in
        try unsafe file.read(part, at: offset + total)
      }
      total += count
      if count < size { break }
    }
    return total
  }

  /// Returns the content from `offset`, at most `count` bytes.
  ///
  /// - Throws: ``FileFailure``.
  public func read(_ count: Int, at offset: Int = 0) throws(FileFailure) -> Secret {
    let size = max(0, min(count, try length - offset))
    var content = Secret(capacity: size)
    try unsafe content.withUnsafeMutableBytes { (room, used) throws(FileFailure) in
      used = try unsafe read(room, at: offset)
    }
    return content
  }

  /// Fills `chunk` with the content from `offset`; false at the end.
  func read(into chunk: inout Secret, at offset: Int) throws(FileFailure) -> Bool {
    chunk.removeAll()
    try unsafe chunk.withUnsafeMutableBytes { (room, used) throws(FileFailure) in
      used = try unsafe read(room, at: offset)
    }
    return chunk.count > 0
  }

  /// Writes all of the content to `descriptor`.
  ///
  /// - Throws: ``FileFailure``; what was written until then was verified.
  public func copy(to descriptor: Int32) throws(FileFailure) {
    var chunk = Secret(capacity: Self.partSize)
    var offset = 0
    while try read(into: &chunk, at: offset) {
      try Self.write(chunk, to: descriptor)
      offset += chunk.count
    }
  }

  /// Writes all of `chunk` to `descriptor`.
  static func write(_ chunk: borrowing Secret, to descriptor: Int32) throws(FileFailure) {
    var written = 0
    while written < chunk.count {
      // SAFETY: the rest lies within the chunk.
      let count = unsafe chunk.withUnsafeBytes { bytes in
        let rest = unsafe UnsafeRawBufferPointer(rebasing: bytes[written...])
        return unsafe Glibc.write(descriptor, rest.baseAddress, rest.count)
      }
      guard count > 0 || errno == EINTR else { throw .system("write") }
      written += max(count, 0)
    }
  }

  /// Writes `bytes` at `offset`; between the end and that, the content is zeros.
  ///
  /// - Throws: ``FileFailure``. Then only reopening the file says what of it was written.
  public func write(_ bytes: RawSpan, at offset: Int) throws(FileFailure) {
    // SAFETY: the bytes are lent for the call.
    try unsafe bytes.withUnsafeBytes { (bytes) throws(FileFailure) in
      try unsafe write(bytes, at: offset)
    }
  }

  /// As ``write(_:at:)``, for bytes that a pointer leads to.
  ///
  /// - Throws: ``FileFailure``, as there.
  @unsafe
  public func write(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws(FileFailure) {
    if try length < offset { try truncate(to: offset) }
    var total = 0
    repeat {
      let size = min(Self.partSize, bytes.count - total)
      // SAFETY: the part lies within the bytes.
      let part = unsafe UnsafeRawBufferPointer(rebasing: bytes[total..<total + size])
      try withFile { (file) throws(ProtectedFileError) in
        try unsafe file.write(part, at: offset + total)
      }
      total += size
    } while total < bytes.count
  }

  /// Makes the content as long as that; what is new is zeros.
  ///
  /// - Throws: ``FileFailure``. Then only reopening the file says how long it is: one that was to be shorter is as it was, or as
  ///   short as that.
  public func truncate(to length: Int) throws(FileFailure) {
    var reached = try self.length
    repeat {
      // Zeros are written, too, and a lock of the device waits for no more than a part.
      reached = reached < length ? min(length, reached + Self.partSize) : length
      let next = reached
      try withFile { (file) throws(ProtectedFileError) in try file.truncate(to: next) }
    } while reached < length
  }

  /// Seals what was written, durably.
  ///
  /// - Throws: ``FileFailure``.
  public func synchronize() throws(FileFailure) {
    try withFile { (file) throws(ProtectedFileError) in try file.synchronize() }
  }

  /// Seals what was written and wipes the key; a second call does nothing.
  ///
  /// - Throws: ``FileFailure``; the key is wiped then, too.
  public func close() throws(FileFailure) { try end(.closed) }

  /// Seals what was written and wipes the key, because the device's state demands it.
  package func takeKey() { try? end(.locked) }

  /// Why what was written was not sealed when the key went; nil if it was, or the key is there.
  package var loss: FileFailure? { held.withLock(\.loss).map(FileFailure.file) }

  private func end(_ failure: ProtectedFileError) throws(FileFailure) {
    try FileFailure.translating { () throws(ProtectedFileError) in
      try held.withLock { (held) throws(ProtectedFileError) in
        guard let file = held.file.take() else { return }
        held.failure = failure
        do throws(ProtectedFileError) { try file.close(keepsLock: keepsLock) } catch {
          held.loss = error
          throw error
        }
      }
    }
  }

  func withFile<Value: Sendable>(
    _ body: (EncryptedFile) throws(ProtectedFileError) -> Value
  ) throws(FileFailure) -> Value {
    try FileFailure.translating { () throws(ProtectedFileError) in
      try held.withLock { (held) throws(ProtectedFileError) -> Value in
        guard let file = held.file else { throw held.failure }
        return try body(file)
      }
    }
  }
}
