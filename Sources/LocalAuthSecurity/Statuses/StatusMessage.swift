// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The names are Apple's.

import LocalAuthKeychain

/// The messages of the statuses, each one sentence.
enum StatusMessage {
  private static let groups = [
    keychain, certificate, module, attribute, authority, timestamp, transport,
  ]

  /// The message of `status`; nil if it is unknown.
  static func text(of status: OSStatus) -> String? {
    if let own = KeychainStatus(rawValue: status) { return own.message }
    return groups.lazy.compactMap { $0[status] }.first
  }
}

/// The message of a status, one sentence.
///
/// - Parameters:
///   - status: the status that a call returned.
///   - reserved: ignored.
/// - Returns: the message; `OSStatus` and the number for a status that is not one of Security's.
public func SecCopyErrorMessageString(
  _ status: OSStatus,
  _ reserved: UnsafeMutableRawPointer?
) -> CFString? {
  StatusMessage.text(of: status) ?? "OSStatus \(status)"
}
