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
      let text = try notes.text(number)
      message += text.withData { encryptor.update(withData: $0) }
      message += encryptor.update(withData: Data([separator]))
    }
    return message + encryptor.finalData()
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
