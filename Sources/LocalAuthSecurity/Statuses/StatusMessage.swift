// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The names are Apple's.

import LocalAuthKeychain

/// What the statuses say, each in one sentence.
enum StatusMessage {
  private static let groups = [
    keychain, certificate, module, attribute, authority, timestamp, transport,
  ]

  /// The sentence of `status`; nil for an unknown one.
  static func text(of status: OSStatus) -> String? {
    if let own = KeychainStatus(rawValue: status) { return own.message }
    return groups.lazy.compactMap { $0[status] }.first
  }
}

/// What a status says, in one sentence.
///
/// - Parameters:
///   - status: what a call returned.
///   - reserved: ignored.
/// - Returns: the sentence; the number behind `OSStatus` for a status that is none of Security's.
public func SecCopyErrorMessageString(
  _ status: OSStatus,
  _ reserved: UnsafeMutableRawPointer?
) -> CFString? {
  StatusMessage.text(of: status) ?? "OSStatus \(status)"
}
