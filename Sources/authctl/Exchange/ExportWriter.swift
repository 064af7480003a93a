import Glibc
import LocalAuthClient
import LocalAuthCore
import LocalAuthJSON
import LocalAuthKeychain
import LocalAuthSecret

/// Writes items to a descriptor, each composed in secret memory.
struct ExportWriter: ~Copyable {
  /// An item with its secret.
  struct Opened {
    let item: RemoteItem
    let secret: HeldSecret
  }

  private static let longestLine = 1 << 20

  private let descriptor: Int32
  private var line = Secret(capacity: longestLine)

  init(to descriptor: Int32) { self.descriptor = descriptor }

  /// Writes the first line of our own format.
  mutating func writeHead() throws(Failure) { try write(JSONLineReader.head + "\n") }

  /// Writes a line of our own format.
  mutating func writeLine(_ opened: Opened) throws(Failure) {
    line.removeAll()
    do throws(JSONWriteError) {
      // SAFETY: the writer stays within the memory and keeps no pointer to it.
      try unsafe line.withUnsafeMutableBytes { (room, used) throws(JSONWriteError) in
        let inside = unsafe UnsafeMutableRawBufferPointer(rebasing: room.dropLast())
        used = try unsafe JSONWriter.write(into: inside) { writer in
          writer.beginObject()
          ItemText.write(opened.item, to: &writer)
          writer.key("data")
          unsafe opened.secret.secret.withUnsafeBytes { unsafe writer.secretBase64(bytes: $0) }
          writer.endObject()
        }
      }
    } catch {
      throw Failure(.internalError, "An item cannot be written as JSON.")
    }
    _ = line.append(UInt8(ascii: "\n"))
    try flush()
  }

  /// Writes the names of the columns.
  mutating func writeColumns(_ format: ExchangeFormat) throws(Failure) {
    try write(format.columns.map(\.name).joined(separator: ",") + "\r\n")
  }

  /// Writes a record: the text or the secret of each column.
  mutating func writeRecord(
    _ format: ExchangeFormat,
    texts: [ExchangeRole: String],
    secrets: [ExchangeRole: HeldSecret]
  ) throws(Failure) {
    line.removeAll()
    for (index, column) in format.columns.enumerated() {
      if index > 0 { _ = line.append(UInt8(ascii: ",")) }
      if let held = secrets[column.role] {
        // SAFETY: the bytes are copied to secret memory within the call.
        unsafe held.secret.withUnsafeBytes { bytes in
          _ = line.append(UInt8(ascii: "\""))
          for index in bytes.indices { quote(unsafe bytes[index]) }
          _ = line.append(UInt8(ascii: "\""))
        }
      } else if let text = texts[column.role], !text.isEmpty {
        _ = line.append(UInt8(ascii: "\""))
        for byte in text.utf8 { quote(byte) }
        _ = line.append(UInt8(ascii: "\""))
      }
    }
    for byte in "\r\n".utf8 { _ = line.append(byte) }
    guard line.count < Self.longestLine else {
      throw Failure(.keychainError, "An item is too long for a table: export JSON.")
    }
    try flush()
  }

  private mutating func quote(_ byte: UInt8) {
    if byte == UInt8(ascii: "\"") { _ = line.append(byte) }
    _ = line.append(byte)
  }

  private mutating func write(_ text: String) throws(Failure) {
    line.removeAll()
    for byte in text.utf8 { _ = line.append(byte) }
    try flush()
  }

  private func flush() throws(Failure) {
    guard Output.write(line, to: descriptor) else {
      throw Failure(.internalError, errno: errno, "The export is not whole; delete it")
    }
  }
}
