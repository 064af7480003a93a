import Foundation
import Security

/// A number for this device that outlives the app's files: it is in the keychain, and in no backup for another device.
struct DeviceIdentifier {
  let item: AppItem

  init(service: String) {
    item = AppItem(
      "device",
      of: service,
      accessible: kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly
    )
  }

  /// The identifier, which is made where the keychain says that there is none.
  ///
  /// - Throws: `AppItem.Failure`, `locked` before the first unlock: then nothing is made.
  func get() throws(AppItem.Failure) -> UUID {
    if let data = try item.data() {
      guard let found = UUID(uuidString: String(decoding: data, as: UTF8.self)) else {
        throw .other(errSecDecode)
      }
      return found
    }
    let made = UUID()
    try item.add(Data(made.uuidString.utf8))
    return made
  }
}
