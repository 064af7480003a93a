import LocalAuth
import LocalAuthTestKit
import Testing

@Suite
struct DomainStateTests {
  @Test func everyChangeOfTheFingersGivesAStateThatWasNeverThere() throws {
    let device = try TestDevice(fingers: [.rightIndex], passcode: "1234")
    let context = device.context()
    var seen: [DomainState?] = [context.domainState]
    for _ in 1...3 {
      try device.sensor.enroll(.leftIndex)
      seen.append(context.domainState)
      try device.sensor.remove(.leftIndex)
      seen.append(context.domainState)
    }
    #expect(Set(seen).count == seen.count)
    #expect(!seen.contains(nil))
  }

  @Test func thereIsNoneWithoutFingers() throws {
    let device = try TestDevice(fingers: [.rightIndex])
    #expect(device.context().domainState != nil)
    try device.sensor.remove(nil)
    #expect(device.context().domainState == nil)
  }

  @Test func sameFingersOnAnotherDeviceAreAnotherState() throws {
    let one = try TestDevice(fingers: [.rightIndex])
    let other = try TestDevice(fingers: [.rightIndex])
    #expect(one.context().domainState != other.context().domainState)
  }

  @Test func contextHasTheStateOfItsLastFinger() async throws {
    let device = try TestDevice(fingers: [.rightIndex], passcode: "1234")
    let context = device.context()
    #expect(context.evaluatedDomainState == nil)
    try context.canEvaluate(.deviceOwner)
    #expect(context.evaluatedDomainState == nil, "device-owner can do without a finger")
    try context.canEvaluate(.biometrics)
    #expect(context.evaluatedDomainState == context.domainState)

    try device.sensor.script("passcode:1234")
    try await context.evaluate(.passcode, reason: "no finger")
    #expect(context.evaluatedDomainState == nil)

    try device.sensor.match()
    try await context.evaluate(.deviceOwner, reason: "a finger")
    #expect(context.evaluatedDomainState == context.domainState)
  }

  @Test func failedPreflightLeavesNone() throws {
    let device = try TestDevice(fingers: [.rightIndex])
    let context = device.context()
    try context.canEvaluate(.biometrics)
    try device.sensor.unplug()
    #expect(throws: AuthError.biometryDisconnected) { try context.canEvaluate(.biometrics) }
    #expect(context.evaluatedDomainState == nil)
  }
}
