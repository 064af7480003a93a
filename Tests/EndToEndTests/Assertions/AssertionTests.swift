import LocalAuthJSON
import LocalAuthToken
import LocalAuthUnix
import LocalAuthVerifier
import Testing

/// An assertion on its way from the command line to whoever verifies it.
@Suite struct AssertionTests {
  private static let script =
    #filePath.split(separator: "/").dropLast(2).reduce("") { $0 + "/" + $1 }
    + "/verify-assertion.py"
  /// Debian's, which is where its python3-jwt is.
  private static let python = "/usr/bin/python3"
  private static let hasPyJWT =
    (try? RunningProgram.run(python, ["-c", "import jwt, cryptography"]))?.status == 0

  private let scratch = Scratch()
  private let daemon: DaemonProcess
  private static let audience = "https://pay.example"
  private static let nonce = "n-0S6_WzA2Mj"
  private static let action = "pay 10 to ann"

  init() throws {
    daemon = try DaemonProcess(home: scratch.file("home"))
    try daemon.connect().create("sim", passcode: "1234")
  }

  private func run(_ words: [String]) throws -> RunningProgram.Report {
    try Authctl.run(["--home", daemon.home] + words)
  }

  private func evaluate(
    _ policy: [String] = ["--policy", "biometrics"],
    script: String = "match",
    more: [String] = ["--audience", audience, "--nonce", nonce],
    assertion: [String] = ["--assertion"]
  ) throws -> RunningProgram.Report {
    try run(
      ["--device", "sim", "evaluate"] + policy + [
        "--reason", "pay", "--action", Self.action, "--script", script,
      ] + assertion + more
    )
  }

  private func token(_ script: String = "match", _ policy: String = "biometrics") throws -> String {
    let report = try evaluate(["--policy", policy], script: script)
    #expect(report.status == 0, "\(report.errors)")
    return String(report.output.dropLast())
  }

  private func keys(_ words: [String] = ["--simulated"]) throws -> (issuer: String, text: String) {
    let report = try run(["jwks"] + words)
    #expect(report.status == 0, "\(report.errors)")
    return (try report.json["issuer"]?.string ?? "", report.output)
  }

  private var expectation: AssertionVerifier.Expectation {
    var expected = AssertionVerifier.Expectation(
      audience: Self.audience,
      nonce: Self.nonce,
      action: Self.action
    )
    expected.allowsSimulated = true
    return expected
  }

  private func verifier(_ words: [String] = ["--simulated"]) throws -> AssertionVerifier {
    let (issuer, text) = try keys(words)
    return AssertionVerifier([.init(name: issuer, keys: try JSONWebKeySet(json: text))])
  }

  @Test func successIsSignedForTheAudienceAndVerifiedOnce() throws {
    let token = try token()
    let verifier = try verifier()
    let claims = try verifier.verify(token, expectation)
    #expect(claims.acr == "urn:localauth:acr:biometrics")
    #expect(claims.amr == ["fpt"])
    #expect(claims.isSimulated)
    #expect(throws: AssertionError.replayed) { try verifier.verify(token, expectation) }
    var strict = expectation
    strict.allowsSimulated = false
    let another = try self.token()
    #expect(throws: AssertionError.simulated) { try verifier.verify(another, strict) }
  }

  @Test func amrSaysEveryFactor() throws {
    let verifier = try verifier()
    let pin = try token("passcode:1234", "passcode")
    #expect(try verifier.verify(pin, expectation).amr == ["pin"])
    let both = try token("match,passcode:1234", "biometrics-and-passcode")
    #expect(try verifier.verify(both, expectation).amr == ["fpt", "pin", "mfa"])
  }

  @Test func realIssuerVouchesForNoSimulatedDevice() throws {
    let (real, simulated) = (try keys([]), try keys())
    #expect(real.issuer.hasPrefix("urn:localauth:user:"))
    #expect(simulated.issuer.hasPrefix("urn:localauth:simulated:"))
    #expect(real.text != simulated.text)
    let token = try token()
    let verifier = try verifier([])
    #expect(throws: AssertionError.unknownKey) { try verifier.verify(token, expectation) }
  }

  @Test func nothingButASuccessIsSigned() throws {
    for script in ["miss,cancel", "cancel", "error:general", "fallback"] {
      let report = try evaluate(script: script)
      #expect(report.status != 0)
      #expect(report.output.isEmpty, "\(script): \(report.output)")
    }
    let json = try Authctl.run(
      [
        "--home", daemon.home, "--json", "--device", "sim", "evaluate", "--policy", "biometrics",
        "--reason", "r", "--non-interactive", "--assertion", "--audience", "a", "--nonce", "n",
      ]
    )
    #expect(json.status == 5)
    #expect(try json.json["assertion"]?.content == .null)
  }

  @Test func nothingIsSignedForNobody() throws {
    for more in [[], ["--audience", "a"], ["--nonce", "n"]] {
      #expect(try evaluate(more: more).status == 2, "\(more)")
    }
    #expect(try evaluate(assertion: []).status == 2, "an audience without an assertion")
    let long = String(repeating: "x", count: 257)
    #expect(try evaluate(more: ["--audience", long, "--nonce", "n"]).status == 2)
    #expect(try evaluate(more: ["--audience", "a b", "--nonce", "n"]).status == 2)
    let plain = try run([
      "--device", "sim", "evaluate", "--policy", "biometrics", "--reason", "r", "--script", "match",
    ])
    #expect(plain.status == 0 && plain.output.isEmpty)
  }

  @Test func challengeChoosesWhatTheServicePrefers() throws {
    let error = "Bearer error=\"insufficient_user_authentication\""
    let worth = "\(error), acr_values=\"urn:other urn:localauth:acr:passcode\", max_age=\"10\""
    let report = try evaluate(["--challenge", worth], script: "passcode:1234")
    #expect(report.status == 0, "\(report.errors)")
    var expected = expectation
    expected.acrValues = ["urn:localauth:acr:passcode"]
    expected.maxAge = 10
    _ = try verifier().verify(String(report.output.dropLast()), expected)
    let listed = "Basic realm=\"a, Bearer b\", \(worth), Negotiate"
    let picked = try evaluate(["--challenge", listed], script: "passcode:1234")
    #expect(picked.status == 0, "\(picked.errors)")
    let unmet = try evaluate(["--challenge", "\(error), acr_values=\"urn:other\""])
    #expect(unmet.status == 78)
    #expect(unmet.errors.contains("urn:other"))
    let conflict = ["--policy", "biometrics", "--challenge", worth]
    #expect(try evaluate(conflict).status == 78)
    for (wrong, why) in [
      ("Basic realm=x", "no challenge of the scheme Bearer"),
      ("\(worth), \(worth)", "More than one"),
      ("\(worth), @", "no challenge of HTTP"), ("Basic a, Bearer realm=x", "has no error"),
    ] {
      let report = try evaluate(["--challenge", wrong])
      #expect(report.status == 2 && report.errors.contains(why), "\(report.errors)")
      #expect(report.errors.count { $0 == "\n" } == 1, "\(report.errors)")
    }
    #expect(try evaluate([]).status == 2, "neither policy nor challenge")
  }

  @Test func replacedKeyCountsForWhatItSignedAndSignsNoMore() throws {
    let before = try token()
    _ = try keys(["--simulated", "rotate"])
    let after = try token()
    #expect(try SignedToken(before).keyIdentifier != SignedToken(after).keyIdentifier)
    let verifier = try verifier()
    _ = try verifier.verify(before, expectation)
    _ = try verifier.verify(after, expectation)
  }

  @Test func keysOutliveTheDaemon() throws {
    let before = try keys()
    _ = try daemon.program.end()
    let again = try DaemonProcess(home: daemon.home)
    let report = try Authctl.run(["--home", again.home, "jwks", "--simulated"])
    #expect(report.output == before.text)
  }

  @Test func noClientCanNameTheKeychainOfTheKeys() throws {
    _ = try keys()
    let client = try daemon.connect()
    for name in ["localauth.issuer", "localauth.simulated-issuer"] {
      let status = try run(["--device", name, "status"])
      #expect(status.status == 78, "\(status.output)")
      #expect(try run(["device", "erase", name]).status != 0)
      #expect(try run(["device", "create", name]).status == 2)
    }
    let list = try run(["device", "list"])
    #expect(!list.output.contains("issuer"), "\(list.output)")
    client.close()
  }

  @Test(.enabled(if: hasPyJWT, "needs Debian's python3-jwt, which .ci/setup installs"))
  func pyJWTVerifiesIt() throws {
    let (issuer, text) = try keys()
    let token = try token()
    let good = [issuer, token, Self.audience, Self.nonce, Self.action, "simulated"]
    func verify(_ words: [String]) throws -> RunningProgram.Report {
      try RunningProgram.run(Self.python, [Self.script, text] + words)
    }
    let report = try verify(good)
    #expect(report.status == 0, "\(report.errors)")
    #expect(report.output == "urn:localauth:acr:biometrics fpt\n")
    var changed = Array(token.utf8)
    changed[token.utf8.count / 2] ^= 1
    for (place, word, why) in [
      (0, "urn:localauth:user:0", "InvalidIssuerError"), (2, "other", "InvalidAudienceError"),
      (3, "other", "nonce"), (4, "pay 11 to ann", "action"), (5, "real", "simulated"),
    ] {
      var words = good
      words[place] = word
      let report = try verify(words)
      #expect(report.status == 1)
      #expect(report.errors.contains(why), "\(report.errors)")
    }
    var words = good
    words[1] = String(decoding: changed, as: UTF8.self)
    #expect(try verify(words).status != 0)
    let real = try keys([])
    #expect(
      try RunningProgram.run(Self.python, [Self.script, real.text] + good).errors
        .contains("unknown key")
    )
  }

  @Test func keysAreThoseOfTheIssuerThatSignsForTheDevice() throws {
    let simulated = try run(["jwks", "--simulated"]).output
    #expect(try run(["--device", "sim", "jwks"]).output == simulated)
    #expect(try run(["jwks"]).output != simulated)
    #expect(try run(["--device", "default", "jwks"]).output != simulated)
    let chosen = try Authctl.run(
      ["--home", daemon.home, "jwks"],
      environment: ["LOCALAUTH_DEVICE=sim"]
    )
    #expect(chosen.output != simulated)
  }
}
