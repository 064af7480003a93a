import LocalAuthTestKit
import Security
import Testing

/// Objects of Foundation's in the keychain.
@Suite struct ArchiveStoreTests {
  private let device: TestDevice

  init() throws { device = try .phone() }

  @Test func anObjectComesBackAsItWas() throws {
    try device.use {
      let contact = Contact(name: "Zoë", born: Date(timeIntervalSince1970: 1), tags: ["a", "b"])
      let status = try ArchiveStore.keep(contact, named: "zoë")
      #expect(status == errSecSuccess)
      let found = try ArchiveStore.object(Contact.self, named: "zoë")
      #expect(found == contact)
      #expect(found !== contact)
    }
  }

  @Test func anObjectTakesThePlaceOfAnother() throws {
    try device.use {
      for name in ["one", "two"] {
        let contact = Contact(name: name, born: .distantPast, tags: [])
        _ = try ArchiveStore.keep(contact, named: "contact")
      }
      let found = try ArchiveStore.object(Contact.self, named: "contact")
      #expect(found?.name == "two")
    }
  }

  @Test func objectsOfFoundationComeBackToo() throws {
    try device.use {
      _ = try ArchiveStore.keep(["a": 1, "b": 2] as NSDictionary, named: "dictionary")
      _ = try ArchiveStore.keep(NSUUID(), named: "number")
      #expect(try ArchiveStore.object(NSUUID.self, named: "number") != nil)
      #expect(try ArchiveStore.object(Contact.self, named: "nothing") == nil)
    }
  }

  @Test func anotherClassIsRefused() throws {
    try device.use {
      _ = try ArchiveStore.keep("text" as NSString, named: "text")
      #expect(throws: (any Error).self) {
        guard try ArchiveStore.object(Contact.self, named: "text") == nil else { return }
        throw CocoaError(.coderValueNotFound)
      }
    }
  }
}

/// A number that stays.
@Suite struct DeviceNumberTests {
  @Test func theNumberStaysOnOneDeviceAndDiffersOnAnother() throws {
    let (one, other) = (try TestDevice.phone(), try TestDevice.phone())
    let number = try #require(one.use { DeviceNumber.current })
    #expect(one.use { DeviceNumber.current } == number)
    try one.lockForGood()
    #expect(one.use { DeviceNumber.current } == number)
    #expect(other.use { DeviceNumber.current } != number)
  }

  @Test func thereIsNoNumberBeforeTheFirstUnlock() throws {
    let device = try TestDevice.phone()
    let number = device.use { DeviceNumber.current }
    try device.reboot()
    #expect(device.use { DeviceNumber.current } == nil)
    try device.unlock()
    #expect(device.use { DeviceNumber.current } == number)
  }

  /// The app is gone and comes back: another process, and the device's directory is all that is left.
  @Test func theNumberSurvivesTheApp() async throws {
    let directory = FileManager.default.temporaryDirectory.appendingPathComponent(
      "localauth-\(UUID().uuidString)"
    )
    defer { try? FileManager.default.removeItem(at: directory) }
    let device: String = directory.appendingPathComponent("device").path
    let record: String = directory.appendingPathComponent("number").path
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    for _ in 1...2 {
      await #expect(processExitsWith: .success) {
        [device = device as String, record = record as String] in
        let earlier = try? String(contentsOfFile: record, encoding: .utf8)
        let phone =
          earlier == nil
          ? try Device.create("phone", directory: device) : try Device("phone", directory: device)
        CurrentDevice.setOfProcess(CurrentDevice(phone, prompter: .nobody))
        let number = try #require(DeviceNumber.current).uuidString
        try #require(earlier == nil || earlier == number)
        try number.write(toFile: record, atomically: true, encoding: .utf8)
      }
    }
    #expect(FileManager.default.fileExists(atPath: record))
  }
}
