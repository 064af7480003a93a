import Foundation
import LocalAuthFiles
import RNCryptor

/// Notes as one message of RNCryptor's, which opens on any machine for its password: what takes them to a new phone.
///
/// `Data` and `String` cannot be wiped: what is exported or brought in stays in the program's memory for a while.
enum Export {
  /// Ends a note: a page ends.
  static let separator = UInt8(ascii: "\u{0C}")

  /// All notes, sealed; the password is not empty.
  static func message(of notes: NoteFiles, password: String) throws(FileFailure) -> Data {
    let encryptor = RNCryptor.Encryptor(password: password)
    var message = Data()
    for number in notes.numbers() {
      let page = page(try notes.text(number))
      message += page.withData { encryptor.update(withData: $0) }
    }
    return message + encryptor.finalData()
  }

  /// A note and the end of its page; inside of it a page that ends is a line that ends.
  private static func page(_ text: borrowing Secret) -> Secret {
    var page = Secret(capacity: text.count + 1)
    text.withUnsafeBytes { bytes in
      for byte in bytes { _ = page.append(byte == separator ? UInt8(ascii: "\n") : byte) }
    }
    _ = page.append(separator)
    return page
  }

  /// Adds the notes of a message.
  ///
  /// - Returns: how many.
  /// - Throws: `RNCryptor.Error` before anything is added, or `FileFailure`.
  static func add(_ message: Data, password: String, to notes: NoteFiles) throws -> Int {
    let texts = try RNCryptor.decrypt(data: message, withPassword: password)
      .split(separator: separator)
    for text in texts { try notes.add(Secret(copying: text)) }
    return texts.count
  }
}
