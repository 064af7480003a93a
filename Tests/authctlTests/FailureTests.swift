import Glibc
import LocalAuthClient
import LocalAuthCore
import LocalAuthFiles
import LocalAuthTerminal
import LocalAuthUnix
import LocalAuthWire
import Testing

@testable import authctl

@Suite struct FailureTests {
  private func failure(
    _ name: String,
    _ parameters: ServiceMessages.ErrorParameters = ServiceMessages.ErrorParameters()
  ) -> Failure {
    Failure(.remote(name: name, parameters), typed: "authctl")
  }

  @Test(arguments: [
    ("Authentication.PolicyNotFound", 78), ("Authentication.PolicyUnusable", 78),
    ("Authentication.DeviceNotFound", 78), ("Authentication.PromptNotFound", 70),
    ("Authentication.ScriptInvalid", 2), ("Authentication.NotPermitted", 77),
    ("Authentication.LimitReached", 8), ("Authentication.Internal", 70),
    ("Devices.DeviceExists", 78), ("Devices.InvalidArgument", 2), ("Devices.PasscodeRequired", 5),
    ("Devices.Refused", 70), ("Sensor.NoSimulatedSensor", 77), ("Sensor.NotArmed", 13),
    ("Sensor.EnrollmentFailed", 13), ("Policies.PolicyNotFound", 78), ("Devices.Later", 70),
  ])
  func everyErrorOfTheDaemonHasItsStatus(_ name: String, _ status: Int32) {
    #expect(failure("io.localauth." + name).outcome.exit == status)
  }

  @Test(arguments: [
    "org.varlink.service.MethodNotFound", "org.varlink.service.InvalidParameter",
    "com.example.NotPermitted", "NotPermitted", "",
  ])
  func errorThatIsNotOursIsInternal(_ name: String) {
    #expect(failure(name).outcome == .internalError)
  }

  @Test(arguments: OutcomeCode.allCases)
  func refusalHasTheStatusOfItsOutcomeAndNeverZero(_ outcome: OutcomeCode) {
    var parameters = ServiceMessages.ErrorParameters()
    parameters.outcome = outcome.rawValue
    parameters.retryAfterSeconds = 90
    for name in ["Devices.Refused", "Sync.SyncFailed"] {
      let refused = failure("io.localauth." + name, parameters)
      #expect(refused.outcome == (outcome == .success ? .internalError : outcome))
      #expect(refused.retryAfterSeconds == 90)
      #expect(refused.message.hasSuffix("Try again in 90s."))
    }
  }

  @Test func clientErrorsHaveTheirStatus() {
    #expect(Failure(.unreachable("x"), typed: "").outcome.exit == 69)
    #expect(Failure(.foreignServer(uid: 7, "x"), typed: "").outcome.exit == 69)
    #expect(Failure(.requestTooLong(limit: 1), typed: "").outcome.exit == 2)
    #expect(Failure(.protocolError("x"), typed: "").outcome.exit == 70)
  }

  @Test func secretsThatDoNotComeHaveTheirStatus() {
    #expect(Failure(SecretInputError.cancelled).outcome.exit == 3)
    #expect(Failure(SecretInputError.interrupted(.hangUp)).outcome.exit == 7)
    #expect(Failure(SecretInputError.entriesDiffer).outcome.exit == 2)
    #expect(Failure(SecretInputError.inputIsTerminal).outcome.exit == 2)
    #expect(Failure(SecretInputError.terminal(.noTerminal)).outcome.exit == 5)
    #expect(Failure(TerminalError.hungUp).outcome.exit == 7)
  }

  @Test func pathsThatCannotBeUsedHaveTheirStatus() {
    #expect(Failure(RuntimePathsError.emptyPath(option: "--home")).outcome.exit == 2)
    #expect(Failure(RuntimePathsError.noHomeDirectory).outcome.exit == 78)
  }

  @Test func adviceNamesTheSameDaemon() {
    var parameters = ServiceMessages.ErrorParameters()
    parameters.device = "sim"
    let error = ClientError.remote(name: "io.localauth.Devices.DeviceNotFound", parameters)
    let failure = Failure(error, typed: "authctl --home /h")
    #expect(failure.message.contains("authctl --home /h device list"))
  }

  /// What the command line says is right, so it is no usage error.
  @Test(arguments: [
    (ENOSPC, "the disk is full"), (EDQUOT, "the disk quota is used up"),
    (EFBIG, "the file would be too large"), (EIO, "the disk reports an error"),
  ])
  func fileThatTheDiskDoesNotTakeHasOneStatus(_ code: Int32, _ why: String) {
    let failure = Failure(writing: "h", SystemError("write", code: code), "g is unchanged.")
    #expect(failure.outcome == .internalError)
    #expect(failure.message == "h cannot be written: \(why). g is unchanged.")
    let file = FileFailure.file(.system(call: "pwrite", code: code))
    #expect(file.outcome == .internalError)
    #expect(
      Failure(replacing: "f", file).message
        == "f cannot be written: \(why). What was there is unchanged."
    )
    let reading = Failure(replacing: "f", .file(.system(call: "pread", code: code)))
    #expect(!reading.message.contains("written"))
    #expect(Failure(writing: "h", SystemError("open", code: EACCES)).outcome == .usage)
    let placed = Failure(replacing: "f", .notDurable(code: code))
    #expect(placed.outcome == .internalError)
    #expect(!placed.message.contains("unchanged"))
    #expect(placed.message.contains("It is in its place, and need not be after a power failure."))
  }

  @Test func theMachineItselfIsNotAdvisedToBeDeleted() {
    var parameters = ServiceMessages.ErrorParameters()
    parameters.device = "default"
    let taken = failure("io.localauth.Devices.DeviceExists", parameters)
    #expect(taken.outcome == .badConfiguration && !taken.message.contains("delete"))
    parameters.device = "sim"
    #expect(
      failure("io.localauth.Devices.DeviceExists", parameters).message.contains("delete sim")
    )
  }

  @Test func failureIsNeverReportedAsZero() {
    #expect(Failure(.success, "x").outcome == .internalError)
  }
}
