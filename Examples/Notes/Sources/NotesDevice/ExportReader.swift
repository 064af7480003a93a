import Foundation
import LocalAuthFiles
import RNCryptor

/// A companion of the app: reads an exported file with the password that the app remembered for its group.
public struct ExportReader {
  private let password: FilePassword

  /// A reader on `device`, of the app whose items have this service.
  ///
  /// - Throws: `FileFailure`.
  public init(
    device: Device = .default,
    service: String = NotesApp.service
  ) throws(FileFailure) {
    let protection = DeviceProtection(files: try ProtectedFiles(on: device), isAvailable: nil)
    password = FilePassword(service: service, protection)
  }

  /// The notes of a message.
  ///
  /// - Returns: nil if no password is remembered.
  /// - Throws: `RNCryptor.Error`, or why the keychain has none now: the device may be locked.
  public func notes(of message: Data) throws -> [Data]? {
    guard let password = try password.find() else { return nil }
    return try Export.notes(
      of: message,
      password: password.withData { String(decoding: $0, as: UTF8.self) }
    )
  }
}
