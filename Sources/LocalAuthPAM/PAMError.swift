import CLocalAuthPAM
import LocalAuthWire

/// Why a PAM transaction could not begin; nothing has been judged.
public enum PAMError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The service file is missing or unreadable; PAM would have used the one called `other`.
  case serviceMissing(path: String)
  /// `pam_start` failed with this code: out of memory, or an unreadable service file.
  case startFailed(code: Int32)
  /// PAM refused an item (a fact about the requester) with this code.
  case itemRefused(code: Int32)

  /// What is wrong and what to do about it.
  public var description: String {
    switch self {
    case .serviceMissing(let path): PAMService.missing(path)
    case .startFailed(let code):
      "PAM did not start (\(PAMHandle.text(for: code))); check the service file and the system log"
    case .itemRefused(let code):
      "PAM refused a fact about the conversation (\(PAMHandle.text(for: code))); free some memory"
    }
  }
}
