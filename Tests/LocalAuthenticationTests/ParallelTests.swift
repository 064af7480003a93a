import Dispatch
import LocalAuthTestKit
import LocalAuthentication
import Testing

/// Many clients at once, each of whose calls blocks its caller: nothing sleeps, and nothing waits for a
/// thread that is blocked.
@Suite struct ParallelTests {
  private static let clients = 100

  /// A client's own test of a protected item: what it keeps opens on a match, and on nothing else.
  private func protectedItemTest(_ number: Int) throws {
    let device = try TestDevice(fingers: [.rightIndex], passcode: "1234")
    try device.use {
      let vault = Vault(account: "client \(number)")
      #expect(vault.keep("secret \(number)") == errSecSuccess)
      try device.sensor.script("miss, match")
      #expect(vault.open() == .opened("secret \(number)"))
      try device.sensor.script("miss, miss, miss")
      #expect(vault.open() == .failed(errSecAuthFailed))
    }
  }

  @Test(arguments: 0..<clients)
  func aHundredTestsOfProtectedItemsRunInParallel(_ number: Int) throws {
    try protectedItemTest(number)
  }

  @Test func thirtyTwoCallsAtOnceStarveNoAnswer() async throws {
    let devices = try (0..<32).map { _ in
      try TestDevice(fingers: [.rightIndex], passcode: "1234")
    }
    // Every thread of Swift concurrency is blocked in a call, and their answers come all the same.
    try await withThrowingTaskGroup(of: Vault.Outcome.self) { group in
      for device in devices {
        group.addTask {
          try device.use {
            let vault = Vault(account: "ann")
            _ = vault.keep("gold")
            try device.sensor.script("miss, miss, match")
            return vault.open()
          }
        }
      }
      for try await outcome in group { #expect(outcome == .opened("gold")) }
    }
  }

  @Test func thirtyTwoCallsOfOneDeviceWaitForEachOther() throws {
    let device = try TestDevice(fingers: [.rightIndex], passcode: "1234")
    let vault = Vault(account: "ann")
    try device.use {
      #expect(vault.keep("gold") == errSecSuccess)
      try device.sensor.script("match", times: 32)
    }
    DispatchQueue.concurrentPerform(iterations: 32) { _ in
      // A queue is no part of the task.
      device.use { #expect(vault.open() == .opened("gold")) }
    }
  }
}

/// What a client of Apple's names has around a protected item.
private struct Vault: Sendable {
  enum Outcome: Equatable, Sendable {
    case opened(String)
    case failed(OSStatus)
  }

  let account: String

  private var item: [String: Any] {
    [
      kSecClass as String: kSecClassGenericPassword, kSecAttrService as String: "vault",
      kSecAttrAccount as String: account,
    ]
  }

  func keep(_ secret: String) -> OSStatus {
    var new = item
    new[kSecValueData as String] = Data(secret.utf8)
    new[kSecAttrAccessControl as String] = SecAccessControlCreateWithFlags(
      nil,
      kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly,
      .biometryCurrentSet,
      nil
    )
    return SecItemAdd(new as CFDictionary, nil)
  }

  func open() -> Outcome {
    var query = item
    query[kSecReturnData as String] = true
    query[kSecUseAuthenticationContext as String] = LAContext()
    var result: CFTypeRef?
    let status = SecItemCopyMatching(query as CFDictionary, &result)
    guard status == errSecSuccess, let data = result as? Data else { return .failed(status) }
    return .opened(String(decoding: data, as: UTF8.self))
  }
}
