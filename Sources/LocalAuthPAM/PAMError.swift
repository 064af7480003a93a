import CLocalAuthPAM

/// Why no transaction with PAM could begin; nothing has been judged.
public enum PAMError: Error, Equatable, Sendable, CustomStringConvertible {
  /// There is no service file that can be read; PAM would have used the one called `other`.
  case serviceMissing(path: String)
  /// `pam_start` failed with this code: memory, or a service file that cannot be read.
  case startFailed(code: Int32)
  /// PAM refused one of the facts about the conversation with this code.
  case itemRefused(code: Int32)

  /// What is wrong and what to do about it.
  public var description: String {
    switch self {
    case .serviceMissing(let path):
      "the PAM service file \(path) is missing or unreadable; install it as pam/README.md says"
    case .startFailed(let code):
      "PAM did not start (\(PAMHandle.text(for: code))); check the service file and the system log"
    case .itemRefused(let code):
      "PAM refused a fact about the conversation (\(PAMHandle.text(for: code))); free some memory"
    }
  }
}
