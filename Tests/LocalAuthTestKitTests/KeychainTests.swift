import LocalAuthTestKit
import Testing

/// The keychain as a client's tests meet it.
@Suite
struct KeychainTests {
  // The example of the documentation.
  @Test func passwordOpensForTheRightFingerOnly() async throws {
    let device = try TestDevice(fingers: [.rightIndex], passcode: "1234")
    let keychain = device.keychain(service: "mail")
    let anyFinger = try AccessControl(.whenUnlocked, flags: .biometryAny)
    try await keychain.set("hunter2", for: "ann", accessControl: anyFinger)
    try device.sensor.script("miss, match:right-index")
    #expect(try await keychain.string(for: "ann") == "hunter2")
    try device.sensor.miss(times: 3)
    await #expect(throws: KeychainFailure.authentication(.biometryLockout(retryAfter: nil))) {
      try await device.keychain(service: "mail").string(for: "ann")
    }
  }

  @Test func wrappersHaveOneLinersHere() async throws {
    let keychain = try TestDevice().keychain(service: "settings")
    try await keychain.set("text", for: "string")
    try await keychain.set([1, 2, 3], for: "bytes")
    try await keychain.set(WallInstant(milliseconds: 1_700_000_000_123), for: "date")
    #expect(try await keychain.string(for: "string") == "text")
    #expect(try await keychain.bytes(for: "bytes") == [1, 2, 3])
    #expect(try await keychain.date(for: "date") == WallInstant(milliseconds: 1_700_000_000_123))
    #expect(try await keychain.accounts().sorted() == ["bytes", "date", "string"])
    #expect(try await keychain.contains("date"))
    #expect(try await keychain.remove("date"))
    #expect(try await !keychain.contains("date"))
    #expect(try await keychain.string(for: "date") == nil)
    #expect(try await keychain.removeAll())
    #expect(try await !keychain.removeAll())
    #expect(try await keychain.accounts().isEmpty)
  }
}
