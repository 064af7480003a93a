import Foundation
import LocalAuthFiles
import RNCryptor

/// What errors say to a person.
extension NotesApp {
  /// An error of what the app did, in one sentence.
  public static func words(of error: any Error) -> String {
    switch error {
    case let error as FileFailure: error.message(about: "a note")
    case let error as RNCryptor.Error: words(of: error)
    case AppItem.Failure.locked: "The device is locked."
    case let error as CocoaError where error.code.rawValue == CocoaError.fileReadNoSuchFile.rawValue:
      "There is no such file or directory."
    case let error as AppItem.Failure: "The keychain refused: \(error)."
    default: error.localizedDescription
    }
  }

  private static func words(of error: RNCryptor.Error) -> String {
    switch error {
    case .hmacMismatch:
      "The password is wrong, or the file was changed: nothing tells the two apart."
    case .unknownHeader, .messageTooShort: "The file is no export, or a part of one."
    case .invalidCredentialType: "No password opens the file, or none was typed."
    case .memoryFailure: "There is not enough memory."
    }
  }
}
