import Glibc
import LocalAuthUnix
import Testing

/// What a program of PAM hears of what the service answers, as pam_localauth(8) says.
@Suite(
  .enabled(if: PAMModule.canRun, "needs root, useradd, make, pamtester and a reachable build")
)
struct PAMAnswerTests {
  private static let failed = "Authentication failure"
  private static let unavailable = "Authentication service cannot retrieve authentication info"
  private static let results = [
    ("authenticationFailed", failed), ("userCancel", failed), ("timeout", failed),
    ("busy", failed), ("biometryLockout", failed), ("simulatedNotAllowed", failed),
    ("passcodeThrottled", "Have exhausted maximum number of retries for service"),
    ("internalError", "System error"), ("passcodeNotSet", unavailable),
    ("biometryNotEnrolled", unavailable), ("badConfiguration", unavailable),
    // Whoever is elsewhere, or takes the reader away, is refused, and the next module is not asked.
    ("biometryNotAvailable", failed), ("biometryDisconnected", failed), ("sensorError", failed),
  ]
  private let scratch = Scratch()

  /// What pamtester(1) says where the service answers so, or answers and closes whatever it is asked.
  private func said(
    _ module: PAMModule,
    _ listener: LocalSocket,
    _ answer: String,
    isAsked: Bool = true
  ) throws -> String {
    let name = try module.service(with: "policy=passcode")
    let server = try SystemThread(name: "service") {
      let peer = accept(listener.descriptor, nil, nil)
      var bytes = [UInt8](repeating: 0, count: 4096)
      // SAFETY: the array has as many bytes.
      if isAsked { _ = unsafe recv(peer, &bytes, bytes.count, 0) }
      bytes = Array(answer.utf8) + [0]
      _ = unsafe send(peer, &bytes, bytes.count, Int32(MSG_NOSIGNAL))
      close(peer)
    }
    let report = try RunningProgram.run("/usr/bin/pamtester", [name, "root", "authenticate"])
    server.join()
    #expect(report.status != 0)
    return report.output + report.errors
  }

  @Test func everyRefusalHasItsCode() throws {
    let listener = try LocalSocket(scratch.file("socket"), SOCK_STREAM)
    listener.listen()
    let module = try PAMModule(asking: scratch.file("socket"))
    for (outcome, words) in Self.results {
      let answer = #"{"parameters":{"result":{"outcome":"\#(outcome)","simulated":false}}}"#
      let heard = try said(module, listener, answer)
      #expect(heard.contains(words), "\(outcome): \(heard)")
    }
    let busy = #"{"error":"io.localauth.Authentication.LimitReached","parameters":{}}"#
    #expect(try said(module, listener, busy).contains(Self.failed))
  }

  /// The next module would take guesses from whoever makes the service slow or takes its connections.
  @Test func whoReachedTheServiceIsRefusedHoweverItFails() throws {
    let listener = try LocalSocket(scratch.file("socket"), SOCK_STREAM)
    listener.listen()
    let module = try PAMModule(asking: scratch.file("socket"))
    for answer in [
      "", "nonsense", "{}", #"{"parameters":{"prompt":{}},"continues":false}"#,
      #"{"parameters":{"prompt":{"passcodePrompt":"Passcode: "}},"continues":true}"#,
    ] {
      let heard = try said(module, listener, answer)
      #expect(heard.contains(Self.failed), "\(answer): \(heard)")
      #expect(heard.contains("The authentication service does not answer. Try again."))
    }
  }

  /// What it says that is no reason to leave it out is none.
  @Test func onlyAnErrorThatSaysThatNothingCanBeJudgedLetsAnotherModuleAsk() throws {
    let listener = try LocalSocket(scratch.file("socket"), SOCK_STREAM)
    listener.listen()
    let module = try PAMModule(asking: scratch.file("socket"))
    let ours = "io.localauth.Authentication."
    let long = String(repeating: "x", count: 500)
    for error in [
      "5", "null", "{}", #""""#, #""\#(long)""#, #""\#(ours)Internal""#, #""\#(ours)Refused""#,
      #""\#(ours)DeviceNotFoundAtAll""#, #""DeviceNotFound""#,
    ] {
      let heard = try said(module, listener, #"{"error":\#(error),"parameters":{}}"#)
      #expect(heard.contains(Self.failed), "\(error): \(heard)")
    }
    for error in ["PolicyNotFound", "PolicyUnusable", "DeviceNotFound", "NotPermitted"] {
      let heard = try said(module, listener, #"{"error":"\#(ours)\#(error)","parameters":{}}"#)
      #expect(heard.contains(Self.unavailable), "\(error): \(heard)")
    }
  }

  /// Its word may be there before the question is.
  @Test func whoIsTurnedAwayAtTheDoorIsRefused() throws {
    let listener = try LocalSocket(scratch.file("socket"), SOCK_STREAM)
    listener.listen()
    let module = try PAMModule(asking: scratch.file("socket"))
    let busy = #"{"error":"io.localauth.Authentication.LimitReached","parameters":{}}"#
    for _ in 0..<20 {
      #expect(try said(module, listener, busy, isAsked: false).contains(Self.failed))
    }
  }

  @Test func whoeverIsTurnedAwayIsToldWhy() throws {
    let listener = try LocalSocket(scratch.file("socket"), SOCK_STREAM)
    listener.listen()
    let module = try PAMModule(asking: scratch.file("socket"))
    for outcome in ["busy", "systemCancel"] {
      let result = #"{"outcome":"\#(outcome)","simulated":false,"message":"Others wait."}"#
      let heard = try said(module, listener, #"{"parameters":{"result":\#(result)}}"#)
      #expect(heard.contains("Others wait.") && heard.contains(Self.failed), "\(heard)")
    }
  }

  @Test func answerThatIsNotTakenIsARefusalThatSaysSo() throws {
    let listener = try LocalSocket(scratch.file("socket"), SOCK_STREAM)
    listener.listen()
    let module = try PAMModule(asking: scratch.file("socket"))
    let name = try module.service(with: "policy=passcode timeout=600")
    for (error, words) in [
      (#"InvalidArgument","parameters":{"message":"Too long."}"#, "Too long."),
      (#"LimitReached","parameters":{}"#, "does not take the answer. Try again."),
    ] {
      let server = try SystemThread(name: "service") {
        let asking = Self.connection(
          at: listener,
          answeredWith:
            #"{"parameters":{"prompt":{"passcodePrompt":"Passcode: ","nonce":"n"}},"continues":true}"#
        )
        let answering = Self.connection(
          at: listener,
          answeredWith: #"{"error":"io.localauth.Authentication.\#(error)}"#
        )
        // The evaluation's connection stays open until the module closes it.
        var byte: UInt8 = 0
        // SAFETY: one byte is read into one.
        _ = unsafe recv(asking, &byte, 1, 0)
        close(asking)
        close(answering)
      }
      let report = try RunningProgram.run(
        "/usr/bin/pamtester",
        [name, "root", "authenticate"],
        input: "1234\n"
      )
      server.join()
      let heard = report.output + report.errors
      #expect(report.status != 0 && heard.contains(words), "\(heard)")
      #expect(heard.contains(Self.failed), "\(heard)")
    }
  }

  /// A connection whose call was read and answered so.
  private static func connection(at listener: LocalSocket, answeredWith answer: String) -> Int32 {
    let peer = accept(listener.descriptor, nil, nil)
    var bytes = [UInt8](repeating: 0, count: 4096)
    // SAFETY: the array has as many bytes.
    _ = unsafe recv(peer, &bytes, bytes.count, 0)
    bytes = Array(answer.utf8) + [0]
    _ = unsafe send(peer, &bytes, bytes.count, Int32(MSG_NOSIGNAL))
    return peer
  }

  @Test func whatCannotBeAskedHasItsCode() throws {
    let module = try PAMModule(asking: scratch.file("nobody"))
    for (arguments, user, words) in [
      ("policy=passcode", "root", Self.unavailable),
      ("polcy=passcode", "root", "Error in service module"),
      ("policy=passcode", "la-test-nobody-at-all", "User not known"),
    ] {
      let name = try module.service(with: arguments)
      let report = try RunningProgram.run("/usr/bin/pamtester", [name, user, "authenticate"])
      #expect(report.status != 0 && (report.output + report.errors).contains(words), "\(report)")
    }
  }
}
