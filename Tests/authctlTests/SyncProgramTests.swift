import LocalAuthTestSupport
import Synchronization
import Testing

/// What people are told of the devices of a circle, against a daemon that says what a test wants.
@Suite struct SyncProgramTests {
  /// The reply to `Status` and `Synchronize`.
  static func status(
    _ stage: String,
    peers: [(name: String, isThisDevice: Bool)] = [],
    more: String = ""
  ) -> String {
    let peers = peers.map { peer in
      """
      {"id":"0123456789abcdef0123456789abcdef","name":"\(peer.name)","words":["one"],"kind":"device",\
      "isThisDevice":\(peer.isThisDevice)}
      """
    }
    return """
      {"parameters":{"stage":"\(stage)","hub":{"host":"/run/hub","database":"localauth"},"circle":"",\
      "head":0,"words":[],"peers":[\(peers.joined(separator: ","))],"zones":[],"isInviting":false\(more)}}
      """
  }

  static let pair = [(name: "laptop", isThisDevice: false), (name: "phone", isThisDevice: true)]

  /// Runs `sync` with these words, where `replies` are the replies to methods.
  static func run(
    _ words: [String],
    input: String = "",
    _ replies: [String: String]
  ) throws -> ProgramRun {
    try withFakeDaemon { daemon, request in
      let reply = replies.first { request.text.contains("Sync.\($0.key)\"") }?.value
      daemon.reply(reply ?? #"{"parameters":{}}"#, to: request)
    } _: { daemon in
      try ProgramRun(
        ["--socket", daemon.path, "--device", "sim", "sync"] + words,
        input: input
      )
    }
  }

  private static let join = ["join", "/run/hub", "--name", "phone", "--code-stdin"]
  private static let words = #"{"parameters":{"words":["one","two"]}}"#

  private func join(_ status: String) throws -> ProgramRun {
    try Self.run(
      Self.join,
      input: "code",
      ["Join": Self.words, "Status": Self.status("joining"), "Synchronize": status]
    )
  }

  /// The daemon would try again for ever.
  @Test(arguments: ["found", "join", "recover"])
  func authorityWithoutACertificateIsRefusedAtOnce(_ verb: String) throws {
    let scratch = Scratch()
    let key = "-----BEGIN PRIVATE KEY-----\nMC4=\n-----END PRIVATE KEY-----\n"
    let begun = "-----BEGIN CERTIFICATE-----\nMIIB\n"
    for text in ["", "no certificate\n", key, begun] {
      let file = scratch.write(text, to: "ca.pem")
      let run = try Self.run([verb, "hub.example", "--ca", file, "--name", "phone"], [:])
      #expect(run.status == 2, "\(run)")
      #expect(run.error.contains("\(file) has no certificate"), "\(run)")
    }
    let missing = try Self.run([verb, "hub.example", "--ca", "\(scratch.path)/none.pem"], [:])
    #expect(missing.status == 2 && missing.error.contains("cannot be read"), "\(missing)")
  }

  /// It would be looked up as a name, and tried again for ever.
  @Test(arguments: [
    ("hub.example:5433", "hub.example --port 5433"), ("postgresql://hub.example", "is no host"),
    ("host=hub.example", "is no host"), ("one.example,two.example", "is no host"),
    ("run/postgresql", "from the first '/' on"), ("me@hub.example", "is no host"),
  ])
  func whatIsMoreThanAHostIsRefusedAtOnce(_ host: String, _ why: String) throws {
    for verb in ["found", "join", "recover"] {
      let run = try Self.run([verb, host, "--code-stdin"], input: "code", [:])
      #expect(run.status == 2 && run.error.contains(why), "\(run)")
    }
  }

  @Test func addressesOfTheSixthVersionAreHosts() throws {
    let run = try Self.run(["join", "2001:db8::1", "--code-stdin"], input: "code", [:])
    #expect(run.status == 2 && run.error.contains("Give --ca FILE"), "\(run)")
  }

  @Test func aSocketTakesNoAuthority() throws {
    let run = try Self.run(["join", "/run/hub", "--ca", "hub.pem", "--code-stdin"], [:])
    #expect(run.status == 2 && run.error.contains("leave --ca out"), "\(run)")
  }

  // MARK: The proof

  private static func line(of verb: String) -> [String] {
    [verb, "/run/hub", "--name", "phone", "--code-stdin"]
  }

  /// The call by which a verb begins, with these options and this input.
  private static func call(_ verb: String, _ more: [String], _ input: String) throws -> String {
    let calls = Mutex<[String]>([])
    let status = status("member", peers: pair)
    _ = try withFakeDaemon { daemon, request in
      calls.withLock { $0.append(request.text) }
      let isAboutStatus = ["Status", "Synchronize"].contains {
        request.text.contains("Sync.\($0)\"")
      }
      daemon.reply(isAboutStatus ? status : words, to: request)
    } _: { daemon in
      try ProgramRun(
        ["--socket", daemon.path, "--device", "sim", "sync"] + line(of: verb) + more,
        input: input
      )
    }
    let method = verb.prefix(1).uppercased() + verb.dropFirst()
    return try #require(calls.withLock { $0 }.first { $0.contains("Sync.\(method)\"") })
  }

  /// What is given on one input is the code, and the passcode behind it.
  @Test(arguments: ["found", "join", "recover"])
  func theCodeAndThePasscodeAreTwoLines(_ verb: String) throws {
    let call = try Self.call(verb, ["--passcode-stdin"], "of the hub\n1234\n")
    #expect(call.contains(#""code":"of the hub""#), "\(call)")
    #expect(call.contains(#""passcode":"1234""#), "\(call)")
  }

  @Test(arguments: ["found", "join", "recover"])
  func aPolicyGoesWithTheCallAndWithoutAPasscode(_ verb: String) throws {
    let call = try Self.call(verb, ["--policy", "biometrics", "--timeout", "7s"], "code\n")
    #expect(call.contains(#""policy":"biometrics""#), "\(call)")
    #expect(call.contains(#""timeoutMilliseconds":7000"#) && !call.contains("passcode"), "\(call)")
    let both = try Self.run(
      Self.line(of: verb) + ["--policy", "biometrics", "--passcode-stdin"],
      input: "code\n1234\n",
      [:]
    )
    #expect(both.status == 2, "\(both)")
  }

  private static let pem = "of mine\n-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n"

  @Test(arguments: ["found", "join", "recover"])
  func certificateOfTheDeviceIsGivenWithItsKeyAndNotToASocket(_ verb: String) throws {
    let scratch = Scratch()
    let file = scratch.write(Self.pem, to: "a.pem")
    let network = [verb, "hub.example", "--ca", file]
    for (words, error) in [
      (network + ["--certificate", file], "or neither of them"),
      (network + ["--certificate-key", file], "or neither of them"),
      (
        network + ["--certificate", scratch.write("", to: "b.pem"), "--certificate-key", file],
        "b.pem has no certificate: give that of this device"
      ),
      (
        [verb, "/run/hub", "--certificate", file, "--certificate-key", file],
        "behind a socket wants no --certificate"
      ),
    ] {
      let run = try Self.run(words + ["--name", "phone"], [:])
      #expect(run.status == 2 && run.error.contains(error), "\(run)")
    }
  }

  @Test func authorityWithACertificateIsTaken() throws {
    let scratch = Scratch()
    let pem = Self.pem
    let run = try Self.run(
      ["join", "hub.example", "--ca", scratch.write(pem, to: "ca.pem")] + Self.join.dropFirst(2),
      input: "code",
      ["Join": Self.words, "Status": Self.status("member", peers: Self.pair)]
    )
    #expect(run.status == 0, "\(run)")
  }

  @Test func whoIsInTheCirclesLogIsToldWithWhom() throws {
    let run = try join(Self.status("member", peers: Self.pair))
    #expect(run.status == 0)
    #expect(run.error.contains("phone is in the circle with laptop."), "\(run)")
  }

  private static let outsiders = [
    (status("member"), "in no circle"),
    (status("member", peers: [(name: "laptop", isThisDevice: false)]), "in no circle"),
    (status("removed", peers: [(name: "laptop", isThisDevice: false)]), "in no circle"),
    (status("stateWasChanged"), "in no circle"),
    (
      status("joining", more: #","failure":"f","failureCode":"denied""#),
      "The invitation is over: join with a new code."
    ),
    (
      status("joining", more: #","failure":"f","failureCode":"codeWasUsed""#),
      "The code let another device in, and is good for one: join with a new code."
    ),
    (status("joining", more: #","circleAlarm":"it lied""#), "The hub is not believed: it lied."),
  ]

  @Test(arguments: outsiders)
  func whoIsNotInTheCirclesLogIsNeverToldThatItIsIn(
    _ status: String,
    _ message: String
  ) throws {
    let run = try join(status)
    #expect(run.status == 77 && run.error.contains(message), "\(run)")
    #expect(!run.error.contains("is in the circle"))
  }

  @Test func whoAskedByAnotherNameBeforeIsToldThatItStays() throws {
    let run = try Self.run(
      Self.join + ["--no-wait"],
      input: "code",
      [
        "Join": #"{"parameters":{"words":["one","two"],"name":"tablet"}}"#,
        "Status": Self.status("joining"),
      ]
    )
    #expect(run.status == 0 && run.output == "one two\n", "\(run)")
    #expect(run.error.contains("keeps the name tablet."), "\(run)")
  }

  @Test func whoFoundedByAnotherNameBeforeIsToldThatItStays() throws {
    let run = try Self.run(
      ["found", "/run/hub", "--name", "laptop", "--code-stdin"],
      input: "code",
      ["Synchronize": Self.status("member", peers: [(name: "vm", isThisDevice: true)])]
    )
    #expect(run.status == 0 && run.error.contains("keeps the name vm."), "\(run)")
    #expect(run.error.contains("vm founded a circle."))
  }

  @Test func whatKeepsADeviceOutIsSaidInASentence() throws {
    let why = #","failure":"it does not let this device in (no)","failureCode":"denied""#
    let now = try Self.run(["now"], ["Synchronize": Self.status("member", more: why)])
    #expect(now.status == 77, "\(now)")
    #expect(now.error.contains("The hub does not let this device in (no).\n"), "\(now)")
    let found = try Self.run(
      ["found", "/run/hub", "--name", "laptop", "--code-stdin"],
      input: "code",
      ["Synchronize": Self.status("founding", more: why)]
    )
    #expect(found.error.contains("The hub does not let this device in (no). Found"), "\(found)")
  }

  @Test func whatCannotBeKeptIsSaidByStatusAndNow() throws {
    let why =
      #","failure":"this device cannot keep what comes and goes: the disk is full","failureCode":"notStored""#
    let status = Self.status("member", peers: Self.pair, more: why)
    let now = try Self.run(["now"], ["Synchronize": status])
    #expect(now.status == 70, "\(now)")
    #expect(now.error.contains("This device cannot keep what comes and goes: the disk is full. It"))
    #expect(now.output.contains("laptop"), "and what there is all the same: \(now)")
    let run = try Self.run(["status"], ["Status": status])
    #expect(run.status == 0, "\(run)")
    #expect(run.output.contains("comes and goes: the disk is full"), "\(run)")
  }

  @Test func anotherLogOfTheCircleIsToldWithTheWayBackFirst() throws {
    let more = #","circleAlarm":"the hub ends at 5""#
    let alarm = Self.status("member", peers: Self.pair, more: more)
    let run = try Self.run(["now"], ["Synchronize": alarm])
    #expect(run.status == 77, "\(run)")
    let back = try #require(run.output.firstRange(of: "put the newer copy back"))
    let circle = try #require(run.output.firstRange(of: "founds another circle"))
    #expect(back.lowerBound < circle.lowerBound)
  }

  /// How a device stands whose hub has one zone.
  private static func status(zone more: String) -> String {
    let numbers = #""records":2,"outgoing":0,"incoming":0,"conflicts":0,"head":5"#
    let zone = #""zones":[{"name":"items",\#(numbers),"words":[]\#(more)}]"#
    return status("member", peers: pair).replacing(#""zones":[]"#, with: zone)
  }

  @Test func whatTheHubLostIsSaidWithWhoWroteIt() throws {
    let status = Self.status(zone: #","lost":2,"lostBy":["ff"]"#)
    let run = try Self.run(["status"], ["Status": status])
    #expect(run.output.contains("items: the hub lost 2 records that a removed device"), "\(run)")
    #expect(run.output.contains("'sync roll'"))
    let json = try Self.run(["status", "--json"], ["Status": status])
    #expect(json.output.contains(#""lost":2,"lostBy":["ff"]"#), "\(json)")
  }

  /// Otherwise it looks like a locked device.
  @Test(arguments: ["status", "now"])
  func keysThatHaveNotComeAreSaidWithTheWayOut(_ verb: String) throws {
    let status = Self.status(zone: #","lacksKeys":true"#)
    let run = try Self.run([verb], ["Status": status, "Synchronize": status])
    #expect(run.status == 0, "\(run)")
    #expect(run.output.contains("items: its newest keys have not come from the hub"), "\(run)")
    #expect(run.output.contains("'authctl sync roll' on another device"))
    let json = try Self.run(["status", "--json"], ["Status": status])
    #expect(json.output.contains(#""lacksKeys":true"#), "\(json)")
  }

  @Test func aRepairSaysWhatBecameOfIt() throws {
    let words = ["repair", "--yes", "--passcode-stdin"]
    let lossless = Self.status(zone: "")
    func repair(
      _ status: String,
      before: String = Self.status(zone: #","needsRepair":true"#)
    ) throws -> ProgramRun {
      try Self.run(words, input: "1234\n", ["Status": before, "Synchronize": status])
    }
    let needless = try repair(lossless, before: lossless)
    #expect(needless.status == 77 && needless.error.contains("nothing to repair"), "\(needless)")
    let forked = Self.status("member", peers: Self.pair, more: #","circleAlarm":"it lies""#)
    let hopeless = try repair(lossless, before: forked)
    #expect(hopeless.status == 77 && hopeless.error.contains("log of the circle"), "\(hopeless)")
    let whole = try repair(lossless)
    #expect(whole.status == 0 && whole.error.contains("is sent to the hub again.\n"), "\(whole)")
    let lossy = try repair(Self.status(zone: #","lost":1,"lostBy":[]"#))
    #expect(lossy.status == 0 && lossy.error.contains("The hub lost 1 record that"), "\(lossy)")
    let doubted = try repair(Self.status(zone: #","alarm":"the hub shows another history""#))
    #expect(doubted.status == 77 && doubted.error.contains("not believed again"), "\(doubted)")
    let unheard = try repair(#"{"error":"io.localauth.Sync.Refused"}"#)
    #expect(unheard.status == 0, "\(unheard)")
  }

  @Test func statusHasThePortAndWhoAnsweredTheInvitation() throws {
    let answering = #","answering":{"name":"tablet","words":["one","two"]}"#
    let status = Self.status("member", peers: Self.pair, more: answering)
    let run = try Self.run(["status"], ["Status": status])
    #expect(run.output.contains("/run/hub, port 5432, database localauth"), "\(run)")
    #expect(run.output.contains("tablet answered the invitation: 'sync approve'"), "\(run)")
    #expect(run.output.contains("one two"))
  }

  @Test func otherDevicesOfTheCircleCompleteARemoval() throws {
    let status = Self.status("member", peers: Self.pair)
    let run = try withFakeDaemon { daemon, request in
      daemon.reply(status, to: request)
    } _: { daemon in
      let line = ["--socket", daemon.path, "--device", "sim", "sync", "remove", ""]
      return try ProgramRun(["completion", "bash", "--"] + line)
    }
    #expect(run.output.contains("laptop") && !run.output.contains("phone"), "\(run)")
  }

  @Test(arguments: [[], ["--no-wait"]])
  func whoIsInAlreadyIsToldSo(_ more: [String]) throws {
    let run = try Self.run(
      ["join", "/run/hub", "--name", "other", "--code-stdin"] + more,
      input: "code",
      ["Join": Self.words, "Status": Self.status("member", peers: Self.pair)]
    )
    #expect(run.status == 0 && run.output.isEmpty, "\(run)")
    #expect(run.error.contains("phone is in the circle already with laptop."), "\(run)")
  }

  @Test(arguments: [
    ("removed", "Another device removed this one."),
    ("stateWasChanged", "What was kept of the circle was changed or put back."),
  ])
  func whoIsInItsCircleNoMoreFailsToSynchronize(_ stage: String, _ message: String) throws {
    let status = Self.status(stage)
    let run = try Self.run(["now"], ["Synchronize": status])
    #expect(run.status == 77 && run.error.contains(message), "\(run)")
    #expect(try Self.run(["status"], ["Status": status]).status == 0)
  }

  @Test func whoWasRemovedAndLeavesIsToldOfNoOtherRemoval() throws {
    let words = ["leave", "--yes", "--passcode-stdin"]
    let removed = Self.status("removed", peers: [(name: "laptop", isThisDevice: false)])
    let told = try Self.run(words, input: "1234\n", ["Status": removed])
    #expect(told.error.contains("Another device removed it already."), "\(told)")
    #expect(!told.error.contains("sync remove"))
    let why = #","failure":"it does not let this device in","failureCode":"denied""#
    let denied = Self.status("member", peers: Self.pair, more: why)
    let left = try Self.run(words, input: "1234\n", ["Status": denied])
    #expect(left.error.contains("did not let it in any more, as after a removal."), "\(left)")
    #expect(left.error.contains("authctl sync remove phone"))
  }

  @Test func adviceCanBeTypedAsItIs() throws {
    let status = Self.status("member", peers: [(name: "Ann's laptop", isThisDevice: true)])
    let words = ["leave", "--yes", "--passcode-stdin"]
    let run = try Self.run(words, input: "1234\n", ["Status": status])
    #expect(run.status == 0, "\(run)")
    #expect(run.error.contains(#"authctl sync remove 'Ann'\''s laptop'"#), "\(run)")
  }

  // MARK: What removed devices know

  private static let known =
    #"{"peer":"1","peerName":"laptop","item":{"class":"genp","account":"mail"}}"#
  private static let unnamed = #"{"peer":"1","peerName":"laptop"}"#
  private static let away = #"{"peer":"2","peerName":"tablet","wasRemovedBefore":true}"#

  private static func exposed(_ secrets: [String], _ unlisted: [String] = []) -> [String: String] {
    let lists = (secrets.joined(separator: ","), unlisted.joined(separator: ","))
    let reply = """
      {"parameters":{"secrets":[\(lists.0)],"unlisted":[\(lists.1)],"total":\(secrets.count)}}
      """
    return ["Exposed": reply]
  }

  @Test func exposedCountsWhatCannotBeNamed() throws {
    let some = try Self.run(["exposed"], Self.exposed([Self.known, Self.unnamed, Self.unnamed]))
    #expect(some.status == 0 && some.output.contains("mail"), "\(some)")
    #expect(some.error.contains("2 secrets cannot be named yet"), "\(some)")
    #expect(some.output.split(separator: "\n").count == 1)
    let none = try Self.run(["exposed"], Self.exposed([Self.unnamed]))
    #expect(none.output.isEmpty && none.error.contains("1 secret cannot be named yet"), "\(none)")
    #expect(!none.error.contains("Nothing is left"))
    let all = try Self.run(["exposed"], Self.exposed([Self.known]))
    #expect(all.output.contains("mail") && all.error.isEmpty, "\(all)")
  }

  @Test func exposedSaysWhoseSecretsItDoesNotKnow() throws {
    let none = try Self.run(["exposed"], Self.exposed([], [Self.away]))
    #expect(none.error.contains("joined after tablet was removed"), "\(none)")
    #expect(!none.error.contains("of the items that removed devices knew"), "it does not know that")
    let some = try Self.run(["exposed"], Self.exposed([Self.known], [Self.away]))
    #expect(some.output.contains("mail"), "\(some)")
    #expect(some.error.contains("joined after tablet was removed"), "\(some)")
    let behind = Self.away.replacing("true", with: "false")
    let late = try Self.run(["exposed"], Self.exposed([], [behind]))
    #expect(late.error.contains("Not everything has come yet that tablet could read"), "\(late)")
    let nothing = try Self.run(["exposed"], Self.exposed([]))
    #expect(nothing.error.contains("Nothing is left to change of the items"), "\(nothing)")
  }

  @Test func exposedIsAsTheSchemaSays() throws {
    let schema = try JSONSchema(packageFile("docs/authctl.schema.json"))
    let replies = Self.exposed([Self.known, Self.unnamed], [Self.away])
    let run = try Self.run(["exposed", "--json"], replies)
    #expect(try schema.problems(of: run.object) == [], "\(run.output)")
    #expect(try schema.isValid(run.object, as: "exposedSecrets"), "\(run.output)")
  }
}
