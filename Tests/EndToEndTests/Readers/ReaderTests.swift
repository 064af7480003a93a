import Glibc
import LocalAuthJSON
import LocalAuthToken
import Testing

/// fprintd's readers as an authenticator, with the real fprintd and a virtual reader.
@Suite(.enabled(if: ReaderDevice.isPossible, "needs fprintd, dbus-daemon and python3-gi"))
struct ReaderTests {
  @Test func aFingerIsEnrolledInStagesAndMatches() throws {
    let device = try ReaderDevice()
    #expect(try device.status().biometry == "biometryNotEnrolled")
    try device.enroll()
    let evaluated = try device.evaluate(["one"])
    #expect(evaluated.outcome == "success")
    #expect(evaluated.result?["method"] == "fingerprint")
    #expect(evaluated.result?["simulated"] == true)
  }

  @Test func theAuditNamesTheReaderAndHowStrongItIs() throws {
    let device = try ReaderDevice()
    try device.enroll()
    #expect(try device.evaluate(["one"]).outcome == "success")
    let audit = try device.authctl(["audit"])
    #expect(audit.output.contains("authenticator reader (fingerprint, weak)"), "\(audit.output)")
  }

  @Test func anAssertionNamesTheReaderAndHowStrongItIs() throws {
    let device = try ReaderDevice()
    try device.enroll()
    let client = try device.daemon.connect()
    let asked: [String: JSONValue] = [
      "assertion": ["audience": "https://pay.example", "nonce": "0123456789abcdef"]
    ]
    _ = try client.beginEvaluation("biometrics", on: "demo", asked)
    try device.tell("scan one")
    let evaluated = try client.receiveResult()
    let token = evaluated.result?["assertion"]?.string ?? ""
    let claims = try AssertionClaims(json: SignedToken(token).claims)
    #expect(
      claims.authenticators == [
        ProvingAuthenticator(name: "reader", kind: "fingerprint", strength: "weak")
      ]
    )
  }

  @Test func aPolicyIsExplainedByWhatJudgesEachClause() throws {
    let device = try ReaderDevice()
    let before = try device.authctl(["policy", "explain", "work-laptop"])
    #expect(before.status == 0, "\(before.errors)")
    #expect(
      before.output.contains("a finger      reader    nothing of yours is enrolled"),
      "\(before.output)"
    )
    #expect(before.output.contains("a key         none      no manifest names one"))
    #expect(before.output.contains("the passcode  passcode  ready"))
    try device.enroll()
    let after = try device.authctl(["policy", "explain", "work-laptop"])
    #expect(after.output.contains("a finger      reader    ready"), "\(after.output)")
  }

  @Test func threeMissesLockAndThePasscodeClearsThem() throws {
    let device = try ReaderDevice()
    try device.enroll()
    let evaluated = try device.evaluate(["two", "three", "two"])
    #expect(evaluated.outcome == "biometryLockout")
    #expect(evaluated.attempts == 3)
    #expect(try device.status().biometry == "biometryLockout")
    try device.provePasscode()
    #expect(try device.evaluate(["one"]).outcome == "success")
  }

  @Test func aMissIsSaidAndTheReaderIsAskedAgain() throws {
    let device = try ReaderDevice()
    try device.enroll()
    let evaluated = try device.evaluate(["two", "one"])
    #expect(evaluated.outcome == "success")
    #expect(evaluated.misses == 1)
    #expect(try device.status().attemptsLeft == 3)
  }

  @Test func aScanThatCannotBeJudgedIsSaidAndCostsNothing() throws {
    let device = try ReaderDevice()
    try device.enroll()
    let client = try device.begin()
    try device.tell("retry 1")
    let reply = try client.receive()
    #expect(reply.notice?["kind"] == "retry", "\(reply)")
    try device.tell("scan one")
    #expect(try client.receiveResult().outcome == "success")
    #expect(try device.status().attemptsLeft == 3)
  }

  @Test func aCancelIsNoMiss() throws {
    let device = try ReaderDevice()
    try device.enroll()
    for _ in 0..<4 {
      let client = try device.begin()
      client.close()
      try device.tell("idle")
    }
    #expect(try device.status().attemptsLeft == 3)
    #expect(try device.evaluate(["one"]).outcome == "success")
  }

  @Test func aReaderThatIsOursAloneKeepsTheChargeOfACancel() throws {
    let device = try ReaderDevice(
      manifest: ", \"exclusive\": true",
      arguments: ["--exclusive"]
    )
    try device.enroll()
    let client = try device.begin()
    client.close()
    try device.tell("idle")
    #expect(try device.status().attemptsLeft == 2)
  }

  @Test func thePasscodeCanBeTypedWhileTheReaderWaits() throws {
    let device = try ReaderDevice()
    try device.enroll()
    let client = try device.daemon.connect()
    let prompt = try client.beginEvaluation("device-owner-parallel", on: "demo")
    try device.tell("needed")
    let nonce = prompt["nonce"]?.string ?? ""
    _ = try device.daemon.connect().respond(nonce, ["passcode": "2468"])
    let evaluated = try client.receiveResult()
    #expect(evaluated.outcome == "success")
    #expect(evaluated.result?["method"] == "passcode")
    try device.tell("idle")
    try device.tell("claim")
  }

  @Test func aReaderThatSomebodyElseHoldsIsNotAskedUntilItIsFree() throws {
    let device = try ReaderDevice()
    try device.enroll()
    try device.tell("claim")
    let client = try device.daemon.connect()
    let evaluated = try client.evaluate("biometrics", on: "demo")
    #expect(evaluated.outcome == "biometryNotAvailable")
    #expect("\(evaluated.result ?? [:])".contains("Somebody else uses"))
    try device.tell("release")
    try device.wait(for: "usable")
    #expect(try device.evaluate(["one"]).outcome == "success")
    #expect(try device.status().attemptsLeft == 3)
  }

  @Test func aClosedLidIsSaidAndNoFingerIsAsked() throws {
    let device = try ReaderDevice()
    try device.enroll()
    try device.tell("lid 1")
    try device.wait(for: "biometryNotAvailable")
    let evaluated = try device.daemon.connect().evaluate("biometrics", on: "demo")
    #expect("\(evaluated.result ?? [:])".contains("The lid is closed."))
    try device.tell("lid 0")
    try device.wait(for: "usable")
    #expect(try device.evaluate(["one"]).outcome == "success")
  }

  @Test func aSleepFreesTheReaderAndTheSamePromptGoesOnAfterwards() throws {
    let device = try ReaderDevice()
    try device.enroll()
    let before = try device.tell("inhibited")
    let client = try device.daemon.connect()
    _ = try client.beginEvaluation("device-owner-parallel", on: "demo")
    try device.tell("needed")
    try device.tell("sleep 1")
    try device.tell("idle")
    #expect(try device.status().biometry == "biometryNotAvailable")
    try device.tell("sleep 0")
    try device.tell("scan one")
    #expect(try client.receiveResult().outcome == "success")
    #expect(try device.tell("inhibited") == before)
  }

  @Test func aReaderThatIsUnpluggedProvesNothing() throws {
    let device = try ReaderDevice()
    try device.enroll()
    let client = try device.begin()
    try device.tell("virtual UNPLUG")
    let evaluated = try client.receiveResult()
    #expect(["biometryDisconnected", "biometryNotAvailable"].contains(evaluated.outcome))
    try device.tell("kill-reader-service")
    try device.tell("start-reader-service")
    try device.wait(for: "usable")
    #expect(try device.evaluate(["one"]).outcome == "success")
  }

  @Test func aReaderServiceThatIsKilledProvesNothingAndComesBack() throws {
    let device = try ReaderDevice()
    try device.enroll()
    let client = try device.begin()
    try device.tell("kill-reader-service")
    #expect(try client.receiveResult().outcome != "success")
    try device.tell("start-reader-service")
    try device.wait(for: "usable")
    #expect(try device.evaluate(["one"]).outcome == "success")
  }

  @Test func aBusThatIsGoneIsNoErrorAndThePasscodeIsAsked() throws {
    let device = try ReaderDevice()
    try device.enroll()
    try device.tell("kill-bus")
    try device.wait(for: "biometryDisconnected")
    let client = try device.daemon.connect()
    let evaluated = try client.evaluate("device-owner", on: "demo", script: "passcode:2468")
    #expect(evaluated.outcome == "success")
  }

  @Test func aBusThatIsGoneWhileTheReadersAreLookedUpIsUsedAgainWhenItIsBack() throws {
    let device = try ReaderDevice()
    try device.enroll()
    try device.tell("halt-reader-service")
    // The readers are looked up after a sleep, and nobody answers.
    try device.tell("sleep 1")
    try device.tell("sleep 0")
    try device.tell("kill-bus")
    try device.wait(for: "biometryDisconnected")
    try device.tell("start-bus")
    try device.wait(for: "usable")
    #expect(try device.evaluate(["one"]).outcome == "success")
  }

  @Test func anAttemptStaysChargedWhenTheDaemonIsKilled() throws {
    let device = try ReaderDevice()
    try device.enroll()
    let client = try device.begin()
    try device.crash()
    withExtendedLifetime(client) {}
    #expect(try device.status().attemptsLeft == 2)
  }

  @Test func aWorkerThatIsKilledProvesNothing() throws {
    let device = try ReaderDevice()
    try device.enroll()
    let client = try device.begin()
    for worker in try device.workers() { kill(worker, SIGKILL) }
    #expect(try client.receiveResult().outcome == "biometryDisconnected")
    try device.tell("idle")
    try device.wait(for: "usable")
    #expect(try device.evaluate(["one"]).outcome == "success")
  }

  @Test func aFingerThatSomebodyElseEnrolledNeedsThePasscodeFirst() throws {
    let device = try ReaderDevice()
    try device.enroll()
    try device.tell("enroll left-thumb other")
    try device.wait(for: "biometryLockout")
    let evaluated = try device.daemon.connect().evaluate("biometrics", on: "demo")
    #expect(evaluated.outcome == "biometryLockout")
    try device.provePasscode()
    #expect(try device.evaluate(["other"]).outcome == "success")
  }

  @Test func aFingerThatIsEnrolledAnewUnderItsNameIsNoticed() throws {
    let device = try ReaderDevice()
    try device.enroll()
    try device.tell("enroll right-index-finger other")
    try device.wait(for: "biometryLockout")
  }

  @Test func aFingerIsRemovedFromTheReader() throws {
    let device = try ReaderDevice()
    try device.enroll()
    try device.enroll("left-thumb", print: "two")
    let removed = try device.authctl(
      ["sensor", "remove", "left-thumb", "--passcode-stdin"],
      input: "2468\n"
    )
    #expect(removed.status == 0, "\(removed.errors)")
    #expect(try device.authctl(["sensor", "list"]).output == "right-index-finger\n")
    #expect(try device.evaluate(["two", "one"]).misses == 1)
  }

  @Test func whoMayNotUseTheReaderIsTold() throws {
    let device = try ReaderDevice()
    try device.tell("allow 0")
    let client = try device.daemon.connect()
    try client.send(
      "io.localauth.Sensor.Enroll",
      ["device": "demo", "finger": "right-index", "passcode": "2468"],
      more: true
    )
    _ = try client.receive()
    let reply = try client.receive()
    #expect(reply.errorName == "EnrollmentFailed", "\(reply)")
    #expect("\(reply.parameters)".contains("may not be used from here"))
  }

  @Test func aReaderThatMayNotBeUsedIsNotWaitedForAndIsAskedOnceItMay() throws {
    let device = try ReaderDevice()
    try device.enroll()
    try device.tell("allow 0")
    for _ in 0..<2 {
      let evaluated = try device.daemon.connect().evaluate("biometrics", on: "demo")
      #expect(["biometryDisconnected", "biometryNotAvailable"].contains(evaluated.outcome))
    }
    try device.tell("allow 1")
    #expect(try device.evaluate(["one"]).outcome == "success")
  }

  @Test func whoWaitsForWhatIsEnrolledHearsItAlsoWhereNothingChanged() throws {
    let device = try ReaderDevice()
    try device.enroll()
    try device.tell("halt-reader-service")
    let client = try device.daemon.connect()
    _ = try client.beginEvaluation("biometrics", on: "demo")
    let other = try device.daemon.connect()
    try other.send("io.localauth.Authenticators.List", [:])
    try device.tell("resume-reader-service")
    #expect(try other.receive().error == nil)
    try device.tell("scan one")
    #expect(try client.receiveResult().outcome == "success")
  }

  @Test func aReaderServiceThatIsKilledWhileItIsAskedWhatIsEnrolledComesBack() throws {
    let device = try ReaderDevice()
    try device.enroll()
    try device.tell("halt-reader-service")
    let client = try device.daemon.connect()
    _ = try client.beginEvaluation("biometrics", on: "demo")
    try device.tell("kill-reader-service")
    #expect(try client.receiveResult().outcome != "success")
    try device.tell("start-reader-service")
    try device.wait(for: "usable")
    #expect(try device.evaluate(["one"]).outcome == "success")
  }

  @Test func aWrongPasscodeEnrolsNothing() throws {
    let device = try ReaderDevice()
    let enrolled = try device.authctl(
      ["sensor", "enroll", "right-index", "--passcode-stdin"],
      input: "0000\n"
    )
    #expect(enrolled.status != 0)
    #expect(try device.status().biometry == "biometryNotEnrolled")
  }

  @Test(arguments: [("Virtual device for debugging", "ready"), ("Another", "unavailable")])
  func onlyTheReaderThatIsNamedIsUsed(_ name: String, _ state: String) throws {
    let device = try ReaderDevice(arguments: ["--reader", name])
    let list = try device.authctl(["--json", "authenticator", "list"])
    #expect(list.output.contains("\"\(state)\""), "\(list.output)")
  }

  @Test func aVirtualReaderIsNoRealOne() throws {
    let device = try ReaderDevice()
    let real = ReaderDevice.manifest(device.scratch.path, "", []).replacing(
      "\"--simulated\", ",
      with: ""
    )
    .replacing("\"simulated\": true", with: "\"simulated\": false")
    try device.scratch.write(real, to: "manifests/reader.json", mode: 0o644)
    #expect(try device.authctl(["daemon", "reload"]).status == 0)
    let list = try device.authctl(["--json", "authenticator", "list"])
    #expect(list.output.contains("unavailable"), "\(list.output)")
  }
}
