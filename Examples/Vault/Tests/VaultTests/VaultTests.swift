import LocalAuthTestKit
import Testing
import Vault

/// The sensor is simulated, and it gates: what it does not recognize opens nothing.
@Suite struct VaultTests {
  private let device: TestDevice
  private let vault = Vault(service: "notes")

  init() throws {
    device = try TestDevice(fingers: [.rightIndex], passcode: "2468")
    try device.use { try vault.keep("buy milk", named: "today") }
  }

  @Test func opensOnTheSecondTouch() throws {
    try device.use {
      try device.sensor.script("miss, match")
      #expect(try vault.open("today", reason: "read the note") == "buy milk")
    }
  }

  @Test func opensOnThePasscodeAfterThreeMisses() throws {
    try device.use {
      try device.sensor.script("miss, miss, miss, passcode:2468")
      #expect(try vault.open("today", reason: "read the note") == "buy milk")
    }
  }

  @Test func staysShutWhenThePersonSaysNo() throws {
    try device.use {
      try device.sensor.script("cancel")
      #expect(throws: Vault.Failure.canceled) {
        try vault.open("today", reason: "read the note")
      }
    }
  }

  @Test func knowsOfNoOtherNote() {
    device.use {
      #expect(vault.isUsable)
      #expect(throws: Vault.Failure.noNote) { try vault.open("tomorrow", reason: "read") }
    }
  }

  @Test func tellsNotesApart() {
    #expect(
      vault.fingerprint(of: "abc")
        == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
    )
  }
}
