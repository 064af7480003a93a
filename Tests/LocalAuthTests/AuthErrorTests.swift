import LocalAuth
import LocalAuthClient
import LocalAuthCore
import LocalAuthWire
import Testing

@Suite
struct AuthErrorTests {
  @Test(arguments: OutcomeCode.allCases)
  func everyRowButSuccessIsAnError(_ code: OutcomeCode) {
    let error = AuthError(code, message: "m", retryAfter: .seconds(3))
    guard code != .success else {
      #expect(error == nil)
      return
    }
    // Left-over events are a matter of scripts, which the API has none of, and no evaluation ends
    // as a keychain call does.
    let others: [OutcomeCode: OutcomeCode] = [
      .scriptEventsLeftOver: .usage, .itemNotFound: .internalError,
      .duplicateItem: .internalError, .itemLocked: .internalError,
      .accessGroupNotAllowed: .internalError, .keychainError: .internalError,
    ]
    #expect(error?.outcome == others[code] ?? code)
    if others[code] == nil { #expect(error?.laErrorCode == code.laError) }
    #expect(error?.message.isEmpty == false)
  }

  @Test func codesAreApples() {
    #expect(AuthError.authenticationFailed.laErrorCode == -1)
    #expect(AuthError.userCancel.laErrorCode == -2)
    #expect(AuthError.userFallback.laErrorCode == -3)
    #expect(AuthError.systemCancel.laErrorCode == -4)
    #expect(AuthError.passcodeNotSet.laErrorCode == -5)
    #expect(AuthError.biometryNotAvailable.laErrorCode == -6)
    #expect(AuthError.biometryNotEnrolled.laErrorCode == -7)
    #expect(AuthError.biometryLockout(retryAfter: nil).laErrorCode == -8)
    #expect(AuthError.appCancel.laErrorCode == -9)
    #expect(AuthError.invalidContext.laErrorCode == -10)
    #expect(AuthError.biometryDisconnected.laErrorCode == -13)
    #expect(AuthError.notInteractive.laErrorCode == -1004)
    #expect(AuthError.unreachable("x").laErrorCode == nil)
  }

  @Test(arguments: ["Devices.Refused", "Sync.SyncFailed"])
  func whatTheServiceRefusedIsTheErrorOfItsOutcome(_ name: String) {
    var parameters = ServiceMessages.ErrorParameters()
    parameters.outcome = OutcomeCode.unreachable.rawValue
    parameters.message = "The hub is away."
    let refused = AuthError(.remote(name: "io.localauth." + name, parameters))
    #expect(refused == .unreachable("The hub is away."))
    parameters.outcome = nil
    let nameless = AuthError(.remote(name: "io.localauth." + name, parameters))
    #expect(nameless.outcome == .internalError)
  }

  @Test func onlyLocksKnowWhenToTryAgain() {
    #expect(AuthError.biometryLockout(retryAfter: .seconds(30)).retryAfter == .seconds(30))
    #expect(AuthError.passcodeThrottled(retryAfter: .seconds(60)).retryAfter == .seconds(60))
    #expect(AuthError.timeout.retryAfter == nil)
    #expect(AuthError.sensorError("sensor: general").retryAfter == nil)
  }

  @Test func wordsOfTheServiceAreKept() {
    #expect("\(AuthError.sensorError("sensor: general"))" == "sensor: general")
    #expect(AuthError.notPermitted("").message == OutcomeCode.notPermitted.sentence)
    #expect(AuthError.userCancel.message == OutcomeCode.userCancel.sentence)
  }
}
