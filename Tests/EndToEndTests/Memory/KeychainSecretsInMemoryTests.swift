import Glibc
import LocalAuthJSON
import LocalAuthUnix
import Testing

/// What an item's secret, the passcode and an application password leave behind in the daemon and in
/// `authctl`, as they are and in the base64 in which data travels: nothing.
@Suite(
  .enabled(if: Machine.isRoot, "needs root, to read memory that is closed to everybody else"),
  .enabled(if: Machine.compiler != nil, "needs a C compiler")
)
struct KeychainSecretsInMemoryTests {
  private typealias Marker = ProcessMemory.Marker

  private let scratch = Scratch()
  private let daemon: DaemonProcess
  private let client: WireClient
  private let secret = Marker("secret of an item")
  private let other = Marker("another secret of an item")
  private let passcode = Marker("passcode of a device")
  private let password = Marker("application password")
  private var words: [String] {
    [Machine.authctl, "--home", daemon.home, "--device", "sim", "keychain"]
  }

  init() throws {
    daemon = try DaemonProcess(home: scratch.file("home"))
    client = try daemon.connect()
    try client.create("sim", passcode: passcode.text)
  }

  @Test func programHeldAtItsEndStillHasItsMemory() throws {
    let kept = Marker("account that authctl prints")
    let run = try HeldAtExit(
      words + ["add", "--account", kept.text, "--stdin"],
      input: secret.text + "\n"
    )
    // An argument lies on the stack to the end.
    #expect(try !ProcessMemory.places(of: kept, in: run.processID).isEmpty)
  }

  @Test(arguments: ["", "biometryAny", "devicePasscode", "applicationPassword"])
  func addingReadingAndLockingLeaveNothing(_ flags: String) throws {
    let control = flags.isEmpty ? [] : ["--access-control", flags]
    let given = flags == "applicationPassword" ? ["--application-password-fd", "3"] : []
    let added = try HeldAtExit(
      words + ["add", "--account", "ann", "--stdin"] + control + given,
      input: secret.text + "\n",
      password: password.text + "\n"
    )
    #expect(added.errorText.contains("was added"), "\(added.errorText)")
    try expectNothing(in: added)
    let proof =
      switch flags {
      case "biometryAny": ["--script", "match"]
      default: given + ["--passcode-fd", "0"]
      }
    let got = try HeldAtExit(
      words + ["get", "--account", "ann"] + proof,
      input: passcode.text + "\n",
      password: password.text + "\n"
    )
    #expect(got.text == secret.text, "\(got.errorText)")
    try expectNothing(in: got)
    // The client that is read through stays, so that its connection's memory does too.
    try client.administer("Lock", "sim")
    try client.administer("AdvanceClock", "sim", ["milliseconds": 11_000])
    try expectNothing(in: daemon.processID)
    try client.administer("Unlock", "sim", ["passcode": .text(passcode.text)])
    try expectNothing(in: daemon.processID)
  }

  @Test func answerInJSONLeavesNothing() throws {
    _ = try HeldAtExit(words + ["add", "--account", "ann", "--stdin"], input: secret.text + "\n")
    var command = words
    command.insert("--json", at: 1)
    let got = try HeldAtExit(command + ["get", "--account", "ann"], input: "")
    #expect(got.text.contains(secret.inBase64.text))
    try expectNothing(in: got)
  }

  @Test func changingAndDeletingLeaveNothing() throws {
    _ = try HeldAtExit(words + ["add", "--account", "ann", "--stdin"], input: secret.text + "\n")
    let changed = try HeldAtExit(
      words + ["update", "--account", "ann", "--stdin"],
      input: other.text + "\n"
    )
    try expectNothing(in: changed)
    let renamed = try HeldAtExit(
      words + ["update", "--account", "ann", "--set-account", "bob"],
      input: ""
    )
    try expectNothing(in: renamed)
    let got = try HeldAtExit(words + ["get", "--account", "bob"], input: "")
    #expect(got.text == other.text, "\(got.errorText)")
    try expectNothing(in: got)
    try expectNothing(in: HeldAtExit(words + ["delete", "--account", "bob"], input: ""))
  }

  @Test func callsThatFailLeaveNothing() throws {
    let data: JSONValue = .text(secret.inBase64.text)
    let calls: [(String, JSONValue)] = [
      ("Add", ["query": ["class": "genp", "acct": "ann"], "data": data, "device": "nobody"]),
      ("Add", ["query": ["class": "genp", "acct": 7], "data": data, "device": "sim"]),
      ("Add", ["query": ["class": "none"], "data": data, "device": "sim", "frobnicate": true]),
      ("Add", ["data": data, "query": 7]),
      ("Add", ["query": ["class": "genp"], "data": .text(secret.inBase64.text + "=x")]),
      ("Update", ["query": ["class": "genp"], "changes": [:], "data": data, "device": "sim"]),
      (
        "Copy",
        [
          "query": ["class": "genp"], "device": "sim", "after": "x",
          "applicationPassword": .text(password.text), "script": .text("passcode:\(passcode.text)"),
        ]
      ),
    ]
    for (method, parameters) in calls {
      let reply = try client.call(Interface.keychain + method, parameters)
      let outcome = reply.parameters["answer"]?["outcome"]?.string
      #expect(reply.error != nil || outcome != "success", "\(method) \(parameters)")
    }
    try expectNothing(in: daemon.processID)
  }

  @Test func callsLeftAtAPromptLeaveNothing() throws {
    for _ in 0..<4 {
      let gone = try daemon.connect()
      try gone.beginAdding(data: .text(secret.inBase64.text), on: "sim")
      #expect(try gone.receive().continues)
      gone.close()
    }
    #expect(try client.item("Copy", on: "sim", ["class": "genp"]).outcome == "itemNotFound")
    try expectNothing(in: daemon.processID)
  }

  @Test func answerThatNobodyTakesLeavesNothing() throws {
    _ = try HeldAtExit(words + ["add", "--account", "ann", "--stdin"], input: secret.text + "\n")
    for _ in 0..<20 {
      let gone = try daemon.connect()
      try gone.send(
        Interface.keychain + "Copy",
        ["query": ["class": "genp", "acct": "ann", "r_Data": true], "device": "sim"]
      )
      gone.close()
    }
    try expectNothing(in: daemon.processID)
  }

  // MARK: Parts

  private func expectNothing(
    in held: HeldAtExit,
    at location: SourceLocation = #_sourceLocation
  ) throws {
    try expectNothing(in: held.processID, "authctl", at: location)
    try expectNothing(in: daemon.processID, at: location)
  }

  /// A thread may still be wiping when its answer is here, so that a find is looked at again.
  private func expectNothing(
    in process: Int32,
    _ name: String = "localauthd",
    at location: SourceLocation = #_sourceLocation
  ) throws {
    for marker in [secret, other, passcode, password] {
      for form in [marker, marker.inBase64] {
        var places: [String] = []
        for _ in 0..<20 {
          places = try ProcessMemory.places(of: form, in: process)
          if places.isEmpty { break }
        }
        let isPlain = form.text == marker.text
        #expect(
          places.isEmpty,
          "SEED=\(Settings.seed) \(name) \(isPlain ? "plain" : "base64"): \(places)",
          sourceLocation: location
        )
      }
    }
  }
}
