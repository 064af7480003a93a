import Foundation
import LocalAuthFiles
import Security

/// Which devices know a password.
public enum PasswordReach: Equatable, Sendable {
  /// All devices of the person.
  case allDevices
  /// This one alone, also if a backup is brought to another.
  case thisDevice
}

/// The password of exported files, for all programs of the app's group: they open a file without asking for it.
///
/// Whoever can use the unlocked device, and is in the group, has it; the login of the notes does not guard it.
struct FilePassword {
  /// The group that the app and its companions have in common.
  static let group = "io.localauth.notes.files"

  private let service: String
  private let protection: DeviceProtection

  init(service: String, _ protection: DeviceProtection) {
    self.service = service
    self.protection = protection
  }

  /// Lets the devices of `reach` know it, and no others: one update of the item that there is, or else a new one.
  func remember(_ password: borrowing Secret, on reach: PasswordReach) throws(AppItem.Failure) {
    let (wanted, other) = (item(reach), item(reach == .allDevices ? .thisDevice : .allDevices))
    try wanted.put(password.withData { Data($0) })
    try other.delete()
  }

  /// It, or nil for none.
  ///
  /// "Not found" counts only if the device could be read.
  func find() throws(AppItem.Failure) -> Secret? {
    for reach in [PasswordReach.thisDevice, .allDevices] {
      guard let data = try item(reach).data() else { continue }
      return Secret(copying: data)
    }
    guard protection.obstacle == nil else { throw .locked }
    return nil
  }

  /// Has no device know it any more that knew this one.
  func forget() throws(AppItem.Failure) {
    try item(.thisDevice).delete()
    try item(.allDevices).delete()
  }

  func item(_ reach: PasswordReach) -> AppItem {
    var item = AppItem(
      "files",
      of: service,
      accessible: reach == .allDevices
        ? kSecAttrAccessibleWhenUnlocked : kSecAttrAccessibleWhenUnlockedThisDeviceOnly
    )
    item.isSynchronizable = reach == .allDevices
    item.group = Self.hasGroup ? Self.group : nil
    return item
  }

  /// Whether a rule gives this program the group; without rules all programs of the person have one group, and it is
  /// this one's first.
  private static var hasGroup: Bool {
    let query = [
      kSecClass as String: kSecClassGenericPassword,
      kSecAttrAccessGroup as String: group,
    ]
    return SecItemCopyMatching(query as CFDictionary, nil) != errSecMissingEntitlement
  }
}
