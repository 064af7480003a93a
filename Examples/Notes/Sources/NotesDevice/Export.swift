import Foundation
import LocalAuthFiles
import RNCryptor

/// What an export came to.
public struct ExportedNotes: Equatable, Sendable {
  /// The message of RNCryptor's.
  public internal(set) var message = Data()
  /// How many notes it has.
  public internal(set) var count = 0
  /// Why others are not in it, in words: one that is damaged keeps nobody from taking the rest along.
  public internal(set) var leftOut: [String] = []
}

/// Notes as one message of RNCryptor's, which opens on any machine for its password: what takes them to a new phone.
///
/// `Data` and `String` cannot be wiped: what is exported or brought in stays in the program's memory for a while.
enum Export {
  /// Ends a note: a page ends.
  static let separator = UInt8(ascii: "\u{0C}")

  /// All notes, sealed, but for those whose own files cannot be read; the password is not empty.
  static func message(of notes: NoteFiles, password: String) throws(FileFailure) -> ExportedNotes {
    let encryptor = RNCryptor.Encryptor(password: password)
    var exported = ExportedNotes()
    for number in notes.numbers() {
      do throws(FileFailure) {
        let page = page(try notes.text(number))
        exported.message += page.withData { encryptor.update(withData: $0) }
        exported.count += 1
      } catch {
        // What is no fault of this note alone would leave out the others, too.
        if case .service = error { throw error }
        guard error != .locked else { throw error }
        exported.leftOut.append(error.message(about: "Note \(number)"))
      }
    }
    exported.message += encryptor.finalData()
    return exported
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
    let texts = try Self.notes(of: message, password: password)
    for text in texts { try notes.add(Secret(copying: text)) }
    return texts.count
  }

  /// The notes of a message.
  ///
  /// - Throws: `RNCryptor.Error`.
  static func notes(of message: Data, password: String) throws -> [Data] {
    try RNCryptor.decrypt(data: message, withPassword: password).split(separator: separator)
  }
}
