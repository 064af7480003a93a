// Nothing of this project but the test kit: the plugin brings the names, as Foundation does on Apple's platforms.
import Foundation
import LocalAuthTestKit
import Testing

@Suite struct StoreWithoutImportTests {
  @Test func codeForApplesPlatformsFindsTheStoreAndItsConstants() throws {
    let device = try TestDevice()
    device.use {
      let store = NSUbiquitousKeyValueStore.default
      store.set("dark", forKey: "theme")
      #expect(store.synchronize())
      #expect(store.string(forKey: "theme") == "dark")
    }
    let name: Notification.Name = NSUbiquitousKeyValueStore.didChangeExternallyNotification
    #expect(name.rawValue.hasSuffix("DidChangeExternallyNotification"))
    let keys = [
      NSUbiquitousKeyValueStoreChangeReasonKey, NSUbiquitousKeyValueStoreChangedKeysKey,
    ]
    #expect(Set(keys).count == 2)
    let reasons = [
      NSUbiquitousKeyValueStoreServerChange, NSUbiquitousKeyValueStoreInitialSyncChange,
      NSUbiquitousKeyValueStoreQuotaViolationChange, NSUbiquitousKeyValueStoreAccountChange,
    ]
    #expect(reasons == [0, 1, 2, 3])
  }
}
