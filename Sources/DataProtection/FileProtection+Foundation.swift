import Foundation
import LocalAuthKeychain

extension FileProtection {
  /// The protection among Foundation's options; nil if there is none.
  ///
  /// Protections that there is no equivalent of throw: a file must not be protected less than was asked for.
  init?(_ options: Data.WritingOptions) throws {
    switch options.intersection(.fileProtectionMask) {
    case []: return nil
    case .noFileProtection: self = .always
    case .completeFileProtection: self = .complete
    case .completeFileProtectionUnlessOpen: self = .completeUnlessOpen
    case .completeFileProtectionUntilFirstUserAuthentication: self = .afterFirstUnlock
    default: throw CocoaError(.featureUnsupported)
    }
  }

  /// The protection that the value of `protectionKey` names.
  init(attribute value: Any) throws {
    let name = (value as? FileProtectionType)?.rawValue ?? value as? String
    guard let found = Self.allCases.first(where: { $0.type.rawValue == name }) else {
      throw CocoaError(.featureUnsupported)
    }
    self = found
  }

  /// Foundation's name.
  var type: FileProtectionType {
    switch self {
    case .complete: .complete
    case .completeUnlessOpen: .completeUnlessOpen
    case .afterFirstUnlock: .completeUntilFirstUserAuthentication
    case .always: .none
    }
  }

  /// Foundation's option.
  var writingOptions: Data.WritingOptions {
    switch self {
    case .complete: .completeFileProtection
    case .completeUnlessOpen: .completeFileProtectionUnlessOpen
    case .afterFirstUnlock: .completeFileProtectionUntilFirstUserAuthentication
    case .always: .noFileProtection
    }
  }
}
