import Foundation
import LocalAuthFiles
import NotesCore
import RNCryptor

/// Notes in a file that a password opens on any machine.
extension NotesApp {
  /// All notes of this device as a message of RNCryptor's, without the shared ones; nil if nobody is logged in.
  ///
  /// - Throws: `FileFailure`.
  public func exported(password: String) throws -> ExportedNotes? {
    session.isOpen ? try Export.message(of: notes, password: password) : nil
  }

  /// Adds the notes of a message of RNCryptor's.
  ///
  /// - Returns: how many.
  /// - Throws: `RNCryptor.Error`, or `FileFailure`.
  public func add(_ message: Data, password: String) throws -> Int {
    session.isOpen ? try Export.add(message, password: password, to: notes) : 0
  }

  /// Lets this device's programs of the app's group open exported files without asking, and those of all devices if that
  /// is wanted; false if nobody is logged in.
  ///
  /// - Throws: why the keychain did not do it.
  public func remember(filePassword: borrowing Secret, on reach: PasswordReach) throws -> Bool {
    guard session.isOpen else { return false }
    try self.filePassword.remember(filePassword, on: reach)
    return true
  }

  /// The password of exported files that is remembered; nil for none, and if nobody is logged in.
  ///
  /// - Throws: why the keychain did not say.
  public func rememberedFilePassword() throws -> Secret? {
    session.isOpen ? try filePassword.find() : nil
  }

  /// Has all devices forget it; false if nobody is logged in.
  ///
  /// - Throws: why the keychain did not do it.
  public func forgetFilePassword() throws -> Bool {
    guard session.isOpen else { return false }
    try filePassword.forget()
    return true
  }
}
