import Foundation
import LocalAuthentication

/// A note that opens on a finger, and on the passcode where fingers are locked.
struct SealedNote {
  enum Failure: Error, Equatable {
    case canceled
    case refused
    case gone
    case nobodyToAsk
    case cannotBeKept
    case status(OSStatus)
  }

  let name: String
  var flags: SecAccessControlCreateFlags = .userPresence

  private var item: [String: Any] {
    [
      kSecClass as String: kSecClassGenericPassword,
      kSecAttrService as String: "notes",
      kSecAttrAccount as String: name,
    ]
  }

  func keep(_ text: String) throws {
    var error: Unmanaged<CFError>?
    guard
      let access = SecAccessControlCreateWithFlags(
        kCFAllocatorDefault,
        kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly,
        flags,
        &error
      )
    else {
      error?.release()
      throw Failure.cannotBeKept
    }
    SecItemDelete(item as CFDictionary)
    var new = item
    new[kSecAttrAccessControl as String] = access
    new[kSecValueData as String] = Data(text.utf8)
    try check(SecItemAdd(new as CFDictionary, nil))
  }

  func open(with context: LAContext = LAContext(), reason: String) throws -> String {
    context.localizedReason = reason
    var query = item
    query[kSecReturnData as String] = true
    query[kSecUseAuthenticationContext as String] = context
    var found: CFTypeRef?
    try check(SecItemCopyMatching(query as CFDictionary, &found))
    return String(decoding: found as? Data ?? Data(), as: UTF8.self)
  }

  /// Whether there is a note, which nobody has to be asked for.
  var isThere: Bool {
    var query = item
    query[kSecUseAuthenticationUI as String] = kSecUseAuthenticationUIFail
    let status = SecItemCopyMatching(query as CFDictionary, nil)
    return status == errSecSuccess || status == errSecInteractionNotAllowed
  }

  func throwAway() throws { try check(SecItemDelete(item as CFDictionary)) }

  private func check(_ status: OSStatus) throws {
    switch status {
    case errSecSuccess: return
    case errSecUserCanceled: throw Failure.canceled
    case errSecAuthFailed: throw Failure.refused
    case errSecItemNotFound: throw Failure.gone
    case errSecInteractionNotAllowed: throw Failure.nobodyToAsk
    default: throw Failure.status(status)
    }
  }
}
