import Foundation
import LocalAuth
import LocalAuthFiles
import RNCryptor
import Security

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
    case AppItem.Failure.refused: "The keychain gives nothing without a proof."
    case AppItem.Failure.other(let status): words(of: status)
    default: error.localizedDescription
    }
  }

  private static func words(of status: OSStatus) -> String {
    let words = SecCopyErrorMessageString(status, nil).map { String(describing: $0) } ?? "\(status)"
    return "The keychain refused: \(words)"
  }

  /// Why nothing can be done with `device`, such as a simulated one that only the environment chose; nil if something can.
  public static func hindrance(of device: Device) -> String? {
    do throws(AuthError) {
      try AuthContext(device: device).canEvaluate(.passcode)
      return nil
    } catch {
      return switch error {
      case .simulatedNotAllowed:
        "The device is a simulated one, which the environment chose: LOCALAUTH_ALLOW_SIMULATED=1 lets it count."
      case .unreachable, .badConfiguration, .notPermitted, .protocolError: error.message
      default: nil
      }
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
