import Foundation
import LocalAuthFiles
import NotesCore

/// Texts in protected files of one directory, numbered.
///
/// A text is in memory that is wiped, or it is sealed: no file ever has it as it is, also none that is there for a moment.
struct NoteFiles {
  private let files: ProtectedFiles
  private let directory: URL
  private let protection: FileProtection

  /// The notes: they can be read while the device is unlocked (class A).
  static func notes(in home: URL, _ files: ProtectedFiles) throws -> NoteFiles {
    try NoteFiles(files, home.appendingPathComponent("notes"), .complete)
  }

  /// What comes for the person, also while the device is locked: then it can be written and not read (class B).
  static func inbox(in home: URL, _ files: ProtectedFiles) throws -> NoteFiles {
    try NoteFiles(files, home.appendingPathComponent("inbox"), .completeUnlessOpen)
  }

  /// What was being written when the device was locked (class B).
  static func drafts(in home: URL, _ files: ProtectedFiles) throws -> NoteFiles {
    try NoteFiles(files, home.appendingPathComponent("drafts"), .completeUnlessOpen)
  }

  private init(_ files: ProtectedFiles, _ directory: URL, _ protection: FileProtection) throws {
    self.files = files
    self.directory = directory
    self.protection = protection
    try FileManager.default.createDirectory(
      at: directory,
      withIntermediateDirectories: true,
      attributes: [.posixPermissions: 0o700]
    )
  }

  /// The numbers of the texts, oldest first; the device is not asked.
  func numbers() -> [Int] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: directory.path)) ?? []
    return names.compactMap { $0.hasSuffix(".note") ? Int($0.dropLast(5)) : nil }.sorted()
  }

  /// Whether there is a text of this number; the device is not asked.
  func has(_ number: Int) -> Bool { FileManager.default.fileExists(atPath: path(number)) }

  /// A text.
  ///
  /// - Throws: `FileFailure`, `locked` while the device is.
  func text(_ number: Int) throws(FileFailure) -> Secret { try files.read(path(number)) }

  /// Puts a text into a new file.
  ///
  /// - Returns: its number.
  /// - Throws: `FileFailure`; there is no file then.
  @discardableResult
  func add(_ text: borrowing Secret) throws(FileFailure) -> Int {
    let number = (numbers().last ?? 0) + 1
    try write(text, number)
    return number
  }

  /// Puts a text into the file of this number, in one step.
  ///
  /// - Throws: `FileFailure`; what was there is unchanged then.
  func write(_ text: borrowing Secret, _ number: Int) throws(FileFailure) {
    try text.withUnsafeBytes { (bytes) throws(FileFailure) in
      try files.write(RawSpan(_unsafeBytes: bytes), to: path(number), protection)
    }
  }

  /// Deletes the text; false if there is none.
  func remove(_ number: Int) -> Bool {
    (try? FileManager.default.removeItem(atPath: path(number))) != nil
  }

  private func path(_ number: Int) -> String {
    directory.appendingPathComponent("\(number).note").path
  }
}

extension SaveAnswer {
  /// What became of a text that was to be written.
  init(_ body: () throws(FileFailure) -> Void) {
    do throws(FileFailure) {
      try body()
      self = .saved
    } catch {
      self = error == .locked ? .locked : .failed(error.message(about: "the note"))
    }
  }
}
