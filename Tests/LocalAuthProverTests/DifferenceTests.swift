import LocalAuthCore
import Testing

@testable import LocalAuthProver

@Suite struct DifferenceTests {
  @Test func theFallbackTellsBiometricsFromDeviceOwner() throws {
    let left = try Setup.shipped("biometrics")
    let right = try Setup.shipped("device-owner")
    let found = try #require(Difference.find(left, right, Bounds(states: 10_000)).difference)
    #expect(
      found.trace == [.request(.first, Request()), .fallback, .passcode(isRight: true)]
    )
    #expect(found.outcomes == (.userFallback, .success))
  }

  @Test func theThirdMissTellsThreeStrikesFromApple() throws {
    let left = try Setup.shipped("biometrics", "three-strikes")
    let right = try Setup.shipped("biometrics", "apple")
    let found = try #require(Difference.find(left, right, Bounds(states: 10_000)).difference)
    #expect(found.trace.count == 4)
    #expect(found.outcomes == (.biometryLockout, .authenticationFailed))
  }

  @Test func aPolicyDoesNotDifferFromItself() throws {
    let setup = try Setup.shipped("passcode")
    #expect(Difference.find(setup, setup, Bounds(states: 500)).difference == nil)
  }

  @Test func aReproductionSaysWhatCannotBePlayed() throws {
    let setup = try Setup.shipped("passcode")
    let asks = Event.request(.first, Request())
    let played = Reproduction([asks, .passcode(isRight: true), .settle], setup, .free)
    #expect(played.isComplete)
    #expect(played.lines.last?.contains("--script 'passcode:1234'") == true)
    let crash = Event.crash(kept: 0, isReboot: false)
    #expect(!Reproduction([asks, crash], setup, .free).isComplete)
  }
}
