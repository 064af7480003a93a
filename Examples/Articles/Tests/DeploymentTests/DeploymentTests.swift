import LocalAuthTestKit
import Testing

/// What is tested: nothing is deployed unless the person at the machine approves this very release.
struct Deployment {
  let context: AuthContext

  func run(_ release: Int) async throws(AuthError) -> String {
    try await context.evaluate(
      .deviceOwner,
      reason: "Deploy to production",
      action: "deploy release \(release)"
    )
    return "release \(release) is out"
  }
}

@Suite struct DeploymentTests {
  let device: TestDevice

  init() throws { device = try TestDevice(fingers: [.rightIndex], passcode: "2468") }

  @Test func deploysOnTheSecondTouch() async throws {
    try device.sensor.script("miss, match")
    #expect(try await Deployment(context: device.context()).run(42) == "release 42 is out")
    #expect(device.prompts.first?.action == "deploy release 42")
  }

  @Test func deploysNothingWhenThePersonSaysNo() async throws {
    try device.sensor.script("cancel")
    await #expect(throws: AuthError.userCancel) {
      try await Deployment(context: device.context()).run(42)
    }
  }

  @Test func asksForThePasscodeAfterThreeMisses() async throws {
    try device.sensor.script("miss, miss, miss, passcode:2468")
    _ = try await Deployment(context: device.context()).run(42)
    #expect(try device.status().biometry == .success)
  }

  @Test func endsWhenNobodyTouchesAgain() async throws {
    try device.sensor.script("miss")
    // The clock of a test device stands still; when the script runs out it jumps to the time-out.
    await #expect(throws: AuthError.timeout) {
      try await Deployment(context: device.context()).run(42)
    }
  }
}
